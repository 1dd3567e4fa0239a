package dev.talaria.cli;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;

/// Runs one call while somebody waits: it shows the call live, and cancels it at Ctrl-C.
final class Foreground {
    private final Console console;
    private final boolean live;
    private boolean warned; // the calling thread only

    /// @param live whether each line of output is shown as it arrives
    Foreground(Console console, boolean live) {
        this.console = console;
        this.live = live;
    }

    ToolResult call(Engine engine, ToolCall call) {
        ToolResult result = run(engine, call);
        if (console.errIsTerminal() && !warned && "none".equals(result.value().get("isolation"))) {
            warned = true; // for people; programs find it in the result
            console.say("note: nothing isolates this backend: scripts and commands are you.");
        }
        return result;
    }

    private ToolResult run(Engine engine, ToolCall call) {
        QuickExit.prepare();
        Cancellation cancellation = new Cancellation();
        try (LiveView view = new LiveView(console, live);
                Engine.Registration _ = live || console.draws() ? engine.listen(view) : () -> {}) {
            Terminal terminal = new Terminal(console, view);
            TerminalPassword password = new TerminalPassword(console, terminal);
            try (var _ = engine.ask(new TerminalApprover(console, terminal));
                    var _ = engine.askPassword(password);
                    var _ = new Interrupts(cancellation, console, () -> interrupted(view, password))) {
                view.begin();
                return engine.call(call, cancellation);
            }
        }
    }

    private static void interrupted(LiveView view, TerminalPassword password) {
        view.erase();
        password.show();
    }
}
