package dev.talaria.engine.job.relay;

import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.ProcessSweep;
import dev.talaria.engine.job.ShortCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is done from outside about a relay that ended by itself or does not obey: a script on the same machine can kill
/// or stop it.
///
/// @param sandbox where it runs
/// @param pid the relay's process id there
/// @param mark what its processes carry
record RelayEnd(Sandbox sandbox, long pid, String mark) {
    private static final Duration SOON = Duration.ofSeconds(5);

    /// Returns whether the relay is on this machine, where only a relay that was stopped is silent for long.
    boolean near() {
        return sandbox.showsHost();
    }

    /// Wakes a relay that was stopped. The relay may have gone and its number belong to another process: its mark
    /// tells.
    ///
    /// @return whether it is there and the sandbox could tell it
    boolean wake() {
        // Where each command has a namespace of its own, its numbers are not the ones we would see.
        return !sandbox.endsWithCommand() && tell("kill -CONT $0");
    }

    /// Does something to the relay if it is still there; returns whether that could be done.
    private boolean tell(String what) {
        String ifIt = "grep -aqF -e \"$1\" /proc/$0/cmdline && " + what;
        try (RunningProcess telling =
                sandbox.start(ShortCommand.command(List.of("sh", "-c", ifIt, String.valueOf(pid), mark)))) {
            Quietly.close(telling.stdin());
            return telling.waitFor(SOON).filter(status -> status == 0).isPresent();
        } catch (SandboxException e) {
            return false; // nothing can be started there: what comes next says so
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Ends the relay and all that it left, and returns what is known of that.
    ///
    /// @param client what the relay was started as
    String finish(RunningProcess client) {
        if (sandbox.endsWithCommand()) {
            client.kill(); // and the kernel ends all others
            return "what ran there was ended";
        }
        // Its keepers know best what is their own. And a gVisor does not survive a kill of them while it is stopped.
        var _ = tell("kill -KILL $0 && sleep 1");
        Optional<ProcessSweep.Found> found = ProcessSweep.marked(sandbox, mark);
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
