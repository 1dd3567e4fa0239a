package dev.talaria.engine.job.relay;

import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.ProcessSweep;
import dev.talaria.engine.job.ShortCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Handles, from outside, a relay that ended by itself or does not obey: a script on the same machine
/// can kill or stop it.
///
/// @param sandbox the sandbox that it runs in
/// @param pid the relay's process id there
/// @param mark the mark of its processes
record RelayEnd(Sandbox sandbox, long pid, String mark) {
    private static final Duration SOON = Duration.ofSeconds(5);

    /// Returns whether the relay is on this machine.
    boolean near() {
        return sandbox.showsHost();
    }

    /// Returns whether a process of a relay on this machine is stopped. If none is, a silent relay only
    /// waits for a busy processor.
    private boolean stopped() {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes.anyMatch(process -> stopped(Path.of("/proc", String.valueOf(process.pid()))));
        }
    }

    private boolean stopped(Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T'
                    && Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .contains(mark);
        } catch (IOException e) {
            return false; // the process has just ended
        }
    }

    /// Wakes a relay that was stopped. The relay may have gone and its number belong to another
    /// process, so its mark is checked.
    ///
    /// @return whether the relay was stopped, on this machine; elsewhere, whether the sandbox could signal it
    boolean wake() {
        if (near() && !stopped()) {
            return false;
        }
        // If each command has a namespace of its own, our command would see other process ids.
        boolean signalled = !sandbox.endsWithCommand() && tell("kill -CONT $0");
        return signalled || near();
    }

    /// Runs a command on the relay if it still exists. Returns whether that worked.
    private boolean tell(String what) {
        String ifIt = "grep -aqF -e \"$1\" /proc/$0/cmdline && " + what;
        try (RunningProcess telling =
                sandbox.start(ShortCommand.command(List.of("sh", "-c", ifIt, String.valueOf(pid), mark)))) {
            Closing.quietly(telling.stdin());
            return telling.waitFor(SOON).filter(status -> status == 0).isPresent();
        } catch (SandboxException e) {
            return false; // nothing can be started there: the next command reports it
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Ends the relay and all processes that it left. Returns what is known about them.
    ///
    /// @param client the process that started the relay
    String finish(RunningProcess client) {
        if (sandbox.endsWithCommand()) {
            client.kill(); // then the kernel ends all others
            return "what ran there was ended";
        }
        // Its keepers get a second, since they know best which processes are theirs. Besides, a
        // gVisor does not survive a kill of them while it is stopped.
        var _ = tell("kill -KILL $0 && sleep 1");
        Optional<ProcessSweep.SweepResult> found = ProcessSweep.marked(sandbox, mark);
        if (found.isEmpty()) {
            return "whether all that ran there has ended is not known, since the sandbox does not answer";
        }
        if (!found.get().survivors().isEmpty()) {
            return "these of its processes could not be ended: "
                    + String.join(", ", found.get().survivors());
        }
        return "what ran there was ended as far as it can be found ("
                + found.get().count()
                + " processes had to be looked for); one that has given up its environment and its parents could live on";
    }
}
