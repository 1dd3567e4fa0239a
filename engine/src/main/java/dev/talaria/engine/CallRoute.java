package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Gate;
import dev.talaria.api.Gate.Decision;
import dev.talaria.api.Masking;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Admission.Admitted;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.ResultCap;
import dev.talaria.engine.output.ResultCleaner;
import dev.talaria.engine.sandbox.Sandboxes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one route every call takes, from any door and from running scripts:
///
/// 1. **admit**: the tool exists and the arguments fit its schema
/// 2. **decide**: the gate says whether the call may happen
/// 3. **run**: the tool does its work, in the session's sandbox if it needs one
/// 4. **clean**: secrets, escape sequences and excess are removed from the result
/// 5. **conclude**: listeners and the audit log get one event, the caller gets the result
final class CallRoute {
    private static final Logger LOG = LoggerFactory.getLogger(CallRoute.class);

    /// The limit for results that scripts read. A script may filter a large result before the model sees
    /// anything of it.
    private static final int NESTED_RESULT_CHARS = 16 << 20;

    private static final int LONGEST_LINE = 500;

    private final Admission admission;
    private final Gate gate;
    private final ActiveCalls active;
    private final Sandboxes sandboxes;
    private final ResultRemarks remarks;
    private final ResultCleaner cleaner;
    private final int resultChars;
    private final CallListener listener;

    CallRoute(
            Admission admission,
            Gate gate,
            ActiveCalls active,
            Sandboxes sandboxes,
            ResultRemarks remarks,
            ResultCleaner cleaner,
            int resultChars,
            CallListener listener) {
        this.admission = admission;
        this.gate = gate;
        this.active = active;
        this.sandboxes = sandboxes;
        this.remarks = remarks;
        this.cleaner = cleaner;
        this.resultChars = resultChars;
        this.listener = listener;
    }

    /// Takes a call from its first step to its last. It throws nothing, whatever a caller, a tool or a sandbox
    /// does.
    ToolResult take(ToolCall call, Deadline outer, Cancellation cancellation) {
        Deadline deadline = call.limit().map(outer::atMost).orElse(outer);
        try (CallContext context = new CallContext(call, deadline, cancellation, listener);
                var _ = sandboxKeptOpen(context)) {
            return conclude(context, cleanResult(context));
        }
    }

    /// Takes a call through the first four steps. Every failure of a step becomes a result here.
    private ToolResult cleanResult(CallContext context) {
        try {
            Tool tool = admit(context);
            decide(context, tool);
            return clean(context, run(context, tool));
        } catch (Exception | Error e) { // a gate or a schema that fails lets nothing through
            return clean(context, failure(context, e));
        }
    }

    private Tool admit(CallContext context) throws StoppedException {
        Admitted admitted = admission.admit(context.call());
        context.admitted(admitted);
        return admitted.tool();
    }

    private void decide(CallContext context, Tool tool) throws StoppedException {
        switch (gate.decide(context, tool.effect(context.arguments()))) {
            case Decision.Refused refused ->
                throw new StoppedException(refusal(context, tool, refused), refused.word());
            case Decision.Awaiting awaiting -> throw new StoppedException(awaiting(tool, awaiting), awaiting.word());
            case Decision.Allowed allowed -> context.allowed(allowed);
        }
    }

    private ToolResult run(CallContext context, Tool tool) throws Exception {
        listener.on(new CallEvent.Started(context.call(), Instant.now()));
        active.add(context);
        try {
            Optional<String> cancelled = context.cancellation().reason();
            return cancelled.isEmpty()
                    ? Objects.requireNonNull(tool.call(context), "The tool returned nothing.")
                    : new ToolResult.Cancelled(
                            cancelled.get(), Map.of("error", "Cancelled before it began: " + cancelled.get()));
        } finally {
            active.remove(context);
        }
    }

    private ToolResult clean(CallContext context, ToolResult result) {
        ToolCall call = context.call();
        ToolResult remarked = remarks.on(result, context);
        Masking masking = context.admitted().map(Admitted::masking).orElse(Masking.OUTPUT);
        Map<String, Object> cleaned = cleaner.clean(remarks.withNotices(call, remarked.value()), masking);
        int most = call.parent().isPresent() ? NESTED_RESULT_CHARS : resultChars;
        return remarked.withValue(ResultCap.cap(cleaned, most));
    }

    private ToolResult conclude(CallContext context, ToolResult result) {
        listener.on(new CallEvent.Ended(
                context.call(), result, context.elapsed(), context.decision(), context.sandbox(), Instant.now()));
        return result;
    }

    /// Keeps the session's sandbox open while a call may use it. A script keeps it open for its own calls.
    private Sandboxes.Use sandboxKeptOpen(CallContext context) {
        return context.call().parent().isPresent()
                ? () -> {}
                : sandboxes.use(
                        context.call().caller().session(),
                        what -> context.preparing(
                                new CallEvent.Preparing(context.call(), what.map(this::progressLine))));
    }

    /// Returns a line of a backend's progress, cleaned, since its text may come from a registry.
    private String progressLine(String said) {
        String clean = cleaner.clean(said.substring(0, Math.min(LONGEST_LINE, said.length())), Redactor.Mode.CODE);
        return clean.lines().findFirst().orElse("").strip();
    }

    /// Returns the result of a call that was not allowed. If the caller cancelled it while a person was asked,
    /// the result says cancelled, not denied.
    private static ToolResult refusal(CallContext context, Tool tool, Decision.Refused refused) {
        Map<String, Object> value = tool.refused(refused.value());
        return context.cancellation()
                .reason()
                .<ToolResult>map(reason -> new ToolResult.Cancelled(reason, value))
                .orElseGet(() -> new ToolResult.Denied(refused.reason(), value));
    }

    /// Returns the result of a call that waits for an approval. Its status says that nobody has refused it.
    private static ToolResult awaiting(Tool tool, Decision.Awaiting awaiting) {
        Map<String, Object> value = new LinkedHashMap<>(tool.refused(awaiting.value()));
        value.putAll(awaiting.value());
        return new ToolResult.AwaitingApproval(awaiting.approval(), value);
    }

    private static ToolResult failure(CallContext context, Throwable e) {
        Optional<Tool> tool = context.admitted().map(Admitted::tool);
        return switch (e) {
            case StoppedException stopped -> {
                context.decision(stopped.decision());
                yield stopped.result();
            }
            case InterruptedException _ -> {
                Thread.currentThread().interrupt();
                yield new ToolResult.Cancelled("interrupted", Map.of("error", "Interrupted."));
            }
            case GaveUpException gaveUp -> gaveUp.result(context.call().limit().orElse(context.elapsed()));
            case SandboxException problem
            when tool.isPresent() -> {
                String message = String.valueOf(problem.getMessage());
                yield new ToolResult.Failed(problem.code(), message, failedValue(tool.get(), problem.code(), message));
            }
            default -> HostTool.failure(context.call(), ErrorCode.INTERNAL, e); // undeclared: a bug of Talaria
        };
    }

    private static Map<String, Object> failedValue(Tool tool, ErrorCode code, String message) {
        try {
            return tool.failed(code, message);
        } catch (RuntimeException e) {
            LOG.warn("The tool {} does not say how it failed", tool.spec().name(), e);
            return Map.of("error", message);
        }
    }
}
