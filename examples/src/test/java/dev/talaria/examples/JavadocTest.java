package dev.talaria.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples in the Javadoc of what programs see are Java that compiles. */
final class JavadocTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^\\s*/// ```java\\n((?:\\s*///.*\\n)*?)\\s*/// ```$");

    @TempDir
    private Path classes;

    /** An example and the file that it stands in. */
    record Example(String file, String code) {
        @Override
        public String toString() {
            return file;
        }
    }

    static Stream<Example> examples() throws IOException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        List<Path> folders = List.of(
                root.resolve("api/src/main/java/dev/talaria/api"),
                root.resolve("engine/src/main/java/dev/talaria/engine"),
                root.resolve("engine/src/main/java/dev/talaria/engine/admin"));
        List<Example> found = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(one -> one.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    EXAMPLE.matcher(Files.readString(file))
                            .results()
                            .map(match -> match.group(1).replaceAll("(?m)^\\s*/// ?", ""))
                            .forEach(code ->
                                    found.add(new Example(file.getFileName().toString(), code)));
                }
            }
        }
        assertThat(found).hasSizeGreaterThan(10);
        return found.stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void itCompiles(Example example) {
        boolean makesEngine =
                Pattern.compile("(Engine|var) engine =").matcher(example.code()).find();
        boolean makesCall = example.code().contains("ToolCall call =");
        String source = """
                import dev.talaria.api.*;
                import dev.talaria.engine.*;
                import dev.talaria.engine.admin.*;
                import java.io.*;
                import java.nio.file.*;
                import java.time.*;
                import java.util.*;

                final class Example {
                    void run(%s) throws Exception {
                        %s
                    }
                }
                """.formatted(
                        Stream.of(makesEngine ? "" : "Engine engine", makesCall ? "" : "ToolCall call")
                                .filter(text -> !text.isEmpty())
                                .collect(Collectors.joining(", ")),
                        example.code());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreErrors) {
                        return source;
                    }
                };
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none"),
                        null,
                        List.of(file))
                .call();

        assertThat(compiled).as(said + "\n" + source).isTrue();
    }
}
