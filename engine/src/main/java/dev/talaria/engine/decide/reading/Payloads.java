package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Commands inside commands: the text after `sh -c`, what `eval` is given, what `xargs` and `find -exec` run.
final class Payloads {
    private static final Set<String> EXECS = Set.of("-exec", "-execdir", "-ok", "-okdir");
    private static final String XARGS_VALUES = "InPLdsEa";
    private static final String SSH_VALUES = "bcDEeFIiJLlmOopQRSWw";

    /// Variables whose values are commands to some program.
    private static final Pattern RUN = Pattern.compile(
            "(?:\\w*PAGER|\\w*EDITOR|VISUAL|PROMPT_COMMAND|GIT_SSH_COMMAND|GIT_ASKPASS|LESSOPEN|SHELL)=(.+)",
            Pattern.DOTALL);

    /// Options whose values are commands.
    private static final Pattern OPTION = Pattern.compile(
            "--(?:checkpoint-action=exec|to-command|use-compress-program|rsh|pager|compress-program|pre)=(.+)",
            Pattern.DOTALL);

    private static final Pattern GIT_SETTING = Pattern.compile(
            "(?i)(?:core\\.\\w*(?:pager|editor|sshcommand|askpass|fsmonitor)|\\w*\\.\\w*tool\\.\\w+|pager\\.\\w+)=(.+)"
                    + "|alias\\.\\w+=!(.+)",
            Pattern.DOTALL);

    private static final int MOST_WORDS = 20_000;
    private static final Pattern ESCAPE = Pattern.compile("^[+:%\\d,$]*(?:!|e )(.+)", Pattern.DOTALL);

    private final Findings findings;
    private final int depth;
    private final Optional<String> input;

    /// @param input what the command reads, where that is known
    Payloads(Findings findings, int depth, Optional<String> input) {
        this.findings = findings;
        this.depth = depth;
        this.input = input;
    }

    /// @param written the same command with what stands in front of it
    /// @param arguments its words after the program's name
    void read(String program, List<Word> words, List<Word> written, List<String> arguments) {
        defined(words);
        splitStrings(written);
        settings(program, written);
        hereStrings(program, words);
        switch (program) {
            case "eval" -> text(join(words, 1));
            case "-c" -> text(join(words, 1)); // what is left of flock FILE -c 'commands'
            case "trap" -> text(words.size() > 1 ? words.get(1).text() : "");
            case "watch" -> text(join(words, firstOperand(words, "n")));
            case "runuser" -> {
                afterC(words);
                after(words, Set.of("-u", "--user"), 2);
            }
            case "su", "script" -> afterC(words);
            case "ssh" -> text(join(words, firstOperand(words, SSH_VALUES) + 1));
            case "xargs", "parallel" -> xargs(words);
            case "find" -> executed(words);
            case "start-stop-daemon" -> daemon(words);
            case "tmux" -> multiplexed(words, firstOperand(words, "fLS"));
            case "screen" -> words(words, firstOperand(words, "StTchp"), words.size());
            case "nc", "ncat", "socat" -> after(words, Set.of("-e", "-c", "--exec", "--sh-exec"), 1);
            case "vi", "vim", "nvim", "ed", "ex", "sed" -> escapes(arguments);
            default -> {
                if (Programs.shell(program)) {
                    afterC(words);
                } else {
                    Code.commands(program, arguments).forEach(this::text);
                }
            }
        }
    }

    private void text(String commands) {
        if (!commands.isBlank() && findings.admit(0, depth + 1)) {
            findings.compounded();
            new ShellReader(commands, findings, depth + 1).read();
        }
    }

    /// Reads what another shell is given: where that goes, ours does not.
    private void shell(String commands) {
        Findings.Folder folder = findings.folder();
        text(commands);
        findings.folder(folder);
    }

    private void words(List<Word> words, int from, int to) {
        if (from < to && findings.admit(0, depth + 1)) {
            findings.compounded();
            var _ = SimpleCommand.take(words.subList(from, to), findings, depth + 1, Optional.empty());
        }
    }

    /// A name that stands for an alias or a function of the text's.
    private void defined(List<Word> words) {
        String name = words.getFirst().text();
        findings.function(name).ifPresent(body -> findings.inside(name, SimpleCommand.texts(words), () -> text(body)));
        findings.alias(name)
                .ifPresent(commands -> findings.inside(
                        "alias " + name, findings.arguments(), () -> text(commands + " " + join(words, 1))));
    }

    /// `env -S 'rm -rf /'`
    private void splitStrings(List<Word> written) {
        for (int i = 1;
                i < written.size() && Programs.name(written.getFirst().text()).equals("env");
                i++) {
            String word = written.get(i).text();
            int letter = word.startsWith("-") && !word.startsWith("--") ? word.indexOf('S') : -1;
            if (word.equals("--split-string") || (letter > 0 && letter == word.length() - 1)) {
                text(join(written, i + 1));
                return;
            }
            if (letter > 0 || word.startsWith("--split-string=")) {
                String first = letter > 0 ? word.substring(letter + 1) : word.substring(word.indexOf('=') + 1);
                text(first + " " + join(written, i + 1));
                return;
            }
        }
    }

