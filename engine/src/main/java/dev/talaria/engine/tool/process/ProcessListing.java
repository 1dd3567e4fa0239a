package dev.talaria.engine.tool.process;

import dev.talaria.engine.config.Folders;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// A background process of any Talaria of this user, as `talaria ps` shows it.
public sealed interface ProcessListing permits SurvivingProcess, PublishedProcess {

    String id();

    /// Returns its command line, redacted.
    String command();

    Optional<String> cwd();

    Instant started();

    /// Returns its process id inside its sandbox; 0 if nobody tells.
    long pid();

    /// Returns the word for its state: `running`, `exited` or `lost`.
    String status();

    /// Returns its exit code as results show it; empty while it runs, or if nobody knows.
    Optional<Integer> exitCode();

    ProcessLog log();

    /// Returns the process id of the Talaria that it ends with; empty if it outlives every one.
    OptionalLong endsWith();

    /// Returns all of them, oldest first.
    static List<ProcessListing> all(Folders folders) {
        return Stream.<ProcessListing>concat(
                        SurvivingProcess.all(folders).stream(), PublishedProcess.all(folders).stream())
                .sorted(Comparator.comparing(ProcessListing::started))
                .toList();
    }
}
