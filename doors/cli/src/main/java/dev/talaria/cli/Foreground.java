package dev.talaria.cli;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;

/// Runs one call while a person or a program waits: shows it live, and takes it back at Ctrl-C.
final class Foreground {
    private final Console console;
    private final boolean live;
    private boolean warned; // the calling thread only

    /// @param live whether output is shown line by line as it comes
    Foreground(Console console, boolean live) {
        this.console = console;
        this.live = live;
    }

    ToolResult call(Engine engine, ToolCall call) {
        ToolResult result = run(engine, call);
        if (console.errIsTerminal() && !warned && "none".equals(result.value().get("isolation"))) {
            warned = true; // for people; programs read it in the result
            console.say("note: nothing isolates this backend: scripts and commands are you.");
        }
        return result;
    }

    private ToolResult run(Engine engine, ToolCall call) {
        QuickExit.prepare();
        Cancellation cancellation = new Cancellation();
        if (!live && !console.draws()) {
            try (var _ = engine.ask(new TerminalApprover(console, () -> () -> {}));
                    var _ = new Interrupts(cancellation, console, () -> {})) {
                return engine.call(call, cancellation);
            }
        }
        try (LiveView view = new LiveView(console, live);
                var _ = engine.listen(view);
                var _ = engine.ask(new TerminalApprover(console, view));
                var _ = new Interrupts(cancellation, console, view::erase)) {
            view.begin();
            return engine.call(call, cancellation);
        }
    }
}
