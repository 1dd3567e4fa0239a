package dev.talaria.backends.bubblewrap;

import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.Reach;
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

/// Commands in namespaces of their own. The relay is one of them, and everything that it runs shares its namespaces: so
/// isolation is paid once for a sandbox.
///
/// @param bwrap the program with all its options but the folder
/// @param workspace where commands start
/// @param environment what commands get that bring none
/// @param scratch what it has on the host's disk
/// @param group its control group, if it has one
/// @param bounds how much it may take
/// @param sockets whether commands have Unix sockets, and so the host's
/// @param remarks what differs from what was asked for
/// @param reach what a careless command can hurt, as it was seen from inside
record BubblewrapSandbox(
        List<String> bwrap,
        String workspace,
        Optional<Map<String, String>> environment,
        BubblewrapScratch scratch,
        Optional<ControlGroup> group,
        SandboxBounds bounds,
        boolean sockets,
        List<String> remarks,
        Set<Reach> reach)
        implements Sandbox {

    @Override
    public String name() {
        return "bubblewrap";
    }

    @Override
    public Isolation isolation() {
        return Isolation.NAMESPACE;
    }

    BubblewrapSandbox reaching(Set<Reach> seen) {
        return new BubblewrapSandbox(bwrap, workspace, environment, scratch, group, bounds, sockets, remarks, seen);
    }

    @Override
    public boolean sharesHost() {
        return false;
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
        return LocalProcess.start(
                wrapped(command.argv(), command.cwd()),
                Optional.empty(),
                command.environment().or(() -> environment));
    }

    /// Returns what runs a command inside: a shell that joins the control group, bounds itself and becomes
    /// bwrap, and in there a shell that is the namespace's first process. When its command ends it ends, and
    /// the kernel ends all others; bubblewrap's own would wait for them.
    ///
    /// There is no `--die-with-parent`: the kernel would take the end of the thread that started it for our
    /// end. A relay ends when its channel does, and all of its namespace with it.
    List<String> wrapped(List<String> argv, Optional<String> cwd) {
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
        all.addAll(List.of("--chdir", cwd.orElse(workspace), "--as-pid-1", "--", "/bin/sh", "-c"));
        all.addAll(List.of(counted() + "\"$@\"; exit $?", "sh"));
        all.addAll(argv);
        return all;
    }

    /// Bounds the number of processes, inside: out here all of the user's would count. Shells disagree about
    /// the letter.
    private String counted() {
        return group.isEmpty() && bounds.processes().isPresent()
                ? "ulimit -p " + bounds.processes().getAsLong() + " 2>/dev/null || "
                        + limit("-u", bounds.processes().getAsLong())
                : "";
    }

    /// Where the limit is lower already, it stays so.
    private static String limit(String option, long value) {
        return "ulimit " + option + " " + value + " 2>/dev/null || :; ";
    }

    @Override
    public Usage usage() {
        return new Usage(group.map(ControlGroup::memory).orElseGet(OptionalLong::empty), scratch.bytes());
    }

    @Override
    public Optional<String> fleeting(String path) {
        Path place = Path.of(workspace).resolve(path).normalize();
        return !path.startsWith("~") && place.startsWith(Path.of(workspace))
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
