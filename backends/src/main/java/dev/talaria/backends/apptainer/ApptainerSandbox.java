package dev.talaria.backends.apptainer;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Usage;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.LocalProcess;
import dev.talaria.backends.process.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An instance of Apptainer, or a container for every command where instances do not work.
///
/// @param client how it is talked to
/// @param instanceName its name, whether there is one or not
/// @param into what goes between `exec` and the command
/// @param instance whether there is one
/// @param networked whether it has the network of this machine
/// @param own its files
/// @param probe what it turned out to be
/// @param cwd where commands run that do not say so
/// @param remarked what to tell about it, asked each time
record ApptainerSandbox(
        ApptainerClient client,
        String instanceName,
        List<String> into,
        boolean instance,
        boolean networked,
        ApptainerFolders.Own own,
        ApptainerProbe probe,
        String cwd,
        Supplier<List<String>> remarked)
        implements Sandbox {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path PROC = Path.of("/proc");

    @Override
    public String name() {
        return "apptainer:" + instanceName;
    }

    /// Namespaces and nothing else: no filter of system calls, no user of its own.
    @Override
    public Isolation isolation() {
        return Isolation.NAMESPACE;
    }

    @Override
    public boolean sharesHost() {
        return false;
    }

    @Override
    public boolean reachesHost() {
        return networked || !probe.writable().isEmpty();
    }

    @Override
    public boolean alive() {
        if (!instance) {
            return true;
        }
        Client.Finished listed = client.run(PATIENCE, List.of("instance", "list", "--json", instanceName));
        return !listed.ended(0) || listed.printed().contains('"' + instanceName + '"');
    }

    @Override
    public Usage usage() {
        long pages = 0;
        for (Path process : members()) {
            try {
                pages += Long.parseLong(
                        Files.readString(process.resolve("statm")).split(" ", 3)[1]);
            } catch (IOException e) {
                // It has ended.
            }
        }
        return new Usage(
                instance ? OptionalLong.of(pages * 4096) : OptionalLong.empty(),
                OptionalLong.of(ApptainerFolders.size(own.top())));
    }

    /// Returns the instance's processes.
    private List<Path> members() {
        try (Stream<Path> all = Files.list(PROC)) {
            return all.filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> {
                        try {
                            return Files.readSymbolicLink(process.resolve("ns/pid"))
                                    .toString()
                                    .equals(probe.processes());
                        } catch (IOException e) {
                            return false; // it has ended, or is somebody else's
                        }
                    })
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public List<String> remarks() {
        return remarked.get();
    }

    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        return LocalProcess.start(
                exec(client, into, command.argv(), command.cwd().orElse(cwd)),
                Optional.empty(),
                Optional.of(client.environment()));
    }

    /// Returns the client's argv for a command inside. Apptainer would go on elsewhere if the folder is not there.
    static List<String> exec(ApptainerClient client, List<String> into, List<String> argv, String cwd) {
        List<String> all = new ArrayList<>(List.of("exec", "--cleanenv"));
        all.addAll(into);
        all.addAll(ShellWords.inFolder(cwd, argv));
        return client.argv(all);
    }

    /// Ends the instance's processes, which is quicker than asking Apptainer to, and forgets it.
    @Override
    public void close() {
        if (instance) {
            members()
                    .forEach(process -> ProcessHandle.of(
                                    Long.parseLong(process.getFileName().toString()))
                            .ifPresent(ProcessHandle::destroyForcibly));
            stop(client, instanceName);
        }
        own.release();
    }

    /// Stops an instance; one that is not there is no error.
    ///
    /// @throws SandboxException if it may go on
    static void stop(ApptainerClient client, String name) {
        Client.Finished stopped = client.run(PATIENCE, List.of("instance", "stop", "--force", name));
        boolean gone = stopped.ended(0) || (stopped.said() + stopped.printed()).contains("no instance found");
        if (!gone) {
            throw Client.unavailable("The instance " + name + " may still be there (" + stopped.said()
                    + "). Stop it with 'apptainer instance stop --force " + name + "'.");
        }
    }
}
