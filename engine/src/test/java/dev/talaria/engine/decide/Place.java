package dev.talaria.engine.decide;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;

/// A place to decide about, in which nothing can be run: the gate must have spoken before.
///
/// @param reachesHost whether it was given a way out
record Place(Isolation isolation, boolean reachesHost) implements Backend, Sandbox {

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
