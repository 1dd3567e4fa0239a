package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.cli.InProcess.CliResult;
import dev.talaria.engine.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A project's talaria.yaml")
final class ProjectFileCommandTest {
    private static final String GREETING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
            + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

    @TempDir
    private Path folder;

    private Path project;
    private Path began;

    @BeforeEach
    void aProjectThatNamesAProgramOfItsOwn() throws IOException {
        project = Files.createDirectory(folder.resolve("project"));
        began = project.resolve("began");
        Path program = Files.writeString(
                project.resolve("python"), "#!/bin/sh\necho x >> '" + began + "'\nexec python3 \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        write("script: {python: " + program + "}\n");
    }

    private void write(String yaml) throws IOException {
        Files.writeString(project.resolve("talaria.yaml"), yaml);
    }

    private InProcess cli() {
        return new InProcess(folder);
    }

    @Test
    @DisplayName("starts no program on this machine, and the user learns why")
    void startsNothingHere() {
        CliResult ended = cli().script("print(6 * 7)", "--cwd", project.toString());

        assertThat(ended.out()).isEqualTo("42\n");
        assertThat(ended.err())
                .contains("script.python: a project file names an interpreter for sandboxes that isolate");
        assertThat(began).doesNotExist();
    }

    @Test
    @DisplayName("starts no program on this machine when an MCP client connects or calls")
    void startsNothingForAClient() throws Exception {
        String said = client("execute_code", Map.of("code", "print(6 * 7)"), "--cwd", project.toString());

        assertThat(said).contains("42");
        assertThat(began).doesNotExist();
    }

    @Test
    @DisplayName("may name the interpreter in a sandbox, which starts with the first script")
    void namesAnInterpreterInside() throws Exception {
        String[] isolated = {"--isolation", "workspace", "--cwd", project.toString()};

        String command = client("terminal", Map.of("command", "echo $((6 * 7))"), isolated);
        assertThat(command).contains("42");
        assertThat(began).doesNotExist();

        String script = client("execute_code", Map.of("code", "print(6 * 7)"), isolated);
        assertThat(script).contains("42");
        assertThat(began).exists();
    }

    @Test
    @DisplayName("stops nothing if it is wrong: the first result and doctor name the mistake")
    void stopsNothing() throws Exception {
        write("script: {timeout: 2 parsecs}\nbackend: docker\n");

        CliResult ended = cli().script("print(6 * 7)", "--json", "--cwd", project.toString());
        assertThat(ended.exit()).isZero();
        assertThat(Json.object(ended.out()))
                .containsEntry("output", "42\n")
                .hasEntrySatisfying(
                        "configuration",
                        told -> assertThat(told)
                                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                                .hasSize(2)
                                .anySatisfy(text -> assertThat(text).contains("script.timeout", "2 parsecs"))
                                .anySatisfy(text ->
                                        assertThat(text).contains("backend", "a project file cannot set this")));

        String said = client("terminal", Map.of("command", "echo $((6 * 7))"), "--cwd", project.toString());
        assertThat(said).contains("42", "2 parsecs");

        CliResult doctor = cli().run("doctor", "--cwd", project.toString());
        assertThat(doctor.out()).contains("2 parsecs", "a project file cannot set this");
        assertThat(doctor.exit()).isZero();
    }

    @Test
    @DisplayName("does not show the target of a link")
    void isNoLink() throws Exception {
        Files.writeString(folder.resolve("secrets"), "hunter2: {x: y}\n");
        Files.delete(project.resolve("talaria.yaml"));
        Files.createSymbolicLink(project.resolve("talaria.yaml"), folder.resolve("secrets"));

        CliResult ended = cli().script("print(6 * 7)", "--json", "--cwd", project.toString());

        assertThat(ended.out()).contains("42", "it is a link").doesNotContain("hunter2");
        assertThat(ended.err()).doesNotContain("hunter2");
    }

    /// Connects, makes one call and returns all answers.
    private String client(String tool, Map<String, Object> arguments, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("mcp"));
        words.addAll(List.of(options));
        try (CliProcess talaria = CliProcess.start(folder, CliProcess.command(words.toArray(String[]::new)))) {
            OutputStream in = talaria.stdin();
            in.write(GREETING.getBytes(StandardCharsets.UTF_8));
            in.flush();
            talaria.awaitOut("\"id\":1");
            Map<String, Object> call = Map.of(
                    "jsonrpc",
                    "2.0",
                    "id",
                    2,
                    "method",
                    "tools/call",
                    "params",
                    Map.of("name", tool, "arguments", arguments));
            in.write((Json.text(call) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            talaria.awaitOut("\"id\":2");
            in.close();
            return talaria.end().out();
        }
    }
}
