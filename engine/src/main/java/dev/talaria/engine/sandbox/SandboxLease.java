package dev.talaria.engine.sandbox;

import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.output.SpillTarget;
import dev.talaria.engine.util.Identity;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One call's view of its session's sandbox: an immutable record that stays the same until the call ends. The next
/// call may get another {@link OpenSandbox} of the {@link SandboxSlot}, or another relay.
///
/// @param sandbox the sandbox that the call runs in
/// @param chosen the working folder that the user chose
/// @param cwd the working folder as the sandbox sees it; absent means the backend's own
/// @param folder the folder that commands have moved to since; absent if they have not moved
/// @param relay the sandbox's relay; absent if the call did not ask for one, or if there is no Python
/// @param open the sandbox with its state
/// @param slot the slot of the session
public record SandboxLease(
        Sandbox sandbox,
        Optional<String> chosen,
        Optional<String> cwd,
        Optional<String> folder,
        Optional<Relay> relay,
        OpenSandbox open,
        SandboxSlot slot) {

    static SandboxLease of(SandboxSlot slot, OpenSandbox open) {
        Optional<String> none = Optional.empty();
        return new SandboxLease(open.sandbox(), none, none, open.folder(), Optional.empty(), open, slot);
    }

    /// Returns the same lease with a working folder that somebody chose.
    SandboxLease in(String path) {
        Optional<String> inside = Optional.of(sandbox.folder(path));
        return new SandboxLease(sandbox, Optional.of(path), inside, folder, relay, open, slot);
    }

    SandboxLease with(Relay started) {
        return new SandboxLease(sandbox, chosen, cwd, folder, Optional.of(started), open, slot);
    }

    /// Returns a lease with the relay, unless there is no Python. The relay is started if none runs. If the
    /// sandbox is gone, it is replaced.
    public SandboxLease withRelay(Patience patience) {
        if (relay.isPresent()) {
            return this;
        }
        SandboxLease fresh = slot.leaseWithRelay(patience);
        return chosen.map(fresh::in).orElse(fresh);
    }

    /// Returns the same lease after the session's files are in the sandbox.
    public SandboxLease withContent(Patience patience) {
        open.prepare(patience);
        return this;
    }

    /// Returns the working folder as this machine names it.
    public Path workspace() {
        return Folders.workingFolder(cwd.orElse(""));
    }

    /// Returns the target for the session's long output. A sandbox sees at most its own output.
    public SpillTarget spills(SessionOutput session) {
        boolean shown = sandbox.showsHost() && !sandbox.sharesHost();
        return shown ? session.spills().in(open.entry().record().id()) : session.spills();
    }

    /// Returns the relay.
    ///
    /// @throws SandboxException with `PYTHON_MISSING` if no relay can run in the sandbox
    public Relay requireRelay() {
        return relay.orElseThrow(open::whyNoRelay);
    }

    /// Notes the folder that a command has moved to.
    public void moved(String to) {
        open.moved(to);
    }

    /// Notes that a command may have changed the state of the session's shell.
    public void shellUsed() {
        open.shellUsed();
    }

    /// Notes that the sandbox may be gone. The next call checks that before it uses the sandbox.
    public void suspect() {
        open.suspect();
    }

    /// Notes a process in the sandbox that outlives Talaria. The sandbox stays as long as the process lives.
    public void addSurvivor(String id, Identity process) {
        open.entry().change(record -> record.withSurvivor(new SandboxRecord.Survivor(id, process)));
    }

    /// Returns the result with the sandbox's isolation, so that readers know how far to trust it.
    public ToolResult described(ToolResult result) {
        Map<String, Object> value = new LinkedHashMap<>(result.value());
        value.put("isolation", sandbox.isolation().name().toLowerCase(Locale.ROOT));
        return result.withValue(value);
    }
}
