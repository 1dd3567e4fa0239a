package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.tool.files.ReadFileTool;
import dev.talaria.engine.tool.files.WriteFileTool;
import dev.talaria.engine.tool.terminal.TerminalTool;
import java.util.List;

/// The seven tools of Hermes, as an engine shows them to scripts.
public final class SevenTools {
    /// All of them, in the order in which they are shown.
    public static final List<ToolSpec> ALL = HermesTools.all(List.of(
            SpecFile.read(TerminalTool.class, TerminalTool.NAME).forScripts(),
            SpecFile.read(ReadFileTool.class, ReadFileTool.NAME).forScripts(),
            SpecFile.read(WriteFileTool.class, WriteFileTool.NAME).forScripts()));

    private SevenTools() {}

    public static ToolSpec named(String name) {
        return ALL.stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
