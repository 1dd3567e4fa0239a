package dev.talaria.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.json.Json;
import dev.talaria.examples.Shell.ShellResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Runs what the documentation shows. A fenced block with the word `test` after its language is run as a reader
/// would; if a block `text output` follows, that is what it must print.
final class DocsTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)([^\\n]*)\\n(.*?)^```$");

    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+Test)`");

    @TempDir
    private Path work;

    private record Block(String language, String words, String text, int line) {}

    @TestFactory
    Stream<DynamicTest> whatTheDocumentationShowsWorks() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            List<Block> blocks = blocks(page);
            for (int i = 0; i < blocks.size(); i++) {
                Block block = blocks.get(i);
                if (block.words().contains("test")) {
                    String expected =
                            i + 1 < blocks.size() && blocks.get(i + 1).words().contains("output")
                                    ? blocks.get(i + 1).text()
                                    : "";
                    String name = Shell.REPOSITORY.relativize(page) + ":" + block.line() + " " + block.language();
                    tests.add(DynamicTest.dynamicTest(name, () -> check(block, expected)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(5);
        return tests.stream();
    }

    private void check(Block block, String expected) throws IOException {
        Path folder = Files.createTempDirectory(work, "block");
        Shell shell = new Shell(folder);
        ShellResult ended = switch (block.language()) {
            case "sh" -> shell.paste(block.text());
            case "python" -> {
                Files.writeString(folder.resolve("script.py"), block.text());
                yield shell.paste("./talaria run --cwd \"$WORK\" \"$WORK/script.py\"");
            }
            case "yaml" -> {
                Files.createDirectories(folder.resolve("config/talaria"));
                Files.writeString(folder.resolve("config/talaria/talaria.yaml"), block.text());
                yield shell.paste("./talaria config");
            }
            default -> throw new AssertionError("No way to test a block of " + block.language());
        };

        assertThat(ended.exit()).as(ended.err()).isZero();
        if (!expected.isEmpty()) {
            assertThat(ended.out()).isEqualTo(expected);
        }
    }

    @Test
    void theJavaProgramOfTheReadmeIsTheExample() throws IOException {
        List<String> programs = blocks(Shell.REPOSITORY.resolve("README.md")).stream()
                .filter(block -> block.language().equals("java"))
                .map(Block::text)
                .toList();

        assertThat(programs).containsExactly(Files.readString(Shell.REPOSITORY.resolve("examples/Weather.java")));
    }

    @Test
    void theClientConfigurationOfTheReadmeStartsAServer() throws IOException {
        Block block = blocks(Shell.REPOSITORY.resolve("README.md")).stream()
                .filter(one -> one.language().equals("json"))
                .findFirst()
                .orElseThrow();
        Map<?, ?> server = (Map<?, ?>) ((Map<?, ?>) Json.object(block.text()).get("mcpServers")).get("talaria");
        List<String> args = ((List<?>) server.get("args"))
                .stream()
                        .map(arg -> String.valueOf(arg).replace("/path/to/project", work.toString()))
                        .toList();

        ShellResult ended = new Shell(work).paste("./talaria " + String.join(" ", args));

        assertThat(String.valueOf(server.get("command"))).endsWith("/talaria");
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void theTestsThatGuaranteesNameAreThere() throws IOException {
        Set<String> tests = new TreeSet<>();
        try (Stream<Path> files = Files.find(
                Shell.REPOSITORY,
                20,
                (file, _) -> file.toString().contains("/src/test/")
                        && file.toString().endsWith("Test.java"))) {
            files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
        }
        Set<String> named = new TreeSet<>();
        for (Path page : pages()) {
            Matcher matcher = TEST.matcher(Files.readString(page));
            while (matcher.find()) {
                named.add(matcher.group(1));
            }
        }

        assertThat(named).hasSizeGreaterThan(20).isSubsetOf(tests);
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(Shell.REPOSITORY.resolve("docs"))) {
            return Stream.concat(
                            Stream.of("README.md", "SECURITY.md", "backends/src/test/README.md", "tests/README.md")
                                    .map(Shell.REPOSITORY::resolve),
                            docs.sorted())
                    .filter(page -> page.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static List<Block> blocks(Path page) throws IOException {
        String text = Files.readString(page);
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            int line = (int) text.substring(0, matcher.start()).lines().count() + 1;
            blocks.add(new Block(matcher.group(1), matcher.group(2), matcher.group(3), line));
        }
        return blocks;
    }
}
