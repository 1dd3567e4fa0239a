package dev.talaria.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// One command: what may be written after its name, and what it then does.
///
/// Commands are described in code, not by annotations: reading those would cost a tenth of a start.
interface CliCommand {

    CommandSpec spec();

    /// Does it and returns the exit code.
    ///
    /// @param rest what was written after `--`
    int run(ParseResult given, List<String> rest, Console console) throws IOException;
}
