package dev.talaria.cli;

import dev.talaria.api.Cancellation;
import java.util.concurrent.atomic.AtomicInteger;
import org.jline.utils.Signals;

/// Turns Ctrl-C or TERM into the cancellation of a call, so that its output is kept. The second signal kills this
/// process at once. The relay then ends what it has started.
final class Interrupts implements AutoCloseable {
    private final Cancellation cancellation;
    private final Console console;
    private final Runnable beforeSaying;
    private final AtomicInteger count = new AtomicInteger();
    private final Object previousInt;
    private final Object previousTerm;

    Interrupts(Cancellation cancellation, Console console, Runnable beforeSaying) {
        this.cancellation = cancellation;
        this.console = console;
        this.beforeSaying = beforeSaying;
        this.previousInt = Signals.register("INT", () -> interrupt("Ctrl-C", ExitCode.INTERRUPTED.number()));
        this.previousTerm = Signals.register("TERM", () -> interrupt("Talaria was asked to end", 128 + 15));
    }

    private void interrupt(String reason, int exitCode) {
        beforeSaying.run();
        if (count.getAndIncrement() > 0) {
            console.say("Killed.");
            Runtime.getRuntime().halt(exitCode);
        }
        console.say("Interrupting; again kills at once.");
        cancellation.cancel(reason);
    }

    @Override
    public void close() {
        Signals.unregister("INT", previousInt);
        Signals.unregister("TERM", previousTerm);
    }
}
