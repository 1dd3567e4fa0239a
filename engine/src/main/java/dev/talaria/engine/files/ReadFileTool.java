package dev.talaria.engine.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.Session;
import dev.talaria.engine.acquire.Sandboxes;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.stubs.BuiltInTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Reads lines of a text file where commands run; spill files of the session are read from the host everywhere.
public final class ReadFileTool implements Tool {
    private static final int LINES = 2000;
    private static final long MOST_BYTES = 64L << 20;
    private static final int SNIFF = 8192;

    private final ToolSpec spec = BuiltInTools.find("read_file").orElseThrow();
    private final Sandboxes sandboxes;
    private final HostFolders folders;
    private final Function<String, Session> sessions;

    public ReadFileTool(Sandboxes sandboxes, HostFolders folders, Function<String, Session> sessions) {
        this.sandboxes = sandboxes;
        this.folders = folders;
        this.sessions = sessions;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(ToolContext context) {
        String path = String.valueOf(context.arguments().get("path"));
        int offset = Math.max(1, number(context, "offset").orElse(1));
        int limit = Math.clamp(number(context, "limit").orElse(LINES), 1, LINES);
        byte[] bytes = read(context, path);
        if (binary(bytes) && !ownSpill(context, path)) {
            return ToolResult.failed(
                    ErrorCode.FILE_REFUSED, path + " is not a text file. Use terminal to look at it, e.g. with xxd.");
        }
        TextPage page = TextPage.of(bytes, offset, limit);
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("content", page.content());
        value.put("total_lines", page.totalLines());
        value.put("file_size", bytes.length);
        boolean more = offset - 1 + page.shown() < page.totalLines();
        value.put("truncated", more);
        if (more && page.shown() > 0) {
            value.put(
                    "hint",
                    "Lines " + offset + "-" + (offset + page.shown() - 1) + " of " + page.totalLines() + ". Use offset="
                            + (offset + page.shown()) + " to read on.");
        }
        return new ToolResult.Completed(value);
    }

    private byte[] read(ToolContext context, String path) {
        Session session = sessions.apply(context.call().caller().session());
        if (ownSpill(context, path)) {
            return readHere(Path.of(path));
        }
        Patience patience = new Patience(context.deadline(), context.cancellation());
        Workplace workplace = sandboxes.acquire(session.id(), patience);
        context.ranIn(workplace.sandbox().name());
        return workplace.sandbox().sharesHost()
                ? readHere(folders.resolve(path))
                : new SandboxFiles(workplace, patience).read(path, MOST_BYTES);
    }

    private boolean ownSpill(ToolContext context, String path) {
        return path.startsWith("/")
                && path.indexOf('\0') < 0
                && sessions.apply(context.call().caller().session()).spills().owns(Path.of(path));
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
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new SandboxException(ErrorCode.FILE_NOT_FOUND, "There is no file " + file + ".", e);
        } catch (IOException e) {
            throw new SandboxException(ErrorCode.FILE_REFUSED, "Cannot read " + file + ": " + e.getMessage(), e);
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
