package dev.talaria.engine.tool.terminal;

import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.TerminalSettings;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.Retries;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.shell.CommandSetup;
import dev.talaria.engine.sudo.SudoPasswords;
import dev.talaria.engine.tool.process.BackgroundFlags;
import dev.talaria.engine.tool.process.BackgroundTerminal;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The tool `terminal`: {@link ForegroundTerminal} waits for a command's end, {@link BackgroundTerminal} does not.
public final class TerminalTool implements Tool {
    /// The name that models and scripts call the tool by.
    public static final String NAME = "terminal";

    private final SpecFile spec;
    private final TerminalSettings settings;
    private final Sandboxes sandboxes;
    private final ForegroundTerminal foreground;
    private final BackgroundTerminal background;

    public TerminalTool(
            TerminalSettings settings,
            CommandSetup setup,
            Sandboxes sandboxes,
            Redactor redactor,
            Function<String, SessionOutput> sessions,
            BackgroundTerminal background,
            SudoPasswords passwords) {
        this.spec = SpecFile.read(TerminalTool.class, NAME, settings.told());
        this.settings = settings;
        this.sandboxes = sandboxes;
        this.foreground = new ForegroundTerminal(setup, redactor, sessions, background, passwords);
        this.background = background;
    }

    @Override
    public ToolSpec spec() {
        return spec.forModels();
    }

    @Override
    public Optional<ToolSpec> forScripts() {
        return Optional.of(spec.forScripts());
    }

    /// Returns the parameters for background processes: a script ends soon, and its processes end with it.
    @Override
    public Set<String> closedToScripts() {
        return Set.of(
                "background",
                "pty",
                "notify",
                "notify_on_complete",
                "watch_patterns",
                "heartbeat",
                "persist_on_release");
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        return new Effect.Command(
                JsonFields.text(arguments, "command").orElse(""),
                JsonFields.filled(arguments, "workdir"),
                switch (arguments.get("stdin_data")) {
                    case String text -> Optional.of(text);
                    case byte[] bytes -> Optional.of(new String(bytes, StandardCharsets.UTF_8));
                    case null, default -> Optional.empty();
                },
                JsonFields.isTrue(arguments, "background"));
    }

    @Override
    public Optional<Set<String>> furtherParameters() {
        return Optional.of(Set.of(
                "notify_on_complete", "watch_patterns", "check_interval", "trim", "force", "task_id", "session_id"));
    }

    @Override
    public Optional<String> objection(Map<String, Object> arguments) {
        return TerminalRequest.objection(arguments, settings.timeout().standard())
                .or(() -> BackgroundFlags.objection(arguments));
    }

    @Override
    public Map<String, Object> objected(String message) {
        return TerminalFailure.value(ErrorCode.INVALID_ARGUMENT, message);
    }

    @Override
    public Map<String, Object> failed(ErrorCode code, String message) {
        return TerminalFailure.value(code, message);
    }

    @Override
    public ToolResult call(ToolContext context) {
        TerminalRequest request = TerminalRequest.of(context.call(), settings.timeout());
        Patience patience = Patience.of(context).atMost(request.timeout());
        return Retries.of(
                () -> attempt(context, request, patience),
                (pause, problem) -> pause(context, patience, pause, problem));
    }

    private void pause(ToolContext context, Patience patience, Duration pause, SandboxException problem) {
        sandboxes.suspect(context.call().caller().session());
        if (patience.deadline().remaining().compareTo(pause) < 0) {
            throw Retries.settled(problem);
        }
        patience.pause(pause);
    }

    private ToolResult attempt(ToolContext context, TerminalRequest request, Patience patience) {
        if (BackgroundFlags.isBackground(context.arguments())) {
            return background.call(context);
        }
        Duration ceiling = settings.timeout().ceiling();
        Optional<Duration> tooLong =
                TerminalRequest.asked(context.arguments()).filter(asked -> asked.compareTo(ceiling) > 0);
        boolean mayGoOn = mayGoOn(context, request);
        if (tooLong.isPresent() && mayGoOn) {
            return background.promoted(context, tooLong.get(), ceiling);
        }
        return foreground.run(context, request, mayGoOn, patience);
    }

    /// Returns whether a command may become a background process: the session must be able to look after it.
    private boolean mayGoOn(ToolContext context, TerminalRequest request) {
        return settings.promote()
                && !context.call().caller().oneShot()
                && context.call().parent().isEmpty()
                && request.input().isEmpty();
    }
}
