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

/// What a command reads from and writes to. Tests bring their own.
///
/// @param inIsTerminal whether a person types what is read
/// @param outIsTerminal whether a person reads what is printed
/// @param errIsTerminal whether a person reads what is said beside that
/// @param environment the variables of this process
public record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Map<String, String> environment) {

    /// Returns a console that is no terminal.
    public static Console piped(InputStream in, PrintStream out, PrintStream err, Map<String, String> environment) {
        return new Console(in, out, err, false, false, false, environment);
    }

    /// Returns this process's own. Output is UTF-8 whatever the locale says: JSON and scripts' output are.
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

    /// The JDK can only tell for all three at once, and loads a line editor to do so.
    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false; // closed
        }
    }

    /// Returns whether escape sequences are understood on stderr.
    boolean draws() {
        return errIsTerminal && !"dumb".equals(environment.get("TERM"));
    }

    /// Returns whether stderr may be coloured (see no-color.org).
    boolean colours() {
        return draws() && noColour().isEmpty();
    }

    /// Returns whether stdout may be coloured.
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

    /// Prints what is clean already, as it is.
    void print(String text) {
        out.print(text);
        out.flush();
    }

    /// Prints to stderr what is clean already, as it is.
    void printErr(String text) {
        err.print(text);
        err.flush();
    }

    /// Prints a line. Whatever others have put into it, a terminal does not obey it.
    void println(String line) {
        println("", line);
    }

    /// @param ours stands before it, as it is
    void println(String ours, String line) {
        out.println(ours + PlainText.of(line));
        out.flush();
    }

    /// Tells the person at the terminal something that is not part of the output. What others have put into it is not
    /// obeyed, either.
    void say(String line) {
        say("", line);
    }

    /// @param ours stands before it, as it is
    void say(String ours, String line) {
        err.println(ours + PlainText.of(line));
        err.flush();
    }
}
