package dev.talaria.engine.decide;

import dev.talaria.engine.decide.reading.Reading;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What a command makes of its input: whoever types into a shell runs commands.
enum Listening {
    SHELL,
    INTERPRETER,
    /// It reads data, or nothing.
    NEITHER;

    private static final Set<String> SHELLS =
            Set.of("bash", "sh", "zsh", "ksh", "dash", "ash", "mksh", "rbash", "fish", "csh", "tcsh");

    /// Programs in which a shell waits as a rule, whatever their arguments.
    private static final Set<String> HOLDERS =
            Set.of("ssh", "su", "screen", "tmux", "script", "expect", "telnet", "nsenter", "chroot", "socat", "nc");

    private static final Set<String> INTERPRETERS = Set.of(
            "node", "ruby", "irb", "perl", "php", "lua", "deno", "bun", "julia", "r", "ghci", "scala", "jshell", "gdb",
            "lldb", "ipython", "bpython", "vi", "vim", "nvim", "emacs", "ed", "psql", "mysql", "sqlite3");

    private static final Pattern PYTHON = Pattern.compile("(?:python|pypy)[0-9.]*");
    private static final Pattern SHELL_AT_THE_END = Pattern.compile(
            "(?:docker|podman|kubectl|lxc|sudo|doas)(?: .*)?(?: (?:\\S*/)?(?:ba|z|k|da|a|fi)?sh| -[a-z]*[is][a-z]*)");

    static Listening to(Reading reading) {
        if (SHELL_AT_THE_END.matcher(reading.raw().strip()).matches()) {
            return SHELL; // `sudo -i` alone: there is no command in it
        }
        Listening found = NEITHER;
        for (String line : reading.commands()) {
            List<String> words = List.of(line.split(" "));
            String program = words.getFirst();
            boolean alone = words.stream().skip(1).allMatch(word -> word.startsWith("-"));
            boolean text = words.stream().skip(1).anyMatch(word -> word.matches("-[a-zA-Z]*[ce]"));
            boolean interactive = words.stream().skip(1).anyMatch(word -> word.matches("-[a-zA-Z]*i|--interactive"));
            boolean shell = SHELLS.contains(program) && !text && (alone || words.contains("-s"));
            if (shell
                    || HOLDERS.contains(program)
                    || SHELL_AT_THE_END.matcher(line).matches()) {
                return SHELL;
            }
            boolean interpreter =
                    INTERPRETERS.contains(program) || PYTHON.matcher(program).matches();
            if (interpreter && (interactive || (alone && !text))) {
                found = INTERPRETER;
            }
        }
        return found;
    }
}
