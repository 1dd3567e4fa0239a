package dev.talaria.mcp;

import dev.talaria.engine.Engine;
import dev.talaria.engine.EngineBuilder;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import java.nio.file.Path;

/// Engines on this machine that keep their files below a test's folder.
final class TestEngine {
    private TestEngine() {}

    static EngineBuilder below(Path folder) {
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder)))
                .cwd(folder);
    }
}
