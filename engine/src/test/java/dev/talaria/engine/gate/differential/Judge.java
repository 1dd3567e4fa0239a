package dev.talaria.engine.gate.differential;

import dev.talaria.api.Caller;
import dev.talaria.api.Command;
import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Gate;
import dev.talaria.api.Isolation;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.Approvers;
import dev.talaria.engine.gate.JudgedCall;
import dev.talaria.engine.gate.RuleGate;
import dev.talaria.engine.output.Redactor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/// The gate, seen from outside: in mode `manual`, where the host is in reach and nobody can be asked.
final class Judge {
    private final Gate gate;
    private final AtomicLong sessions = new AtomicLong();

    /// @param folder for the gate's own files
    /// @param work the folder that commands start in
    Judge(Path folder, Path work) {
        Settings settings = Settings.defaults(Folders.below(folder));
        Sandbox host = new Host();
        gate = new RuleGate(
                settings.withApprovals(settings.approvals().withMode(ApprovalMode.MANUAL)),
                _ -> host,
                _ -> Optional.of(work.toString()),
                (_, _) -> {
                    throw new IllegalStateException("no tool changes a file here");
                },
                new Approvers(List.of()),
                Optional.empty(),
                Redactor.off(),
                (_, _, _) -> Optional.empty());
    }

    /// Each command is the first of its session: what others exported is no part of it.
    Gate.Decision decide(String command) {
        Caller caller = new Caller("test", "session-" + sessions.incrementAndGet());
        return gate.decide(
                new JudgedCall(ToolCall.of(caller, "terminal", Map.of("command", command))),
                new Effect.Command(command, Optional.empty(), Optional.empty(), false));
    }

    boolean lets(String command) {
        return decide(command) instanceof Gate.Decision.Allowed;
    }

    /// The host itself, on which nothing is run here.
    private record Host() implements Sandbox {
        @Override
        public String name() {
            return "host";
        }

        @Override
        public Isolation isolation() {
            return Isolation.NONE;
        }

        @Override
        public boolean reachesHost() {
            return true;
        }

        @Override
        public boolean sharesHost() {
            return true;
        }

        @Override
        public RunningProcess start(Command command) {
            throw new SandboxException(ErrorCode.NOT_SUPPORTED, "Nothing runs here.");
        }

        @Override
        public void close() {}
    }
}
