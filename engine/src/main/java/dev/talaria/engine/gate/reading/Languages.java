package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Evaluates programs with a language of their own, which can contain commands: editors, `make`,
/// interpreters.
final class Languages {
    private static final Pattern FOREIGN_RUNS = Pattern.compile(
            "(?im)\\bsystem\\b(?!\\.(?:out|err|in)\\b)|ProcessBuilder|getRuntime|\\.execute\\b|\\.!"
                    + "|\\b(?:exec|spawn|shell|popen|syscmd|esyscmd|run-program|call-process|proc_open|os:cmd|open-input-pipe"
                    + "|shell-command\\S*|start-process\\S*|process\\*|open-port|cmd|unix|Sys\\.command)\\b|delete-(?:directory|file)\\b|\\bfile\\s+delete\\b|\\brm\\(.{0,200}recursive|\\\\!|^!|`");

    /// The ways in which clients of databases run a command or write a file.
    private static final Pattern DATABASE_RUNS = Pattern.compile(
            "(?im)\\\\!|\\bprogram\\s*['\"]|^\\s*(?:system|pager|edit)\\b|;\\s*(?:system|pager)\\b|\\\\P\\b|\\\\[og]x?\\s*\\||\\\\set\\b.{0,300}`"
                    + "|^\\s*\\.(?:sh\\w*|sy\\w*)\\b|^\\s*\\.\\w+\\b.{0,300}['\"\\s]\\||\\bload_extension\\b|^\\s*\\.load\\b|sys_exec|xp_cmdshell");

    private static final Pattern DATABASE_WRITES = Pattern.compile(
            "(?im)^\\s*\\.(?:output|once|backup|save|log|clone|trace|ou\\w*|ba\\w*|sa\\w*)\\s+(?:-\\S+\\s+)*(?:main\\s+)?['\"]?([^'\"\\s|]+)"
                    + "|\\\\(?:o|out|w|write|s|g|gx)\\s+([^\\s|]+)|\\bcopy\\b.{0,300}\\bto\\s+'([^']+)'|outfile\\s+'([^']+)'|dumpfile\\s+'([^']+)'"
                    + "|writefile\\(\\s*'([^']+)'|attach(?:\\s+database)?\\s+'([^']+)'|vacuum\\s+into\\s+'([^']+)'|(?:^|;)\\s*(?:tee|\\\\T)\\s+(\\S+)|lo_export\\([^,]*,\\s*'([^']+)'");

    private static final Pattern CHANGES =
            Pattern.compile("(?i)\\b(?:create|insert|update|delete|drop|alter|replace|vacuum)\\b");

    private static final Pattern TCL_WRITES = Pattern.compile("\\bopen\\s+\"?([/~][^\\s\"]*)\"?\\s+\"?[wa]");

    /// Other programs that read a language of their own.
    private static final Set<String> FOREIGN = Words.set("""
            tclsh expect wish guile sbcl clisp racket julia octave ocaml ghci scala groovy jshell erl elixir emacs gdb
            lldb m4 swipl gnuplot tcl
            """);

    private static final Set<String> DATABASES = Words.set("""
            sqlite3 sqlite psql mysql mariadb litecli pgcli mycli duckdb usql cockroach
            """);

    private final Evaluator evaluator;
    private final Findings findings;
    private final Runners runners;

