package dev.talaria.cli;

import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.admin.ProcessConnection;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// `talaria attach`: connects the terminal to a surviving process.
final class AttachCommand implements CliCommand {
    /// Ctrl-], as in telnet. Hardly any program uses it.
    private static final byte LEAVE = 0x1d;

    @Override
    public Syntax syntax() {
        return new Syntax(
                "attach",
                "Connects your terminal to a background process. Ctrl-] or the end of stdin leaves it, and the process goes"
                        + " on. An ID may be shortened. Exit code: that of the process if it ends meanwhile.",
                List.of("ID"),
                1,
                List.of(),
                List.of("talaria attach 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) throws IOException {
        ListedProcess process = PsCommand.find(given, console);
        if (process.endsWith().isPresent()) {
            throw PsCommand.belongs(process, "attached to");
        }
        if (!process.status().equals("running")) {
            throw new UsageException(
                    process.id() + " has ended. 'talaria logs " + process.id() + "' shows what it printed.");
        }
        console.say("[attached to " + process.id() + ": Ctrl-] leaves]");
        CompletableFuture<Boolean> left = new CompletableFuture<>();
        String last = "";
        try (ProcessConnection attached = process.connect(bytes -> {
                            console.out().write(bytes, 0, bytes.length);
                            console.out().flush();
                        })
                        .orElseThrow(() -> PsCommand.belongs(process, "attached to"));
                RawTerminal _ = console.inIsTerminal() && attached.pty()
                        ? RawTerminal.open(attached::resize)
                        : RawTerminal.none()) {
            attached.onEnd(() -> left.complete(false));
            // platform: a read of the terminal blocks its carrier
            Thread.ofPlatform().daemon().name("attach-input").start(() -> type(console, attached, left));
            if (left.join()) {
                last = "\n[left " + process.id() + ", which runs on]";
                return ExitCode.SUCCESS.number();
            }
            return attached.await().orElse(ExitCode.FAILED.number());
        } finally {
            console.say(last);
        }
    }

    private static void type(Console console, ProcessConnection attached, CompletableFuture<Boolean> left) {
        byte[] buffer = new byte[4096];
        try {
            for (int count = console.in().read(buffer);
                    count >= 0;
                    count = console.in().read(buffer)) {
                int leave = leave(buffer, count);
                if (leave != 0) {
                    attached.type(Arrays.copyOf(buffer, leave > 0 ? leave : count));
                }
                if (leave >= 0) {
                    break;
                }
            }
        } catch (IOException e) {
            // The terminal is gone, and so is the connection to the process.
        }
        left.complete(true);
    }

    private static int leave(byte[] typed, int count) {
        for (int i = 0; i < count; i++) {
            if (typed[i] == LEAVE) {
                return i;
            }
        }
        return -1;
    }
}
