package dev.talaria.engine;

import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Masking;
import dev.talaria.api.Reason;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A tool that is not ours: when it throws, it has failed and tells its caller why. When one of ours does, that is a
/// bug.
record HostTool(Tool tool) implements Tool {
    private static final Logger LOG = LoggerFactory.getLogger(HostTool.class);

    @Override
    public ToolSpec spec() {
        return tool.spec();
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return tool.forScripts();
    }

    @Override
    public Set<String> closedToScripts() {
        return tool.closedToScripts();
    }

    /// What a program registers is its own code: it runs unless it says otherwise.
    @Override
    public Effect effect(Map<String, Object> arguments) {
        return switch (tool.effect(arguments)) {
            case Effect.Undeclared _ -> new Effect.Harmless();
            case Effect declared -> declared;
        };
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return tool.furtherParameters();
    }

    @Override
    public Masking masking() {
        return tool.masking();
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        return tool.objection(arguments);
    }

    @Override
    public Map<String, Object> objected(String message) {
        return tool.objected(message);
    }

    @Override
    public Map<String, Object> failed(ErrorCode code, String message) {
        return tool.failed(code, message);
    }

    @Override
    public Map<String, Object> refused(Map<String, Object> value) {
        return tool.refused(value);
    }

    @Override
    public ToolResult call(ToolContext context) throws InterruptedException {
        try {
            return tool.call(context);
        } catch (SandboxException | InterruptedException e) {
            throw e; // these have results of their own
        } catch (Exception e) {
            return failure(context.call(), ErrorCode.TOOL_FAILED, e);
        }
    }

    static ToolResult failure(ToolCall call, ErrorCode code, Throwable e) {
        LOG.warn("Tool {} failed in call {}: {}", call.tool(), call.id(), e.toString());
        LOG.debug("Call {}", call.id(), e);
        return ToolResult.failed(code, e.getMessage() == null ? Reason.of(e) : e.getMessage());
    }
}
