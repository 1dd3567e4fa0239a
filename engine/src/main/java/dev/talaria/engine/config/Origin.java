package dev.talaria.engine.config;

import java.nio.file.Path;

/// Where a value was set. Later cases win over earlier ones, but a project file can only narrow.
public sealed interface Origin {

    /// Returns the origin in a few words, as users see it.
    String text();

    /// Nobody has set the value.
    record Default() implements Origin {
        @Override
        public String text() {
            return "default";
        }
    }

    /// The user's own `talaria.yaml`. Line 0 stands for the file as a whole.
    record UserFile(Path file, int line) implements Origin {
        @Override
        public String text() {
            return at(file, line);
        }
    }

    /// An environment variable.
    record Variable(String name) implements Origin {
        @Override
        public String text() {
            return "$" + PrintableText.bare(name);
        }
    }

    /// The `talaria.yaml` of the working folder, which the agent can edit. Line 0 stands for the file as a
    /// whole.
    record ProjectFile(Path file, int line) implements Origin {
        @Override
        public String text() {
            return at(file, line);
        }
    }

    /// An option of the command line.
    record CommandLine() implements Origin {
        @Override
        public String text() {
            return "command line";
        }
    }

    private static String at(Path file, int line) {
        String name = PrintableText.bare(file.toString());
        return line > 0 ? name + ":" + line : name;
    }
}
