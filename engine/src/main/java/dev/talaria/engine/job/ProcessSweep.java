package dev.talaria.engine.job;

import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxException;
import dev.talaria.engine.util.RandomBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds and ends a job's processes by a second command in its sandbox. A client that is cut off
/// leaves them alive.
///
/// @param magic begins the line that our shell reports in
/// @param job the mark of the job's processes
public record ProcessSweep(Sandbox sandbox, String magic, String job) {
    private static final String SCRIPT = ShellText.script("members.sh") + ShellText.script("sweep.sh");
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /// The report of our shell about a job's processes.
    ///
    /// @param count the number of processes
    /// @param survivors the processes that could not be ended
    public record SweepResult(int count, List<String> survivors) {

        /// Reads `COUNT{TAB NAME}`.
        public static SweepResult parse(String line) {
            List<String> parts = List.of(line.split("\t"));
            String count = parts.getFirst().strip();
            boolean number = count.matches("[0-9]{1,9}");
            return new SweepResult(
                    number ? Integer.parseInt(count) : 0,
                    parts.subList(1, parts.size()).stream().limit(100).toList());
        }
    }

    /// Kills all processes that carry a mark, with their trees; empty if the sandbox did not answer.
    public static Optional<SweepResult> marked(Sandbox sandbox, String mark) {
        return new ProcessSweep(sandbox, RandomBytes.hex(16), mark).finish(new ProcessIds("0", "0", "0"));
    }

    /// The processes that run the job in the sandbox, as its shell reports them.
    ///
    /// @param shell the process id of that shell; 0 if it has not reported yet
    /// @param session the session that belongs to the job alone; 0 if there is none
    /// @param watcher the process that waits for the host's end; 0 if there is none
    public record ProcessIds(String shell, String session, String watcher) {
        private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,10}) ([0-9]{1,10}) ([0-9]{1,10})");

        /// Reads `SHELL SESSION WATCHER`.
        public static ProcessIds parse(String line) {
            Matcher matcher = NUMBERS.matcher(line);
            return matcher.matches()
                    ? new ProcessIds(matcher.group(1), matcher.group(2), matcher.group(3))
                    : new ProcessIds("0", "0", "0");
        }
    }

    /// Asks the job's processes to end; empty if the sandbox did not answer.
    public Optional<SweepResult> term(ProcessIds ids) {
        return run(ids, "term");
    }

    /// Kills the job's processes except for its shell, which reports the end; empty if the sandbox
    /// did not answer.
    public Optional<SweepResult> kill(ProcessIds ids) {
        return run(ids, "kill");
    }

    /// Kills the job's processes and its shell; empty if the sandbox did not answer.
    public Optional<SweepResult> finish(ProcessIds ids) {
        return run(ids, "finish");
    }

    private Optional<SweepResult> run(ProcessIds ids, String mode) {
        try {
            List<String> argv =
                    List.of("sh", "-c", SCRIPT, "sh", magic, job, ids.shell(), ids.session(), ids.watcher(), mode);
            ShortCommand.Result result = ShortCommand.run(sandbox, argv, new byte[0], PATIENCE);
            String text = new String(result.stdout(), StandardCharsets.UTF_8);
            int start = text.indexOf("\0" + magic);
            int end = start < 0 ? -1 : text.indexOf('\n', start);
            return end < 0
                    ? Optional.empty()
                    : Optional.of(SweepResult.parse(text.substring(start + 1 + magic.length(), end)));
        } catch (SandboxException e) {
            return Optional.empty();
        }
    }
}
