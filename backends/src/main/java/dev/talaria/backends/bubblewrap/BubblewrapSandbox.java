package dev.talaria.backends.bubblewrap;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.ReachableArea;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.Usage;
import dev.talaria.backends.process.LocalProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Runs commands in namespaces of their own. The relay is one such command, and all its jobs share
/// its namespaces: so each sandbox pays for isolation only once.
///
/// @param bwrap the program with all its options except the folder
/// @param workspace where commands start
/// @param environment the environment of commands that have none of their own
/// @param scratch its files on the host's disk
/// @param group its control group, if it has one
/// @param bounds its limits
/// @param sockets whether commands have Unix sockets, and so can reach the host's
/// @param remarks differences from what was asked for
/// @param reach what a careless command can damage, as it was seen from inside
record BubblewrapSandbox(
        List<String> bwrap,
        String workspace,
        Optional<Map<String, String>> environment,
        BubblewrapScratch scratch,
        Optional<ControlGroup> group,
        SandboxBounds bounds,
        boolean sockets,
        List<String> remarks,
        Set<ReachableArea> reach)
        implements Sandbox {

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public Isolation isolation() {
        return Isolation.NAMESPACE;
    }

    BubblewrapSandbox reaching(Set<ReachableArea> seen) {
        return new BubblewrapSandbox(bwrap, workspace, environment, scratch, group, bounds, sockets, remarks, seen);
    }

    @Override
    public boolean showsHost() {
        return true;
    }

    @Override
    public boolean reachesSockets() {
        return sockets;
    }

    @Override
    public boolean endsWithCommand() {
        return true;
    }

    @Override
    public RunningProcess start(Command command) {
        return LocalProcess.start(new Command(
                wrapped(command), Optional.empty(), command.environment().or(() -> environment)));
    }

    /// Returns the words that run a command inside: a shell that joins the control group, limits
    /// itself and becomes bwrap, and in there a shell that is the namespace's first process. That
    /// shell ends with its command, and then the kernel ends all others; bubblewrap's own first
    /// process would wait for them.
    ///
    /// There is no `--die-with-parent`: the kernel would take the end of the thread that started
    /// bwrap for our end. A relay ends with its channel, and its whole namespace with it.
    List<String> wrapped(Command command) {
        StringBuilder script = new StringBuilder("f=$1; shift; ");
        List<String> words = new ArrayList<>(List.of(scratch.filter().toString()));
        for (String door : group.map(ControlGroup::doors).orElse(List.of())) {
            script.append("echo 0 > \"$1\" || exit 125; shift; ");
            words.add(door);
        }
        bounds.fileBytes().ifPresent(bytes -> script.append(limit("-f", bytes >> 9)));
        if (group.isEmpty()) {
            bounds.memory().ifPresent(bytes -> script.append(limit("-d", bytes >> 10)));
        }
        script.append(scratch.filtered() ? "exec \"$@\" 9<\"$f\"" : "exec \"$@\"");
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", script.toString(), "sh"));
        all.addAll(words);
        all.addAll(bwrap);
        all.addAll(List.of("--chdir", command.cwd().orElse(workspace), "--as-pid-1", "--", "/bin/sh", "-c"));
        all.addAll(List.of(counted() + "\"$@\"; exit $?", "sh"));
        all.addAll(command.argv());
        return all;
    }

    /// Limits the number of processes, inside: outside, all processes of the user would count. Shells
    /// use different letters for this limit.
    private String counted() {
        return group.isEmpty() && bounds.processes().isPresent()
                ? "ulimit -p " + bounds.processes().getAsLong() + " 2>/dev/null || "
                        + limit("-u", bounds.processes().getAsLong())
                : "";
    }

    /// Sets a limit. A limit that is already lower stays.
    private static String limit(String option, long value) {
        return "ulimit " + option + " " + value + " 2>/dev/null || :; ";
    }

    @Override
    public Usage usage() {
        return new Usage(group.map(ControlGroup::memory).orElseGet(OptionalLong::empty), scratch.bytes());
    }

    @Override
    public Optional<String> fleeting(String path) {
        Path target = Path.of(workspace).resolve(path).normalize();
        return !path.startsWith("~") && target.startsWith(Path.of(workspace))
                ? Optional.empty()
                : Optional.of("This sandbox has a home folder and a /tmp of its own, which end with it. What is written"
                        + " below " + workspace + " stays.");
    }

    @Override
    public void close() {
        group.ifPresent(ControlGroup::remove);
        scratch.remove();
    }
}
