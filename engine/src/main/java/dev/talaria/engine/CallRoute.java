package dev.talaria.engine;

import dev.talaria.api.CallEvent;
import dev.talaria.api.CallListener;
import dev.talaria.api.Cancellation;
import dev.talaria.api.Deadline;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.call.CallContext;
import dev.talaria.engine.gate.Gate;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.ResultCap;
import dev.talaria.engine.output.ResultCleaner;
import dev.talaria.engine.sandbox.Sandboxes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/// The one route every call takes, from any door and from running scripts:
///
/// 1. **admit**: is there such a tool, do the arguments fit its schema?
/// 2. **decide**: may this call happen?
/// 3. **plan**, 4. **acquire**, 5. **start**: the tool says what to do, gets its sandbox and does it
/// 6. **clean**: nothing leaves without it
/// 7. **conclude**: one sealed value, one event for listeners and the audit log
public final class CallRoute {
    /// A script's own bound: what it filters out of a large result never reaches the model.
    private static final int NESTED_RESULT_CHARS = 16 << 20;

    private static final int LONGEST_LINE = 500;

    private final Admission admission;
    private final Gate gate;
    private final ResultCleaner cleaner;
    private final int resultChars;
    private final CallListener listener;
    private final ActiveCalls active;
    private final Function<String, List<Map<String, Object>>> notices;
    private final Sandboxes sandboxes;
    private final AtomicReference<List<String>> first; // what the first result tells, whatever it is

    CallRoute(
            Admission admission,
            Gate gate,
            ResultCleaner cleaner,
            int resultChars,
            CallListener listener,
            ActiveCalls active,
            Function<String, List<Map<String, Object>>> notices,
            Sandboxes sandboxes,
            List<String> first) {
        this.admission = admission;
        this.gate = gate;
        this.cleaner = cleaner;
        this.resultChars = resultChars;
        this.listener = listener;
        this.active = active;
        this.notices = notices;
        this.sandboxes = sandboxes;
        this.first = new AtomicReference<>(first);
    }

    /// Takes a call from step 1 to step 7. It never throws for what a caller, a tool or the world did.
    ToolResult take(ToolCall call, Deadline outer, Cancellation cancellation) {
        Deadline deadline = call.limit().map(outer::atMost).orElse(outer);
        try (CallContext context = new CallContext(call, deadline, cancellation, listener)) {
            if (call.parent().isPresent()) {
                return through(context); // its script keeps the sandbox open
            }
            try (var _ = sandboxes.use(call.caller().session(), what -> context.preparing(what.map(this::line)))) {
                return through(context);
            }
        }
    }

    /// Returns a line that a backend said, cleaned: what it says may come from a registry.
    private String line(String said) {
        String clean = cleaner.clean(said.substring(0, Math.min(LONGEST_LINE, said.length())), Redactor.Mode.CODE);
        return clean.lines().findFirst().orElse("").strip();
    }

    private ToolResult through(CallContext context) {
        ToolCall call = context.call();
        try {
            return switch (admission.admit(call)) {
                case Admission.Admitted.No no -> conclude(context, clean(call, no.failure()), "not admitted");
                case Admission.Admitted.Yes yes -> decide(context, yes.tool());
            };
        } catch (GaveUpException e) {
            return conclude(context, clean(call, e.result(call.limit().orElse(context.elapsed()))), "failed");
        } catch (RuntimeException e) { // a gate or a schema that fails lets nothing through
            return conclude(context, clean(call, bug(call, e)), "failed");
        }
    }

    private ToolResult decide(CallContext context, Tool tool) {
        Gate.Decision decision;
        try {
            decision = gate.decide(context);
        } catch (SandboxException e) { // it has to know where a call would run
            return conclude(context, clean(context.call(), failed(tool, e)), "failed");
        }
        return switch (decision) {
            case Gate.Decision.Refused refused ->
                conclude(context, clean(context.call(), refusal(context, tool, refused)), refused.word());
            case Gate.Decision.Awaiting awaiting ->
                conclude(context, clean(context.call(), awaiting(tool, awaiting)), awaiting.word());
            case Gate.Decision.Allowed allowed -> {
                listener.on(new CallEvent.Started(context.call(), Instant.now()));
                ToolResult ran = run(context, tool);
                ToolResult told = ResultRemarks.on(ran, tool, context, allowed.note(), news(context.call()));
                yield conclude(context, clean(context.call(), told), allowed.word());
            }
        };
    }

