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

/// A tool of the program that builds the engine. If it throws, the call has failed, and its caller reads why. If a
/// built-in tool throws, that is a bug.
///
/// @param tool the program's tool
/// @param replaced the built-in tool of the same name, if there is one; its declarations count where the program's
///     tool makes none
record HostTool(Tool tool, Optional<Tool> replaced) implements Tool {
    private static final Logger LOG = LoggerFactory.getLogger(HostTool.class);

    @Override
    public ToolSpec spec() {
        return tool.spec();
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        boolean closed = replaced.filter(one -> one.forScripts().isEmpty()).isPresent();
        return closed ? Optional.empty() : tool.forScripts();
    }

    @Override
    public Set<String> closedToScripts() {
        Set<String> own = tool.closedToScripts();
        return own.isEmpty() ? replaced.map(Tool::closedToScripts).orElse(own) : own;
    }

    /// Returns what the tool declares, or else what the built-in tool of the same name declares. Any other
    /// tool is the program's own code and counts as harmless.
    @Override
    public Effect effect(Map<String, Object> arguments) {
        return switch (tool.effect(arguments)) {
            case Effect.Undeclared _ ->
                replaced.map(one -> one.effect(arguments)).orElseGet(Effect.Harmless::new);
            case Effect declared -> declared;
        };
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return tool.furtherParameters();
    }

    @Override
    public Masking masking() {
        Masking own = tool.masking();
        return own == Masking.OUTPUT ? replaced.map(Tool::masking).orElse(own) : own;
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
            throw e; // the route has its own results for these
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
