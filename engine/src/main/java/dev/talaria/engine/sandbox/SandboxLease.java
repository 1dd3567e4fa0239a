package dev.talaria.engine.sandbox;

import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.output.Session;
import dev.talaria.engine.output.SpillTarget;
import dev.talaria.engine.util.Identity;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// What one call has of its session's sandbox. It stays the same until the call ends; the next call may find another
/// sandbox or another relay.
///
/// @param sandbox where the call runs
/// @param chosen the working folder that somebody chose
/// @param cwd the working folder as the sandbox sees it; absent means the backend's own
/// @param folder where commands have moved since, if they have
/// @param relay the sandbox's relay; absent if nobody asked for one, or if there is no Python
/// @param open the sandbox with all that is known of it
/// @param slot where the session finds its sandboxes
public record SandboxLease(
        Sandbox sandbox,
        Optional<String> chosen,
        Optional<String> cwd,
        Optional<String> folder,
        Optional<Relay> relay,
        OpenSandbox open,
        SandboxSlot slot) {

    static SandboxLease of(SandboxSlot slot, OpenSandbox open, Optional<Relay> relay, Optional<String> chosen) {
        Sandbox sandbox = open.sandbox();
        return new SandboxLease(sandbox, chosen, chosen.map(sandbox::folder), open.folder(), relay, open, slot);
    }

    /// Returns a lease that has the relay, unless there is no Python. The relay is started if none runs; a sandbox that
    /// turns out to be gone is replaced.
    public SandboxLease withRelay(Patience patience) {
        return relay.isPresent() ? this : slot.leaseWithRelay(chosen, patience);
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

    /// Returns where the session's long output is kept, so that a sandbox sees at most its own.
    public SpillTarget spills(Session session) {
        boolean shown = sandbox.showsHost() && !sandbox.sharesHost();
        return shown ? session.spills().in(open.entry().record().id()) : session.spills();
    }

    /// Returns the relay.
    ///
    /// @throws SandboxException with `PYTHON_MISSING` where no relay can run
    public Relay requireRelay() {
        return relay.orElseThrow(open::whyNoRelay);
    }

    /// Notes the folder that a command has left behind.
    public void moved(String to) {
        open.moved(to);
    }

    /// Notes that a command may have left something in the shell.
    public void shellUsed() {
        open.shellUsed();
    }

    /// Notes that the sandbox may be gone: the next call looks before it uses it.
    public void suspect() {
        open.suspect();
    }

    /// Notes a process here that outlives Talaria: as long as it lives, nobody takes the sandbox away.
    public void addSurvivor(String id, Identity process) {
        open.entry().change(record -> record.withSurvivor(new SandboxRecord.Survivor(id, process)));
    }

    /// Returns a result that says what this sandbox keeps out: whoever reads it should know how far to trust it.
    public ToolResult described(ToolResult result) {
        Map<String, Object> value = new LinkedHashMap<>(result.value());
        value.put("isolation", sandbox.isolation().name().toLowerCase(Locale.ROOT));
        return result.withValue(value);
    }
}
