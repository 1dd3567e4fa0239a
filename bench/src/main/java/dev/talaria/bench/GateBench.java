package dev.talaria.bench;

import dev.talaria.api.Backend;
import dev.talaria.api.CallEvent;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.Effect;
import dev.talaria.api.Gate;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.Approvers;
import dev.talaria.engine.gate.RuleGate;
import dev.talaria.engine.output.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Measures the time of the gate's decisions against the time that they may take, which is the floor.
final class GateBench implements Row {
    private static final int HOSTILE = 120_000;

    private final String name;
    private final String what;
    private final long allowed;
    private final double share;
    private final Commands commands;

    @FunctionalInterface
    private interface Commands {
        List<String> of(BenchContext context) throws IOException;
    }

    private GateBench(String name, String what, long allowed, double share, Commands commands) {
        this.name = name;
        this.what = what;
        this.allowed = allowed;
        this.share = share;
        this.commands = commands;
    }

    /// Returns the row of ordinary commands.
    static Row corpus() {
        return new GateBench(
                "gate-corpus",
                "the gate decides about each of the ordinary commands: p99 of a round; floor: the 0.2 ms it may take",
                200_000,
                0.99,
                context -> Stream.concat(lines(context, "ordinary.txt"), lines(context, "asking.txt"))
                        .toList());
    }

    /// Returns the row of commands that are built to take long.
    static Row hostile() {
        return new GateBench(
                "gate-hostile",
                "the gate decides about hostile lines of 120 000 characters and one of 1 MB: the slowest of a round;"
                        + " floor: the 20 ms it may take",
                20_000_000,
                1,
                context -> Stream.concat(
                                lines(context, "hostile.txt").map(piece -> piece.repeat(HOSTILE / piece.length())),
                                Stream.of("x ".repeat(500_000)))
                        .toList());
    }

    private static Stream<String> lines(BenchContext context, String file) throws IOException {
        return Files.readAllLines(context.home()
                        .resolve("engine/src/test/resources/dev/talaria/engine/gate/rules")
                        .resolve(file))
                .stream()
                .filter(line -> !line.startsWith("# "))
                .map(line -> line.replace('␠', ' ').replace('⏎', '\n'));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String what() {
        return what;
    }

    @Override
    public double bound() {
        return 1;
    }

    @Override
    public Measurement measure(BenchContext context) throws Exception {
        List<ToolContext> calls = commands.of(context).stream()
                .<ToolContext>map(command -> new Call(ToolCall.of("terminal", Map.of("command", command))))
                .toList();
        Settings settings = context.settings();
        try (Sandbox sandbox = local().open(SandboxSpec.empty())) {
            Gate gate = new RuleGate(
                    settings.withApprovals(settings.approvals().withMode(ApprovalMode.DENY)),
                    _ -> sandbox,
                    _ -> Optional.of("/home/me/project"),
                    (_, _) -> {
                        throw new IllegalStateException("no command changes a file as a tool does");
                    },
                    new Approvers(List.of()),
                    Optional.empty(),
                    Redactor.on(),
                    (_, _, _) -> Optional.empty());
            int rounds = Math.max(5, context.rounds(20));
            Sample ours = Pairs.measure(Math.max(rounds, context.warmUp() / 4), rounds, () -> round(gate, calls));
            return Measurement.of(Sample.of(List.of(allowed)), ours)
                    .withNotes(List.of(calls.size() + " commands in a round"));
        }
    }

    private long round(Gate gate, List<ToolContext> calls) {
        List<Long> took = new ArrayList<>();
        for (ToolContext call : calls) {
            long began = System.nanoTime();
            gate.decide(call, effect(call));
            took.add(System.nanoTime() - began);
        }
        Collections.sort(took);
        return took.get((int) Math.ceil(share * took.size()) - 1);
    }

    private static Effect effect(ToolContext call) {
        String command = String.valueOf(call.arguments().get("command"));
        return new Effect.Command(command, Optional.empty(), Optional.empty(), false);
    }

    private static Backend local() throws Unavailable {
        return ServiceLoader.load(Backend.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(backend -> backend.name().equals("local"))
                .findFirst()
                .orElseThrow(() -> new Unavailable("there is no backend local"));
    }

    /// A call that never runs.
    private record Call(ToolCall call) implements ToolContext {
        @Override
        public Deadline deadline() {
            return Deadline.never();
        }

        @Override
        public Cancellation cancellation() {
            return new Cancellation();
        }

        @Override
        public void waitingFor(Supplier<String> what) {}

        @Override
        public void ranIn(String sandbox) {}

        @Override
        public void output(CallEvent.Stream stream, String text) {}
    }
}