    /// A call that was taken back while somebody was asked about it was not denied by them.
    private static ToolResult refusal(CallContext context, Tool tool, Gate.Decision.Refused refused) {
        Map<String, Object> value = tool.refused(refused.value());
        return context.cancellation()
                .reason()
                .<ToolResult>map(reason -> new ToolResult.Cancelled(reason, value))
                .orElseGet(() -> new ToolResult.Denied(refused.reason(), value));
    }

    /// Whatever the tool says of a refusal, the status tells that this is none yet.
    private static ToolResult awaiting(Tool tool, Gate.Decision.Awaiting awaiting) {
        Map<String, Object> value = new LinkedHashMap<>(tool.refused(awaiting.value()));
        value.putAll(awaiting.value());
        return new ToolResult.AwaitingApproval(awaiting.approval(), value);
    }

    private static ToolResult failed(Tool tool, SandboxException e) {
        String message = String.valueOf(e.getMessage());
        return new ToolResult.Failed(e.code(), message, tool.failed(e.code(), message));
    }

    private ToolResult run(CallContext context, Tool tool) {
        active.add(context);
        try {
            if (context.cancellation().cancelled()) {
                String reason = context.cancellation().reason().orElse("cancelled");
                return new ToolResult.Cancelled(reason, Map.of("error", "Cancelled before it began: " + reason));
            }
            return tool.call(context);
        } catch (SandboxException e) {
            return failed(tool, e);
        } catch (GaveUpException e) {
            return e.result(context.call().limit().orElse(context.elapsed()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ToolResult.Cancelled("interrupted", Map.of("error", "Interrupted."));
        } catch (Exception e) {
            return bug(context.call(), e);
        } catch (Error e) { // a tool's own, as a rule: the caller must hear of it, whatever it is
            return bug(context.call(), e);
        } finally {
            active.remove(context);
        }
    }

    /// What nobody declared is our bug and is logged with the call's id.
    private static ToolResult bug(ToolCall call, Throwable e) {
        return HostTool.failure(call, ErrorCode.INTERNAL, e);
    }

    private ToolResult clean(ToolCall call, ToolResult result) {
        Redactor.Mode mode = call.tool().equals("read_file") ? Redactor.Mode.FILE_READ : Redactor.Mode.CODE;
        Map<String, Object> cleaned = cleaner.clean(withNotices(call, result.value()), mode);
        return result.withValue(ResultCap.cap(cleaned, call.parent().isPresent() ? NESTED_RESULT_CHARS : resultChars));
    }

    /// Adds what the session is to be told besides. A script's call does not: its caller would never hear of it.
    private Map<String, Object> withNotices(ToolCall call, Map<String, Object> value) {
        if (call.parent().isPresent()) {
            return value;
        }
        List<Map<String, Object>> told = notices.apply(call.caller().session());
        List<String> configuration = first.getAndSet(List.of());
        if (told.isEmpty() && configuration.isEmpty()) {
            return value;
        }
        Map<String, Object> more = new LinkedHashMap<>(value);
        if (!configuration.isEmpty()) {
            more.put("configuration", configuration);
        }
        if (!told.isEmpty()) {
            more.put("notices", told);
        }
        return more;
    }

    /// A script's call tells nothing of the sandbox, either: its caller hears it from the script's own result.
    private Map<String, Object> news(ToolCall call) {
        return call.parent().isPresent()
                ? Map.of()
                : sandboxes.takeNews(call.caller().session());
    }

    private ToolResult conclude(CallContext context, ToolResult result, String decision) {
        listener.on(new CallEvent.Ended(
                context.call(), result, context.elapsed(), decision, context.place(), Instant.now()));
        return result;
    }
}
