package dev.talaria.engine.tool.process;

import dev.talaria.engine.shell.ForegroundAdvice;
import java.util.Optional;
import java.util.regex.Pattern;

/// Advises the caller that starts a background process what to do next.
final class StartHint {
    private static final Pattern CI_LOOP = Pattern.compile(
            "(?is)\\b(?:while|until|for)\\b.{0,2000}\\b(?:gh\\s+(?:run|pr\\s+(?:checks|view|status)|api)|glab\\s+ci)\\b");
    private static final Pattern SLEEP = Pattern.compile("\\bsleep\\s");
    private static final int LONGEST = 20_000;

    private StartHint() {}

    /// @param endsWithCall whether the process ends with the call that starts it
    static Optional<String> of(String command, BackgroundFlags flags, boolean endsWithCall) {
        if (endsWithCall) {
            return Optional.of(
                    "This session ends with its call, and the process with it. Start it with persist_on_release=true"
                            + " where the sandbox can keep it, or run it in the foreground.");
        }
        if (command.length() <= LONGEST
                && SLEEP.matcher(command).find()
                && CI_LOOP.matcher(command).find()) {
            return Optional.of(
                    "This loop asks for the state of CI until it changes, and goes on for ever if it asks for the wrong"
                            + " thing. 'gh run watch ID --exit-status' and 'gh pr checks --watch' end with the result.");
        }
        if (!flags.watch().isEmpty() || flags.pty()) {
            return Optional.empty();
        }
        if (ForegroundAdvice.startsServer(command)) {
            return Optional.of("A server does not end by itself. To know when it is ready, start it with"
                    + " notify=[\"a text that it prints then\"], or ask it with a command of its own, such as curl.");
        }
        return flags.tells() || flags.notes().containsKey("notify_unsupported")
                ? Optional.empty()
                : Optional.of(
                        "Nobody will tell you when it ends: look with process(action=\"poll\") or wait for it with"
                                + " process(action=\"wait\"), or start such a process with notify=true.");
    }
}