    Languages(Evaluator evaluator, Runners runners) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
        this.runners = runners;
    }

    Outcome made(List<String> words, State state) {
        boolean own = words.stream()
                        .anyMatch(word -> state.files.containsKey(
                                evaluator.targets.key(word.replaceFirst("^(-f|--file=|--makefile=)", ""), state)))
                || Stream.of("Makefile", "makefile", "GNUmakefile", "build.ninja")
                        .anyMatch(name -> state.files.containsKey(evaluator.targets.key(name, state)));
        boolean text = words.stream()
                .anyMatch(word -> word.startsWith("--ev")
                        || word.contains("$(shell")
                        || word.equals("-f-")
                        || word.equals("--file=-")
                        || word.equals("/dev/stdin"));
        boolean input = words.contains("-f") && words.contains("-");
        if (text || input || own) {
            findings.unknown("It has make run rules that stand in the command.");
        }
        return Outcome.SILENT.printing(findings.marks.output("make"));
    }

    /// Evaluates a program that reads a language of its own, in which commands can stand.
    Outcome foreign(String program, List<String> words, Call call) {
        String input = call.state().input.rest();
        boolean database = DATABASES.contains(program);
        if (!database) {
            Interpreters.invocation(program, words)
                    .ifPresent(told -> note(told, call).forEach(text -> files(text, call)));
        }
        boolean typed = input.equals(ShellContext.TYPED);
        call.state().input.takeAll();
        StringBuilder files = new StringBuilder();
        words.forEach(word -> evaluator
                .targets
                .taken(word.replaceFirst("^--?\\w+=", ""), call.state())
                .ifPresent(files::append));
        String all = String.join("\n", words) + "\n" + (typed ? "" : input) + "\n" + files;
        if ((database ? DATABASE_RUNS : FOREIGN_RUNS).matcher(all).find()) {
            findings.unknown("It has " + program + " run a command.");
        }
        if (program.startsWith("sqlite") && CHANGES.matcher(all).find()) {
            words.stream()
                    .filter(word -> !word.startsWith("-"))
                    .limit(1)
                    .forEach(path -> evaluator.targets.write("write", path, call.state()));
        }
        Matcher written = DATABASE_WRITES.matcher(all);
        while (database && written.find()) {
            IntStream.rangeClosed(1, written.groupCount())
                    .mapToObj(written::group)
                    .filter(Objects::nonNull)
                    .forEach(path -> evaluator.targets.write("write", path, call.state()));
        }
        return Outcome.SILENT.printing(findings.marks.output(program));
    }

    private void files(String code, Call call) {
        if (tooLong(code)) {
            return;
        }
        CodeFiles.commands(code).forEach(command -> runners.text(command, call));
        Matcher opened = TCL_WRITES.matcher(code);
        while (opened.find()) {
            evaluator.targets.write("write", opened.group(1), call.state());
        }
    }

    /// Evaluates a program in another language, or an editor: `vim -c '!rm -rf /'`, `sed '1e rm -rf /'`.
    Optional<Outcome> code(String program, List<String> arguments, Call call) {
        if (DATABASES.contains(program) || FOREIGN.contains(program)) {
            return Optional.of(foreign(program, arguments, call));
        }
        switch (program) {
            case "dc", "bc", "ftp", "sftp", "lftp", "telnet", "smbclient", "tftp" -> calculated(arguments, call);
            case "less", "more", "most", "man", "lesspipe" ->
                arguments.stream()
                        .filter(word -> word.startsWith("+") && word.indexOf('!') > 0)
                        .forEach(word -> runners.text(word.substring(word.indexOf('!') + 1), call));
            default -> {
                if (Awk.named(program)) {
                    awk(arguments, call);
                } else if (Sed.named(program)) {
                    Sed.run(arguments, call, evaluator, runners);
                } else if (Editors.named(program)) {
                    Editors.run(program, arguments, call, evaluator, runners);
                } else {
                    Interpreters.invocation(program, arguments)
                            .ifPresent(told -> note(told, call).forEach(text -> judge(program, text, call)));
                }
            }
        }
        return Optional.empty();
    }

    /// Notes the programs that an interpreter runs, and returns them.
    private List<String> note(Interpreters.Invocation told, Call call) {
        List<String> texts = new ArrayList<>(told.texts());
        told.files().forEach(file -> evaluator.targets.taken(file, call.state()).ifPresent(texts::add));
        String input = call.state().input.rest();
        if (told.input() && !input.isEmpty() && !input.equals(ShellContext.TYPED)) {
            texts.add(call.state().input.takeAll());
        }
        texts.removeIf(String::isEmpty);
        texts.forEach(findings::code);
        told.shell().forEach(text -> runners.text(text, call));
        return texts;
    }

    private boolean tooLong(String code) {
        boolean longer = code.length() >= EmbeddedCode.LONGEST;
        if (longer) {
            findings.unknown("It holds a program of more than " + EmbeddedCode.LONGEST + " characters.");
        }
        return longer;
    }

    private void judge(String program, String code, Call call) {
        if (tooLong(code)) {
            return;
        }
        EmbeddedCode.commands(code).forEach(command -> runners.text(command, call));
        if (program.contains("py")) {
            code.lines()
                    .map(String::strip)
                    .filter(line -> EmbeddedCode.ESCAPE.matcher(line).lookingAt())
                    .forEach(line ->
                            runners.text(EmbeddedCode.ESCAPE.matcher(line).replaceFirst(""), call));
        }
    }

    private void awk(List<String> arguments, Call call) {
        Awk awk = Awk.of(arguments);
        List<String> programs = new ArrayList<>(awk.texts());
        awk.files().forEach(file -> evaluator.targets.taken(file, call.state()).ifPresent(programs::add));
        for (String program : programs) {
            if (Awk.runsInput(program)) {
                findings.unknown("It has awk run what it reads.");
            }
            EmbeddedCode.runs(program).forEach(command -> runners.text(command, call));
            awk.written(program).forEach(path -> evaluator.targets.write("write", path, call.state()));
        }
        awk.changed().forEach(path -> evaluator.targets.write("write", path, call.state()));
    }

    /// Evaluates calculators and clients that run a line after `!`: `dc -e '!ls'`.
    private void calculated(List<String> arguments, Call call) {
        String input = call.state().input.rest();
        String all = String.join("\n", arguments) + "\n" + (input.equals(ShellContext.TYPED) ? "" : input);
        all.lines()
                .filter(line -> line.matches(".*!(?![<>=]).*"))
                .forEach(line -> runners.text(line.replaceFirst("^.*?!(?![<>=])", ""), call));
    }
}
