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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An instance of Apptainer, or one container per command where instances do not work.
///
/// @param client the client program
/// @param instanceName its name, whether there is an instance or not
/// @param into the words between `exec` and the command
/// @param instance whether there is an instance
/// @param own its files
/// @param probe its properties, seen from inside
/// @param flags the options that it was made with
/// @param cwd the folder of commands that name none
/// @param remarked remarks about it, computed each time
record ApptainerSandbox(
        ApptainerClient client,
        String instanceName,
        List<String> into,
        boolean instance,
        ApptainerFolders.Own own,
        ApptainerProbe probe,
        ApptainerFlags flags,
        String cwd,
        Supplier<List<String>> remarked)
        implements Sandbox {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Path PROC = Path.of("/proc");
    private static final Pattern PID = Pattern.compile("\"pid\"\\s*:\\s*(\\d+)");

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
    public boolean reachesHost() {
        return flags.shared() || !probe.writable().isEmpty();
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
        return new Usage(
                instance ? memory(probe.processes()) : OptionalLong.empty(),
                OptionalLong.of(Client.size(List.of(own.top()))));
    }

    /// Returns the usage of an instance, whoever started it.
    ///
    /// @param top its files
    static Usage usage(ApptainerClient client, String name, Path top) {
        Client.Finished listed = client.run(PATIENCE, List.of("instance", "list", "--json", name));
        Matcher pid = PID.matcher(listed.printed());
        OptionalLong memory = OptionalLong.empty();
        if (pid.find()) {
            try {
                memory =
                        memory(Files.readSymbolicLink(PROC.resolve(pid.group(1)).resolve("ns/pid"))
                                .toString());
            } catch (IOException e) {
                // The process has ended.
            }
        }
        return new Usage(
                memory, Files.isDirectory(top) ? OptionalLong.of(Client.size(List.of(top))) : OptionalLong.empty());
    }

    private static OptionalLong memory(String namespace) {
        long pages = 0;
        for (Path process : members(namespace)) {
            try {
                pages += Long.parseLong(
                        Files.readString(process.resolve("statm")).split(" ", 3)[1]);
            } catch (IOException e) {
                // The process has ended.
            }
        }
        return OptionalLong.of(pages * 4096);
    }

    @Override
    public Optional<String> fleeting(String path) {
        boolean bound = !path.startsWith("~")
                && probe.writable().stream()
                        .anyMatch(
                                folder -> Path.of(cwd).resolve(path).normalize().startsWith(folder));
        return own.lock().isPresent() || bound
                ? Optional.empty()
                : Optional.of(
                        "The instance " + instanceName + " is made for this and removed afterwards, with its files."
                                + " With option persistent=true they stay, and so does what option volumes binds.");
    }

    /// Returns the processes of an instance.
    ///
    /// @param namespace their namespace
    private static List<Path> members(String namespace) {
        try (Stream<Path> all = Files.list(PROC)) {
            return all.filter(process -> process.getFileName().toString().matches("\\d+"))
                    .filter(process -> {
                        try {
                            return Files.readSymbolicLink(process.resolve("ns/pid"))
                                    .toString()
                                    .equals(namespace);
                        } catch (IOException e) {
                            return false; // the process has ended, or belongs to somebody else
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
    public String folder(String wanted) {
        return flags.inside(wanted).map(probe::expanded).orElse(probe.home());
    }

    @Override
    public RunningProcess start(Command command) {
        Client.refuseEnvironment(this, command);
        return LocalProcess.start(
                client.command(exec(client, into, command.argv(), command.cwd().orElse(cwd))));
    }

    /// Returns the client's argv for a command inside. The folder is entered by a shell, since
    /// Apptainer would continue in another one if it did not exist.
    static List<String> exec(ApptainerClient client, List<String> into, List<String> argv, String cwd) {
        return client.argv(ShellWords.joined(List.of("exec", "--cleanenv"), into, ShellWords.inFolder(cwd, argv)));
    }

    /// Kills the instance's processes, which is quicker than asking Apptainer to, and removes the
    /// instance.
    @Override
    public void close() {
        if (instance) {
            members(probe.processes())
                    .forEach(process -> ProcessHandle.of(
                                    Long.parseLong(process.getFileName().toString()))
                            .ifPresent(ProcessHandle::destroyForcibly));
            stop(client, instanceName);
        }
        own.release();
    }

    /// Stops an instance. It is no error if there is none.
    ///
    /// @throws SandboxException if it may still run
    static void stop(ApptainerClient client, String name) {
        Client.Finished stopped = client.run(PATIENCE, List.of("instance", "stop", "--force", name));
        boolean gone = stopped.ended(0) || (stopped.said() + stopped.printed()).contains("no instance found");
        if (!gone) {
            throw Client.unavailable("The instance " + name + " may still be there (" + stopped.said()
                    + "). Stop it with 'apptainer instance stop --force " + name + "'.");
        }
    }
}
