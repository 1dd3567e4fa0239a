package dev.talaria.engine.job.file;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.RunningProcess;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.job.ShortCommand;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.RandomBytes;
import dev.talaria.engine.util.Resources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes the orders for `exchange.py` of one run, and gives the two that are needed once.
///
/// @param python the interpreter in the sandbox, with any words that must stand before it
/// @param mark the line that comes before the frames in the output of a step
record ExchangeOrders(Sandbox sandbox, List<String> python, String mark) {
    /// Reads the program from stdin: nothing is installed, and argv contains nothing but this line.
    private static final String LOADER =
            "import sys;i=sys.stdin.buffer;" + "exec(compile(i.read(int(i.read(8))),'exchange.py','exec'))";

    private static final byte[] PROGRAM = Resources.bytes(ExchangeOrders.class, "exchange.py");
    private static final byte[] RUNNER = Resources.bytes(ExchangeOrders.class, "run.py");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MAX_FRAME = 1 << 20;

    /// Starts a command that reads an order.
    ///
    /// @throws SandboxException if it could not be started
    RunningProcess start() {
        return sandbox.start(ShortCommand.command(argv()));
    }

    private List<String> argv() {
        List<String> argv = new ArrayList<>(python);
        argv.addAll(List.of("-I", "-S", "-c", LOADER));
        return argv;
    }

    /// Returns a command that runs a script and records its end.
    List<String> runner(String folder, int processes, List<String> script) {
        List<String> argv = new ArrayList<>(python);
        argv.addAll(List.of("-I", "-S", folder + "/run.py", folder + "/exit", String.valueOf(processes)));
        argv.addAll(script);
        return argv;
    }

    /// Returns the whole input of a step: the program, the order, and the contents that the order
    /// announces.
    static byte[] input(Map<String, Object> order, List<byte[]> contents) {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        input.writeBytes(String.format("%08d", PROGRAM.length).getBytes(StandardCharsets.US_ASCII));
        input.writeBytes(PROGRAM);
        input.writeBytes(Json.bytes(order));
        input.write('\n');
        contents.forEach(input::writeBytes);
        return input.toByteArray();
    }

    /// Makes the run's private folder in the sandbox and returns its path.
    String prepare(String stubs, String script) {
        String name = "hermes_exec_" + RandomBytes.hex(12);
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("run.py", RUNNER);
        files.put("script.py", runnable(script).getBytes(StandardCharsets.UTF_8));
        files.put("stubs/hermes_tools.py", stubs.getBytes(StandardCharsets.UTF_8));
        List<List<Object>> announced = new ArrayList<>();
        files.forEach((file, content) -> announced.add(List.of(file, content.length)));
        Map<String, Object> order = Map.of("step", "prepare", "mark", mark, "name", name, "files", announced);
        ShortCommand.Result result =
                ShortCommand.run(sandbox, argv(), input(order, List.copyOf(files.values())), PATIENCE);
        Map<Byte, byte[]> frames = frames(result);
        if (frames.containsKey((byte) 'p')) {
            return new String(frames.get((byte) 'p'), StandardCharsets.UTF_8);
        }
        throw Optional.ofNullable(frames.get((byte) '!')).map(this::noFolder).orElseGet(() -> explain(result));
    }

    /// Returns a script that fails if it contains a NUL. Some Pythons read a file only up to its
    /// first NUL, and would run a part of the script.
    private static String runnable(String script) {
        return script.indexOf('\0') < 0 ? script : "raise SyntaxError('source code cannot contain null bytes')\n";
    }

    /// Removes the run's folder and returns the record of the script's end.
    Map<String, Object> finish(String folder) {
        try {
            Map<String, Object> order = Map.of("step", "finish", "mark", mark, "folder", folder);
            ShortCommand.Result result = ShortCommand.run(sandbox, argv(), input(order, List.of()), PATIENCE);
            byte[] report = frames(result).getOrDefault((byte) 'x', new byte[0]);
            return report.length == 0 ? Map.of() : Json.object(report);
        } catch (SandboxException | IllegalArgumentException e) {
            return Map.of(); // the sandbox has gone, or the script overwrote the record: then there is none
        }
    }

    private Map<Byte, byte[]> frames(ShortCommand.Result result) {
        Map<Byte, byte[]> found = new LinkedHashMap<>();
        try {
            ExchangeFrames frames = ExchangeFrames.after(new ByteArrayInputStream(result.stdout()), mark, MAX_FRAME);
            for (Optional<ExchangeFrames.Frame> next = frames.next(); next.isPresent(); next = frames.next()) {
                found.put(next.get().kind(), next.get().payload());
            }
        } catch (IOException e) {
            // The frames before the problem count.
        }
        return found;
    }

    private SandboxException noFolder(byte[] problem) {
        return new SandboxException(
                ErrorCode.BACKEND_UNAVAILABLE,
                "No folder for the script can be made in sandbox " + sandbox.name() + " ("
                        + new String(problem, StandardCharsets.UTF_8)
                        + "). Make room in /tmp there, or set TMPDIR to a folder that can be written to.");
    }

    private SandboxException explain(ShortCommand.Result result) {
        String said = result.said();
        return ShortCommand.withoutPython(sandbox, result.status().orElse(0), said)
                .map(message -> new SandboxException(ErrorCode.PYTHON_MISSING, message))
                .orElseGet(() -> new SandboxException(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "Sandbox " + sandbox.name() + " could not prepare the script ("
                                + result.status().map(code -> "status " + code).orElse("no answer") + "): " + said
                                + ". Try again; open a new session if it stays so."));
    }
}
