package dev.talaria.cli;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.Copies;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;

/// `talaria cp`: copies files and folders into a sandbox and out of it.
final class CopyCommand implements CliCommand {
    private static final long MOST_GIB = 10;
    private static final Set<String> THE_CHOSEN_ONE = Set.of("", "sandbox");

    /// One side of the copy.
    ///
    /// @param backend the name before the colon; absent means this machine
    private record Side(Optional<String> backend, String path) {

        /// Reads a side as scp does: a colon before any slash marks a path in the sandbox.
        static Side of(String written) {
            int colon = written.indexOf(':');
            int slash = written.indexOf('/');
            return colon < 0 || (slash >= 0 && slash < colon)
                    ? new Side(Optional.empty(), written)
                    : new Side(Optional.of(written.substring(0, colon)), written.substring(colon + 1));
        }
    }

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "cp",
                        "Copies a file or folder into a sandbox or out of it. One of FROM and TO is in the sandbox: write :PATH"
                                + " for the chosen backend, or BACKEND:PATH. A relative PATH there starts in the working"
                                + " folder. Write ./NAME for a local file with a colon in its name. The same command again"
                                + " continues an interrupted copy. Links that lead out of a folder are left out. Exit code:"
                                + " 0 if all was copied, 1 if something was left out or failed, 130 interrupted.",
                        List.of("FROM", "TO"),
                        2,
                        List.of(
                                Option.flag("--json", "Print the result as one JSON object."),
                                Option.of("--max-gib", "N", "Copy at most N GiB out of a sandbox; the default is 10.")),
                        List.of(
                                "talaria cp data.csv docker:/tmp/ --backend-option container=build-box",
                                "talaria cp --backend ssh --backend-option host=build-box src :work/src",
                                "talaria cp ssh:results ./results"))
                .with(EngineOptions.FOR_COPIES);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Side from = Side.of(given.positional(0).orElse(""));
        Side to = Side.of(given.positional(1).orElse(""));
        if (from.backend().isPresent() == to.backend().isPresent()) {
            throw new UsageException(
                    "one of FROM and TO must be in a sandbox, and the other one here. Write the sandbox's as :PATH or"
                            + " BACKEND:PATH.",
                    "talaria cp --help");
        }
        if (from.path().isEmpty()) {
            throw new UsageException("FROM names no file. Write it as :PATH.", "talaria cp --help");
        }
        long most = most(given);
        Map<String, String> chosen = from.backend()
                .or(to::backend)
                .filter(name -> !THE_CHOSEN_ONE.contains(name))
                .map(name -> Map.of("backend", name))
                .orElse(Map.of());
        if (given.has("--isolation") && !chosen.isEmpty()) {
            throw new UsageException(
                    "--isolation chooses the backend, and so does " + chosen.get("backend") + ":PATH. Write :PATH.",
                    "talaria cp --help");
        }
        Cancellation cancellation = new Cancellation();
        QuickExit.prepare();
        try (Engine engine = EngineOptions.open(given, chosen, console);
                CopyView view = new CopyView(console);
                var _ = new Interrupts(cancellation, console, view::erase)) {
            CopyResult copied = to.backend().isPresent()
                    ? up(engine.copies(), Path.of(from.path()), to.path(), view, cancellation)
                    : engine.copies()
                            .down(
                                    RunCommand.CALLER.session(),
                                    from.path(),
                                    Path.of(to.path()),
                                    most,
                                    view,
                                    cancellation);
            view.erase();
            return tell(copied, given.has("--json"), console).number();
        } catch (CancellationException e) {
            console.say("talaria: interrupted; the same command goes on with what has arrived.");
            return ExitCode.INTERRUPTED.number();
        }
    }

    private static CopyResult up(Copies copies, Path from, String to, CopyView view, Cancellation cancellation) {
        String session = RunCommand.CALLER.session();
        String target = to.isEmpty() ? "./" : to;
        Optional<String> gone =
                Files.exists(from) ? copies.fleeting(session, target, view, cancellation) : Optional.empty();
        gone.ifPresent(why -> {
            throw new SandboxException(
                    ErrorCode.FILE_REFUSED, "Nothing was copied: it would be gone when this command ends. " + why);
        });
        return copies.up(session, from, target, view, cancellation);
    }

    private static long most(Arguments given) {
        String written = given.value("--max-gib").orElse(String.valueOf(MOST_GIB));
        if (!written.matches("[1-9][0-9]{0,5}")) {
            throw new UsageException("--max-gib " + written + ": write a whole number, such as 10.");
        }
        return Long.parseLong(written) << 30;
    }

    private static ExitCode tell(CopyResult copied, boolean json, Console console) {
        if (json) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("path", copied.path());
            value.put("files", copied.files());
            value.put("bytes", copied.bytes());
            value.put("resumed_at", copied.resumed());
            value.put("left_out", copied.leftOut());
            value.put("notes", copied.notes());
            console.println(Json.text(value));
        } else {
            copied.leftOut().forEach(line -> console.say("talaria: " + line));
            if (console.errIsTerminal()) {
                copied.notes().forEach(line -> console.say("note: " + line));
                console.say("Copied " + (copied.files() == 1 ? "1 file" : copied.files() + " files") + ", "
                        + CopyView.size(copied.bytes())
                        + (copied.resumed() > 0 ? " (" + CopyView.size(copied.resumed()) + " were there)" : "")
                        + ", to " + copied.path());
            }
        }
        return copied.leftOut().isEmpty() ? ExitCode.SUCCESS : ExitCode.FAILED;
    }
}
