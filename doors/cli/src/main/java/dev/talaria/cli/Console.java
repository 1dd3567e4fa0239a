package dev.talaria.cli;

import dev.talaria.cli.log.PlainText;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The streams and the environment of a command. Tests use their own.
///
/// @param inIsTerminal whether a person types the input
/// @param outIsTerminal whether a person reads stdout
/// @param errIsTerminal whether a person reads stderr
/// @param environment the variables of this process
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment) {

    /// Returns a console without a terminal.
    public static Console piped(InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {
        return new Console(in, out, err, false, false, false, environment);
    }

    /// Returns the console of this process. Its output is UTF-8 in every locale, like JSON and the output of
    /// scripts.
    static Console ofProcess() {
        return new Console(
                System.in,
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                isTerminal(0),
                isTerminal(1),
                isTerminal(2),
                System.getenv());
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(
                new BufferedOutputStream(new FileOutputStream(descriptor), 8192), false, StandardCharsets.UTF_8);
    }

    /// Returns whether a descriptor is a terminal. The JDK only tells for all three together, and loads a line
    /// editor for it.
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false; // closed
        }
    }

    /// Returns whether stderr understands escape sequences.
    boolean draws() {
        return errIsTerminal && !"dumb".equals(environment.get("TERM"));
    }

    /// Returns whether stderr may have colours (see no-color.org).
    boolean colours() {
        return draws() && noColour().isEmpty();
    }

    /// Returns whether stdout may have colours.
    boolean paintsOut() {
        return outIsTerminal
                && !"dumb".equals(environment.get("TERM"))
                && noColour().isEmpty();
    }

    private String noColour() {
        return environment.getOrDefault("NO_COLOR", "");
    }

    boolean debug() {
        return "1".equals(environment.get(DEBUG));
    }

    /// The variable that shows stack traces.
    static final String DEBUG = "TALARIA_DEBUG";

    /// Prints text that is already clean.
    void print(String text) {
        out.print(text);
        out.flush();
    }

    /// Prints text that is already clean to stderr.
    void printErr(String text) {
        err.print(text);
        err.flush();
    }

    /// Prints a line. Escape sequences of others in it have no effect on the terminal.
    void println(String line) {
        println("", line);
    }

    /// @param ours our own text before the line, printed unchanged
    void println(String ours, String line) {
        out.println(ours + PlainText.of(line));
        out.flush();
    }

    /// Tells the person at the terminal something that is not part of the output. Escape sequences of others
    /// have no effect.
    void say(String line) {
        say("", line);
    }

    /// @param ours our own text before the line, printed unchanged
    void say(String ours, String line) {
        err.println(ours + PlainText.of(line));
        err.flush();
    }
}
