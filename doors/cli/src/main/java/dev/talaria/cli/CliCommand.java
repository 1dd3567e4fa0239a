package dev.talaria.cli;

import java.io.IOException;
import java.util.List;

/// One command: what may be written after its name, and what it then does.
interface CliCommand {

    Syntax syntax();

    /// Does it and returns the exit code.
    ///
    /// @param rest what was written after `--`
    int run(Arguments given, List<String> rest, Console console) throws IOException;
}
