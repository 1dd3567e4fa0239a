package dev.talaria.mcp;

import dev.talaria.engine.Engine;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;

/// A server in its own process, like `talaria mcp`. Its only argument is the folder for its files.
final class ServeMain {
    private ServeMain() {}

    public static void main(String[] args) throws IOException {
        try (var in = new FileInputStream(FileDescriptor.in);
                var out = new FileOutputStream(FileDescriptor.out);
                Engine engine = TestEngine.below(Path.of(args[0])).build()) {
            McpDoor.serve(engine, in, out);
        }
    }
}
