package dev.talaria.engine.gate;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.Reach;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.Set;

/// A place to decide about, in which nothing can be run: the gate must have spoken before.
///
/// @param reachesHost whether it was given a way out
/// @param reach what can be hurt from there
record Place(Isolation isolation, boolean reachesHost, Set<Reach> reach) implements Backend, Sandbox {

    Place(Isolation isolation, boolean reachesHost) {
        this(isolation, reachesHost, reachesHost ? Set.of(Reach.values()) : Set.of());
    }

    static Place of(Isolation isolation) {
        return new Place(isolation, isolation.compareTo(Isolation.CONTAINER) < 0);
    }

    @Override
    public String name() {
        return "place";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        return this;
    }

    @Override
    public boolean sharesHost() {
        return false;
    }

    @Override
    public RunningProcess start(Command command) {
        throw new SandboxException(ErrorCode.NOT_SUPPORTED, "It would have run.");
    }

    @Override
    public void close() {}
}
