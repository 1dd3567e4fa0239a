package dev.talaria.cli;

import java.io.IOException;
import java.util.List;

/// One command of `talaria`: its syntax and its action.
interface CliCommand {

    Syntax syntax();

    /// Runs the command and returns the exit code.
    ///
    /// @param rest the words after `--`
    int run(Arguments given, List<String> rest, Console console) throws IOException;
}
