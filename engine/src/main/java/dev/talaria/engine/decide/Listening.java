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
    private static final Set<String> HOLDERS = Set.of(
            "ssh", "su", "screen", "tmux", "script", "expect", "telnet", "nsenter", "chroot", "socat", "nc", "at",
            "batch");

    /// Those that run a file if they are given one.
    private static final Set<String> INTERPRETERS = Set.of(
            "node",
            "ruby",
            "irb",
            "perl",
            "php",
            "lua",
            "deno",
            "bun",
            "julia",
            "r",
            "ghci",
            "scala",
            "jshell",
            "ipython",
            "bpython",
            "pry",
            "iex",
            "erl",
            "octave",
            "sbcl",
            "guile",
            "racket",
            "groovysh",
            "ts-node");

    /// Those that read commands whatever file they are given.
    private static final Set<String> PROMPTS = Set.of(
            "gdb",
            "lldb",
            "vi",
            "vim",
            "nvim",
            "emacs",
            "ed",
            "ex",
            "less",
            "psql",
            "mysql",
            "mariadb",
            "sqlite3",
            "mongosh",
            "mongo",
            "redis-cli",
            "sqlplus");

    private static final Pattern PYTHON = Pattern.compile("(?:python|pypy)[0-9.]*");
    private static final Pattern SHELL_AT_THE_END = Pattern.compile(
            "(?:docker|podman|kubectl|lxc|sudo|doas)(?: .*)?(?: (?:\\S*/)?(?:ba|z|k|da|a|fi)?sh| -[a-z]*[is][a-z]*)");

    /// What runs each line that it reads.
    private static final Pattern LINE_BY_LINE =
            Pattern.compile("(?:xargs|parallel)(?: .*)? (?:\\S*/)?(?:(?:ba|z|k|da|a)?sh|eval|sudo|env)(?: .*)?"
                    + "|parallel(?: -\\S+)*|(?:g|m|n)?awk .*system\\(.*");

    private static final Pattern STDIN = Pattern.compile(".* /dev/(?:stdin|fd/0)(?: .*)?");
    private static final Pattern TEXT = Pattern.compile("-[a-zA-Z]*[ce]");
    private static final Pattern INTERACTIVE = Pattern.compile("-[a-zA-Z]*i|--interactive");

    static Listening to(Reading reading) {
        if (SHELL_AT_THE_END.matcher(reading.raw().strip()).matches()) {
            return SHELL; // `sudo -i` alone: there is no command in it
        }
        boolean reads = reading.programs().contains("read");
        Listening found = NEITHER;
        for (String line : reading.commands()) {
            Listening one = to(line, reads);
            if (one == SHELL) {
                return SHELL;
            }
            found = one == INTERPRETER ? INTERPRETER : found;
        }
        return found;
    }

    private static Listening to(String line, boolean reads) {
        List<String> words = List.of(line.split(" ", -1));
        String program = words.getFirst();
        boolean alone = words.stream().skip(1).allMatch(word -> word.startsWith("-"));
        boolean stdin = STDIN.matcher(line).matches();
        boolean text =
                words.stream().skip(1).anyMatch(word -> TEXT.matcher(word).matches());
        boolean shell = SHELLS.contains(program) && !text && (alone || stdin || words.contains("-s"));
        if (shell
                || HOLDERS.contains(program)
                || (stdin && (program.equals("source") || program.equals(".")))
                || (reads && (program.equals("eval") || program.startsWith("$"))) // while read x; do $x; done
                || LINE_BY_LINE.matcher(line).matches()
                || SHELL_AT_THE_END.matcher(line).matches()) {
            return SHELL;
        }
        if (PROMPTS.contains(program)) {
            return text ? NEITHER : INTERPRETER;
        }
        boolean interpreter =
                INTERPRETERS.contains(program) || PYTHON.matcher(program).matches();
        boolean interactive = words.stream()
                .skip(1)
                .anyMatch(word -> INTERACTIVE.matcher(word).matches());
        return interpreter && (interactive || stdin || (alone && !text)) ? INTERPRETER : NEITHER;
    }
}
