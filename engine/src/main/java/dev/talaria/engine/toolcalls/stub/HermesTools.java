package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import java.util.Collection;
import java.util.List;

/// The seven tools that Hermes scripts know. A script can import each of them, even one that no class implements
/// yet: the files beside this class describe those.
public final class HermesTools {
    /// The names, in the order in which they are shown. They are words of a protocol: scripts import them.
    public static final List<String> NAMES =
            List.of("web_search", "web_extract", "read_file", "write_file", "search_files", "patch", "terminal");

    private HermesTools() {}

    /// Returns the seven, in the order in which they are shown.
    ///
    /// @param builtIn the engine's own tools, as scripts see them
    public static List<ToolSpec> all(Collection<ToolSpec> builtIn) {
        return NAMES.stream()
                .map(name -> builtIn.stream()
                        .filter(tool -> tool.name().equals(name))
                        .findFirst()
                        .orElseGet(() -> SpecFile.read(HermesTools.class, name).forScripts()))
                .toList();
    }
}
