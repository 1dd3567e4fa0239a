package dev.talaria.engine.gate;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Isolation;
import dev.talaria.api.ReachableArea;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.Set;

/// A sandbox for tests of the gate. Nothing can run in it: the gate must have decided before.
///
/// @param reachesHost whether it can reach the host
/// @param reach what a command can damage from it
record InertSandbox(Isolation isolation, boolean reachesHost, Set<ReachableArea> reach) implements Backend, Sandbox {

    InertSandbox(Isolation isolation, boolean reachesHost) {
        this(isolation, reachesHost, reachesHost ? Set.of(ReachableArea.values()) : Set.of());
    }

    static InertSandbox of(Isolation isolation) {
        return new InertSandbox(isolation, isolation.compareTo(Isolation.CONTAINER) < 0);
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