    /// `GIT_PAGER='rm -rf /' git log`, `tar --to-command='rm -rf /'`
    private void settings(String program, List<Word> written) {
        for (Word word : written) {
            String text = word.text();
            if (word.syntax() || text.indexOf('=') < 3) {
                continue;
            }
            Matcher variable = RUN.matcher(text);
            Matcher option = OPTION.matcher(text);
            if (variable.matches()) {
                shell(variable.group(1));
            } else if (text.startsWith("--") && option.matches()) {
                shell(option.group(1));
            } else if (program.equals("git")) {
                Matcher setting = GIT_SETTING.matcher(text);
                if (setting.matches()) {
                    shell(setting.group(1) == null ? setting.group(2) : setting.group(1));
                }
            }
        }
    }

    /// `bash <<< 'rm -rf /'`, `bash <(echo 'rm -rf /')`
    private void hereStrings(String program, List<Word> words) {
        if (!Programs.shell(program)
                && !Set.of("source", ".", "at", "batch", "ssh", "su").contains(program)) {
            return;
        }
        for (int i = 1; i < words.size(); i++) {
            Word word = words.get(i);
            if (word.syntax() && word.text().equals("<<<") && i + 1 < words.size()) {
                shell(words.get(i + 1).text());
            }
            word.content().ifPresent(this::shell);
        }
    }

    /// What it reads becomes words of the command that it runs.
    private void xargs(List<Word> words) {
        int from = firstOperand(words, XARGS_VALUES);
        words(words, from, words.size());
        List<String> texts = SimpleCommand.texts(words);
        int given = texts.indexOf(":::");
        String more = given >= 0 ? String.join(" ", texts.subList(given + 1, texts.size())) : input.orElse("");
        if (more.isBlank() || from >= words.size()) {
            return;
        }
        if (more.length() > MOST_WORDS) {
            String program = Programs.name(words.get(from).text());
            if (program.equals("rm") || Programs.shell(program)) {
                findings.giveUp("xargs is given too much to be checked");
            }
            return;
        }
        List<String> command = new ArrayList<>();
        for (int i = from; i < words.size() && !words.get(i).syntax() && i - 1 != given; i++) {
            command.add(words.get(i).text().replace("{}", more).replace("%", more));
        }
        text(String.join(" ", command) + " " + more.replace('\n', ' '));
    }

    private void afterC(List<Word> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i).text();
            boolean option = word.length() > 1 && word.charAt(0) == '-' && word.charAt(1) != '-';
            if (word.startsWith("--command=")) {
                shell(word.substring("--command=".length()));
                return;
            }
            if (i + 1 < words.size() && ((option && word.indexOf('c') > 0) || word.equals("--command"))) {
                int payload = i + 1;
                while (payload + 1 < words.size() && words.get(payload).text().startsWith("-")) {
                    payload++; // bash -c -e 'commands'
                }
                List<String> arguments = SimpleCommand.texts(words.subList(payload, words.size()));
                String commands = words.get(payload).text();
                findings.inside( // sh -c 'rm -rf $1' sh /
                        "-c " + depth,
                        arguments.subList(Math.min(1, arguments.size()), arguments.size()),
                        () -> shell(commands));
                return;
            }
        }
    }

    /// What stands some words after one of the options.
    private void after(List<Word> words, Set<String> options, int distance) {
        for (int i = 1; i + distance < words.size(); i++) {
            if (options.contains(words.get(i).text())) {
                int from = words.get(i + distance).text().equals("--") ? i + distance + 1 : i + distance;
                shell(join(words, from));
                return;
            }
        }
    }

    private void daemon(List<Word> words) {
        List<String> texts = SimpleCommand.texts(words);
        int dashes = texts.indexOf("--");
        for (String option : List.of("--exec", "-x", "--startas", "-a")) {
            int at = texts.indexOf(option);
            if (at >= 0 && at + 1 < texts.size()) {
                String arguments = dashes < 0 ? "" : String.join(" ", texts.subList(dashes + 1, texts.size()));
                text(texts.get(at + 1) + " " + arguments);
            }
        }
    }

    private void multiplexed(List<Word> words, int subcommand) {
        words.stream().map(Word::text).filter(text -> text.indexOf(' ') > 0).forEach(this::shell);
        if (subcommand + 1 < words.size()) {
            List<Word> rest = words.subList(subcommand, words.size());
            words(rest, firstOperand(rest, "csntxyFe"), rest.size());
        }
    }

    /// `vim -c '!rm -rf /'`, `sed '1e rm -rf /'`
    private void escapes(List<String> arguments) {
        for (String text : arguments) {
            Matcher matcher = ESCAPE.matcher(text);
            if (matcher.find()) {
                shell(matcher.group(1));
            }
        }
    }

    private void executed(List<Word> words) {
        for (int i = 1; i < words.size(); i++) {
            if (EXECS.contains(words.get(i).text())) {
                int end = i + 1;
                while (end < words.size()
                        && !words.get(end).text().equals(";")
                        && !words.get(end).text().equals("+")) {
                    end++;
                }
                words(words, i + 1, end);
                i = end;
            }
        }
    }

    private static int firstOperand(List<Word> words, String takesValue) {
        int at = 1;
        while (at < words.size() && words.get(at).text().startsWith("-")) {
            String option = words.get(at).text();
            boolean next = option.length() == 2 && takesValue.indexOf(option.charAt(1)) >= 0;
            at += next ? 2 : 1;
        }
        return at;
    }

    private static String join(List<Word> words, int from) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i < words.size() && !words.get(i).syntax(); i++) {
            texts.add(words.get(i).text());
        }
        return String.join(" ", texts);
    }
}
