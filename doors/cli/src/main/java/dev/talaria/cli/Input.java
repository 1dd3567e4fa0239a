package dev.talaria.cli;

import dev.talaria.api.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads the texts for commands: from a file, or from stdin for `-`.
final class Input {
    private static final int LARGEST = 64 << 20;

    private Input() {}

    /// Returns the text of a file, or of stdin.
    ///
    /// @param what the name of the text for messages: "the script"
    /// @throws UsageException if there is no such text
    static String text(String file, String what, Console console) {
        if (file.equals("-")) {
            return stdin(what, console);
        }
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            return decode(in, file);
        } catch (NoSuchFileException e) {
            throw new UsageException("there is no file " + file + ". Name " + what + ", or '-' for stdin.");
        } catch (AccessDeniedException e) {
            throw new UsageException("you may not read " + file + ". Check its permissions.");
        } catch (IOException e) {
            String why = Files.isDirectory(Path.of(file)) ? "it is a folder" : Reason.of(e);
            throw new UsageException("cannot read " + file + ": " + why + ". Name " + what + ", or '-' for stdin.");
        }
    }

    private static String stdin(String what, Console console) {
        if (console.inIsTerminal()) {
            console.say("Type " + what + "; Ctrl-D on an empty line ends it.");
        }
        try {
            return decode(console.in(), "stdin");
        } catch (IOException e) {
            throw new UsageException("cannot read stdin: " + Reason.of(e) + ".");
        }
    }

    private static String decode(InputStream in, String name) throws IOException {
        byte[] bytes = in.readNBytes(LARGEST + 1);
        if (bytes.length > LARGEST) {
            throw new UsageException(name + " is larger than 64 MiB. Is it the right one?");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new UsageException(name + " is not UTF-8. Save it as UTF-8.");
        }
    }
}
