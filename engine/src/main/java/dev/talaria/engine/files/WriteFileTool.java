package dev.talaria.engine.files;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.acquire.Sandboxes;
import dev.talaria.engine.acquire.Workplace;
import dev.talaria.engine.clean.Redactor;
import dev.talaria.engine.start.Patience;
import dev.talaria.engine.stubs.BuiltInTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// Writes a whole file where commands run: others see the old content or the new, never a part.
public final class WriteFileTool implements Tool {
    private final ToolSpec spec = BuiltInTools.find("write_file").orElseThrow();
    private final Sandboxes sandboxes;
    private final HostFolders folders;

    public WriteFileTool(Sandboxes sandboxes, HostFolders folders) {
        this.sandboxes = sandboxes;
        this.folders = folders;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public ToolResult call(ToolContext context) {
        String path = String.valueOf(context.arguments().get("path"));
        byte[] content = String.valueOf(context.arguments().get("content")).getBytes(StandardCharsets.UTF_8);
        if (Redactor.holdsSentinel(String.valueOf(context.arguments().get("content")))) {
            return ToolResult.failed(
                    ErrorCode.FILE_REFUSED,
                    "The content holds a mask («redacted…») that stood for a secret when it was read; writing it would"
                            + " destroy the secret. Change the file in place, e.g. with terminal and sed.");
        }
        Patience patience = new Patience(context.deadline(), context.cancellation());
        Workplace workplace = sandboxes.enter(context.call().caller().session(), patience);
        context.ranIn(workplace.sandbox().name());
        String written = workplace.sandbox().sharesHost()
                ? writeHere(folders.resolve(workplace.cwd(), path), content).toString()
                : new SandboxFiles(workplace, patience).write(path, content);
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("status", "ok");
        value.put("path", written);
        value.put("bytes_written", content.length);
        return new ToolResult.Completed(value);
    }

    private static Path writeHere(Path wanted, byte[] content) {
        try {
            Path file = Files.exists(wanted) ? wanted.toRealPath() : wanted;
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new SandboxException(ErrorCode.FILE_REFUSED, file + " is not a regular file.");
            }
            Path folder = file.getParent() == null ? Path.of("/") : file.getParent();
            Files.createDirectories(folder);
            Path fresh = folder.resolve("." + file.getFileName() + ".talaria-" + UUID.randomUUID());
            try {
                Files.write(fresh, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                if (Files.exists(file)) {
                    Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(file));
                }
                Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(fresh);
            }
            return file;
        } catch (IOException e) {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED, "Cannot write " + wanted + ": " + e.getMessage() + ".", e);
        }
    }
}
