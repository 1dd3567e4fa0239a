package dev.talaria.engine.gate;

import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// What a command does with its input. Text that somebody types into a shell is a command.
enum InputMeaning {
    SHELL,
    INTERPRETER,
    /// The command reads data, or nothing.
    NEITHER;

    private static final Set<String> SHELLS = Words.set("""
            bash sh zsh ksh ksh93 dash ash mksh rbash fish csh tcsh yash posh osh nu elvish xonsh pwsh $shell ${shell}
            $bash ${bash} $0
            """);

    /// Programs that usually contain a shell, whatever their arguments.
    private static final Set<String> HOLDERS = Words.set("""
            ssh su screen tmux script expect telnet nsenter chroot socat nc at batch newgrp sg login runuser machinectl
            toolbox distrobox nix-shell
            """);

    /// Programs that start a shell if their arguments name no program.
    private static final Set<String> STARTERS = Set.of("unshare", "pkexec", "setpriv", "dbus-run-session", "fakeroot");

    /// Options of shells that take the next word.
    private static final Set<String> VALUED =
            Set.of("-o", "+o", "-O", "+O", "--rcfile", "--init-file", "-R", "-euo", "-eo", "-uo", "-xeo", "-exo");

    /// Interpreters that run a file if one is named.
    private static final Set<String> INTERPRETERS = Words.set("""
            node ruby irb perl php lua deno bun julia r ghci scala jshell ipython bpython pry iex erl octave sbcl guile
            racket groovysh ts-node
            """);

    /// Programs that read commands even if a file is named.
    private static final Set<String> PROMPTS = Words.set("""
            gdb lldb vi vim nvim emacs ed ex less psql mysql mariadb sqlite3 mongosh mongo redis-cli sqlplus
            """);

    private static final Pattern PYTHON = Pattern.compile("(?:python|pypy)[0-9.]*");
    private static final Pattern SHELL_AT_THE_END = Pattern.compile(
            "(?:docker|podman|kubectl|lxc|sudo|doas)(?: .*)?(?: (?:\\S*/)?(?:ba|z|k|da|a|fi)?sh| -[a-z]*[is][a-z]*)");

    /// Programs that run each line of their input.
    private static final Pattern LINE_BY_LINE =
            Pattern.compile("(?:xargs|parallel)(?: .*)? (?:\\S*/)?(?:(?:ba|z|k|da|a)?sh|eval|sudo|env)(?: .*)?"
                    + "|parallel(?: -\\S+)*|(?:g|m|n)?awk .*system\\(.*");

    /// `while read x; do eval "$x"; done`, however its body was read.
    private static final Pattern READ_AND_RUN =
            Pattern.compile("\\bread\\b[^|]*?(?:\\beval\\b|\\bdo\\s+[\"']?\\$|;\\s*[\"']?\\$)");

    private static final Pattern STDIN = Pattern.compile(".* (?:/dev/(?:stdin|fd/0)|/proc/[^/ ]+/fd/0)(?: .*)?");
    private static final Pattern TEXT = Pattern.compile("-[a-zA-Z]*[ce]");
    private static final Pattern COMMANDS = Pattern.compile("-[a-zA-Z]*c[a-zA-Z]*|--command(?:=.*)?");
    private static final Pattern INPUT = Pattern.compile("-[a-zA-Z]*s[a-zA-Z]*|-|--stdin");
    private static final Pattern INTERACTIVE = Pattern.compile("-[a-zA-Z]*i|--interactive");

    static InputMeaning to(Reading reading) {
        if (SHELL_AT_THE_END.matcher(reading.raw().strip()).matches()) {
            return SHELL; // `sudo -i` alone contains no command
        }
        boolean reads = reading.programs().contains("read");
        if (reads && READ_AND_RUN.matcher(reading.raw()).find()) {
            return SHELL;
        }
        InputMeaning found = NEITHER;
        for (String line : reading.commands()) {
            InputMeaning one = to(line, reads);
            if (one == SHELL) {
                return SHELL;
            }
            found = one == INTERPRETER ? INTERPRETER : found;
        }
        return found;
    }

    private static InputMeaning to(String line, boolean reads) {
        List<String> words = List.of(line.split(" ", -1));
        String program = words.getFirst();
        boolean alone = words.stream().skip(1).allMatch(word -> word.startsWith("-"));
        boolean stdin = STDIN.matcher(line).matches();
        boolean text =
                words.stream().skip(1).anyMatch(word -> TEXT.matcher(word).matches());
        if (shell(program, words, stdin)
                || (alone && STARTERS.contains(program))
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

    /// Returns whether a shell reads commands from its input: no text and no file is given, or an
    /// option asks for it.
    private static boolean shell(String program, List<String> words, boolean stdin) {
        if (!SHELLS.contains(program)) {
            return false;
        }
        int at = 1;
        while (at < words.size()
                && (words.get(at).startsWith("-") || words.get(at).startsWith("+"))) {
            String option = words.get(at);
            if (COMMANDS.matcher(option).matches()) {
                return false;
            }
            if (INPUT.matcher(option).matches()) {
                return true;
            }
            at += VALUED.contains(option) ? 2 : 1;
        }
        boolean file = at < words.size()
                && words.get(at).indexOf('<') < 0
                && words.get(at).indexOf('>') < 0;
        return !file || stdin;
    }
}
