package dev.talaria.engine.sandbox;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.util.Identity;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Where a call runs: an open sandbox and the relay in it. A relay or a sandbox that died is replaced at the next call.
public final class SandboxLease {
    private final SandboxSlot place;
    private final Optional<String> cwd;

    SandboxLease(SandboxSlot place, Optional<String> cwd) {
        this.place = place;
        this.cwd = cwd;
    }

    public Sandbox sandbox() {
        return place.living().sandbox();
    }

    /// Returns the working folder that was chosen for it; absent means the backend's own.
    public Optional<String> cwd() {
        return sandbox().folder(cwd);
    }

    /// Returns the folder that commands have moved to, if they have.
    public Optional<String> folder() {
        return place.living().folder();
    }

    /// Returns the name of the folder of spill files that the sandbox is shown, where it does not see all of them.
    public Optional<String> spillFolder() {
        OpenSandbox living = place.living();
        Sandbox sandbox = living.sandbox();
        return sandbox.showsHost() && !sandbox.sharesHost()
                ? Optional.of(living.entry().record().id())
                : Optional.empty();
    }

    /// Notes the folder that a command has left behind.
    public void moved(String to) {
        place.living().moved(to);
    }

    /// Notes that a command may have left something in the shell.
    public void shellUsed() {
        place.living().shellUsed();
    }

    /// Has the sandbox asked whether it is still there, before it is used again.
    public void suspect() {
        place.living().suspect();
    }

    /// Notes a process here that outlives Talaria: as long as it lives, nobody takes the sandbox away.
    public void outlivedBy(String id, Identity process) {
        place.living().entry().change(record -> record.outlivedBy(new SandboxRecord.Survivor(id, process)));
    }

    /// Returns a result's value with what this place keeps out: whoever reads it should know how far to trust it.
    public Map<String, Object> described(Map<String, Object> value) {
        Map<String, Object> described = new LinkedHashMap<>(value);
        described.put("isolation", sandbox().isolation().name().toLowerCase(Locale.ROOT));
        return described;
    }

    /// Has what belongs into the sandbox brought there, unless it is.
    void prepare(Patience patience) {
        place.await(patience).prepare(patience);
    }

    /// Returns the relay, starting it if there is none.
    ///
    /// @throws SandboxException with `PYTHON_MISSING` where no relay can run
    public Relay relay(Patience patience) {
        return place.relay(patience);
    }

    /// Returns the relay if one runs or can be started, and nothing where there is no Python.
    public Optional<Relay> relayIfAny(Patience patience) {
        try {
            return Optional.of(relay(patience));
        } catch (SandboxException e) {
            if (e.code() == ErrorCode.PYTHON_MISSING) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
