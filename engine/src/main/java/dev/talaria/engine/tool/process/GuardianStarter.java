package dev.talaria.engine.tool.process;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.job.GaveUpException;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.ShortCommand;
import dev.talaria.engine.job.relay.Relay;
import dev.talaria.engine.job.relay.RelayStart;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.output.Redactor;
import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.Resources;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Starts surviving processes, each with its own guardian.
final class GuardianStarter {
    private static final Duration START = Duration.ofSeconds(20);

    /// Python reads the program from stdin, as for the relay: a line of parameters, a line with the command,
    /// then the source.
    private static final String LOADER = "import sys;PARAMETERS=sys.stdin.buffer.readline();"
            + "LINE=sys.stdin.buffer.readline();exec(compile(sys.stdin.buffer.read(),'guardian.py','exec'))";

    private final Folders folders;
    private final Redactor redactor;

    GuardianStarter(Folders folders, Redactor redactor) {
        this.folders = folders;
        this.redactor = redactor;
    }

    /// Starts a program.
    ///
    /// @param relay the relay on this machine, which knows the session's shell
    /// @throws SandboxException if the program could not be started
    SurvivingProcess start(
            BackgroundProcess.Origin origin, JobSpec.Background spec, Sandbox sandbox, Relay relay, Patience patience) {
        try {
            Path folder = Folders.create(
                    Folders.create(SurvivingProcess.folder(folders)).resolve(origin.id()));
            String socket = SurvivingProcess.socket(folder);
            SurvivingProcess process = new SurvivingProcess(
                    folder,
                    origin.id(),
                    origin.session(),
                    redactor.redact(origin.command(), Redactor.Mode.FULL),
                    origin.cwd(),
                    origin.started(),
                    origin.flags(),
                    socket,
                    SurvivingProcess.Running.NOT_YET,
                    Identity.ofThisProcess());
            Map<String, Object> parameters = new LinkedHashMap<>();
            parameters.put("folder", folder.toString());
            parameters.put("socket", socket);
            parameters.put("entry", process.entry());
            spec.screen().ifPresent(screen -> parameters.put("pty", List.of(screen.rows(), screen.columns())));
            byte[] program = program(parameters, relay.line(spec.program(), patience));
            List<String> argv = List.of(relay.info().python(), "-I", "-S", "-c", LOADER);
            ShortCommand.Result started = run(sandbox, argv, program, folder, patience);
            String said = new String(started.stdout(), StandardCharsets.UTF_8).strip();
            Map<String, Object> report = said.startsWith("{") ? Json.object(said) : Map.of("error", started.said());
            if (report.get("error") instanceof String error) {
                ProcessFolder.delete(folder);
                throw new SandboxException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The process could not be started: "
                                + (error.isBlank() ? "what looks after it ended without a word" : error));
            }
            return SurvivingProcess.read(folder).orElseThrow(() -> new IOException("no entry in " + folder));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot write to " + SurvivingProcess.folder(folders) + " (" + Reason.of(e)
                            + "). Make it writable, or make room.",
                    e);
        }
    }

    private static ShortCommand.Result run(
            Sandbox sandbox, List<String> argv, byte[] program, Path folder, Patience patience) {
        try {
            return ShortCommand.run(sandbox, argv, program, START, patience);
        } catch (GaveUpException e) {
            // A guardian without a listener ends by itself. One that has answered already needs an order.
            SurvivingProcess.read(folder).ifPresent(process -> {
                SurvivingJob job = SurvivingJob.connect(process, (_, _) -> {});
                job.kill(Duration.ZERO);
                job.release();
            });
            throw e;
        }
    }

    /// @param line the command for the relay, as one line of JSON
    private static byte[] program(Map<String, Object> parameters, byte[] line) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Json.bytes(parameters)); // one line: JSON has no line breaks outside strings
        all.write('\n');
        all.writeBytes(line);
        all.write('\n');
        all.writeBytes(RelayStart.programOfKeepers());
        all.write('\n');
        all.writeBytes(Resources.bytes(GuardianStarter.class, "guardian.py"));
        return all.toByteArray();
    }
}
