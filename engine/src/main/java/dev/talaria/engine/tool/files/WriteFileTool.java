package dev.talaria.engine.tool.files;

import dev.talaria.api.Effect;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.toolcalls.stub.SpecFile;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// The tool `write_file`: writes a whole file in the sandbox. Readers see the old or the new content, never a part.
public final class WriteFileTool implements Tool {
    /// The name that models and scripts call the tool by.
    public static final String NAME = "write_file";

    private final ToolSpec spec = SpecFile.read(WriteFileTool.class, NAME).forModels();
    private final HeldFiles files;

    public WriteFileTool(HeldFiles files) {
        this.files = files;
    }

    @Override
    public ToolSpec spec() {
        return spec;
    }

    @Override
    public Effect effect(Map<String, Object> arguments) {
        return new Effect.FileChange(JsonFields.text(arguments, "path").orElse(""));
    }

    @Override
    public ToolResult call(ToolContext context) {
        byte[] content = String.valueOf(context.arguments().get("content")).getBytes(StandardCharsets.UTF_8);
        if (Redactor.holdsSentinel(String.valueOf(context.arguments().get("content")))) {
            return ToolResult.failed(
                    ErrorCode.FILE_REFUSED,
                    "The content holds a mask («redacted…») that stood for a secret when it was read; writing it would"
                            + " destroy the secret. Change the file in place, e.g. with terminal and sed.");
        }
        String written;
        try (HeldFile file =
                files.of(context, String.valueOf(context.arguments().get("path")))) {
            written = file.write(content);
        }
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("status", "ok");
        value.put("path", written);
        value.put("bytes_written", content.length);
        return new ToolResult.Completed(value);
    }
}
