package dev.talaria.engine.tool.files;

import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Masking;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.output.CleanText;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.output.ResultCleaner;
import dev.talaria.engine.output.SecretFiles;
import dev.talaria.engine.output.SessionOutput;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The tool `read_file`: reads lines of a text file in the sandbox. The session's spill files are read on the host.
public final class ReadFileTool implements Tool {
    /// The name that models and scripts call the tool by.
    public static final String NAME = "read_file";

    private static final int LINES = 2000;
    private static final long MOST_BYTES = 64L << 20;
    private static final int SNIFF = 8192;
    private static final int SMALL = 8192;
    private static final int ROOM_FOR_THE_REST = 2000;

    private final ToolSpec spec = SpecFile.read(ReadFileTool.class, NAME).forModels();
    private final Sandboxes sandboxes;
    private final HostFolders folders;
    private final Redactor redactor;
    private final ResultCleaner cleaner;
    private final int pageChars;
    private final Function<String, SessionOutput> sessions;

    /// Creates the tool.
    ///
    /// @param redactor hides secrets, and more of them in files like `.env`
    /// @param resultChars the most characters of a result for a model
    public ReadFileTool(
            Sandboxes sandboxes,
            HostFolders folders,
            Redactor redactor,
            int resultChars,
            Function<String, SessionOutput> sessions) {
        this.sandboxes = sandboxes;
        this.folders = folders;
        this.redactor = redactor;
        this.cleaner = new ResultCleaner(redactor);
        this.pageChars = Math.max(resultChars / 2, resultChars - ROOM_FOR_THE_REST);
        this.sessions = sessions;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        return new Effect.Harmless();
    }

    @Override
    public Masking masking() {
        return Masking.FILE;
    }

    @Override
    public ToolResult call(ToolContext context) {
        String path = String.valueOf(context.arguments().get("path"));
        int offset = Math.max(1, number(context, "offset").orElse(1));
        int limit = Math.clamp(number(context, "limit").orElse(LINES), 1, LINES);
        Optional<Redactor.Mode> spill = ownSpill(context, path);
        byte[] bytes = spill.isPresent() ? readHere(Path.of(path)) : read(context, path);
        if (binary(bytes) && spill.isEmpty()) {
            return ToolResult.failed(
                    ErrorCode.FILE_REFUSED, path + " is not a text file. Use terminal to look at it, e.g. with xxd.");
        }
        boolean secret = spill.map(Redactor.Mode.FULL::equals).orElseGet(() -> SecretFiles.isSecret(path));
        Redactor.Mode mode = secret ? Redactor.Mode.SECRET_FILE : Redactor.Mode.FILE_READ;
        if (context.call().parent().isPresent()) { // a script filters by itself, and needs the real content
            return new ToolResult.Completed(value(bytes.length, TextPage.of(bytes, offset, limit), mode, offset, ""));
        }
        UnaryOperator<String> mask = line -> redactor.redact(line, mode);
        Optional<byte[]> folded = spill.isPresent() ? LongLines.fold(bytes, mask) : Optional.empty();
        TextPage page = TextPage.of(folded.orElse(bytes), offset, limit).within(pageChars, mask);
        return new ToolResult.Completed(value(
                bytes.length,
                page,
                mode,
                offset,
                folded.isPresent() ? " Lines longer than " + LongLines.LONGEST + " characters are folded." : ""));
    }

    private Map<String, Object> value(int size, TextPage page, Redactor.Mode mode, int offset, String note) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("content", new CleanText(cleaner.clean(page.content(), mode)));
        value.put("total_lines", page.totalLines());
        value.put("file_size", size);
        int next = offset + page.shown();
        boolean more = next <= page.totalLines() && page.shown() > 0;
        boolean cut = page.fit() == TextPage.Fit.PART_OF_A_LINE;
        value.put("truncated", next <= page.totalLines() || cut);
        if (page.fit() != TextPage.Fit.LINES) {
            value.put("truncated_by", "bytes");
        }
        if (cut) {
            value.put("truncated_lines", true);
        }
        if (more) {
            value.put("next_offset", next);
        }
        String hint = (more
                        ? "Lines " + offset + "-" + (next - 1) + " of " + page.totalLines() + ". Use offset=" + next
                                + " to read on."
                        : "")
                + (cut
                        ? " Line " + offset + " is cut; see the rest of it with terminal, e.g. sed -n " + offset
                                + "p FILE | cut -c " + (page.content().length() + 1) + "-"
                        : "")
                + note;
        if (!hint.isEmpty()) {
            value.put("hint", hint.strip());
        }
        return value;
    }

    private byte[] read(ToolContext context, String path) {
        String session = context.call().caller().session();
        Patience patience = Patience.of(context);
        SandboxLease lease = sandboxes.enter(session, patience);
        context.ranIn(lease.sandbox().name());
        return lease.sandbox().sharesHost()
                ? readHere(folders.toRead(lease, path, sessions.apply(session).spills()::owns))
                : SandboxFiles.read(lease, path, MOST_BYTES, patience);
    }

    /// Returns how a spill file of the session is masked; empty if the path is no such file.
    private Optional<Redactor.Mode> ownSpill(ToolContext context, String path) {
        return path.startsWith("/") && path.indexOf('\0') < 0
                ? sessions.apply(context.call().caller().session()).spills().modeOf(Path.of(path))
                : Optional.empty();
    }

    private static byte[] readHere(Path file) {
        try {
            BasicFileAttributes state = Files.readAttributes(file, BasicFileAttributes.class);
            if (!state.isRegularFile()) {
                String what = state.isDirectory() ? "a folder" : "not a regular file";
                throw new SandboxException(
                        ErrorCode.FILE_REFUSED, file + " is " + what + ". Use terminal to look at it.");
            }
            if (state.size() > MOST_BYTES) {
                throw new SandboxException(
                        ErrorCode.FILE_REFUSED,
                        file + " has " + state.size() + " bytes; at most " + MOST_BYTES
                                + " can be read at once. Use terminal with head, tail or grep.");
            }
            return content(file, state.size());
        } catch (NoSuchFileException e) {
            throw new SandboxException(ErrorCode.FILE_NOT_FOUND, "There is no file " + file + ".", e);
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /// Reads a file. A plain stream reads small files, with fewer system calls than `Files`.
    private static byte[] content(Path file, long size) throws IOException {
        if (size == 0 || size > SMALL) { // files of /proc report 0 and have more
            return Files.readAllBytes(file);
        }
        try (InputStream in = new FileInputStream(file.toFile())) {
            byte[] bytes = new byte[(int) size];
            int length = in.read(bytes);
            return length == size ? bytes : Files.readAllBytes(file); // the file changed meanwhile
        }
    }

    private static boolean binary(byte[] bytes) {
        for (int at = 0; at < Math.min(SNIFF, bytes.length); at++) {
            if (bytes[at] == 0) {
                return true;
            }
        }
        return false;
    }

    private static Optional<Integer> number(ToolContext context, String name) {
        return context.arguments().get(name) instanceof Number number
                ? Optional.of(number.intValue())
                : Optional.empty();
    }
}
