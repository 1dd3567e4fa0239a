package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the commands of editors: `vim -c`, `ex`, `ed`. Those commands run programs and write files.
final class Editors {
    private static final Set<String> NAMES = Set.of(
            "vi", "vim", "nvim", "ed", "ex", "view", "rvim", "rview", "gvim", "vimdiff", "nvi", "elvis", "red", "exim");
    private static final Set<String> OF_LINES = Set.of("ed", "ex", "red");
    private static final Pattern SUBSTITUTES = Pattern.compile("^[:\\s\\d,.$%;'+/\\\\-]*s[^\\w\\s!].*", Pattern.DOTALL);
    /// A `!` that is not part of a name such as `q!`. `r!ls` counts, and so does a `!` at the
    /// beginning.
    private static final Pattern BANG =
            Pattern.compile("(?:(?<![a-zA-Z=<>!])|(?<=\\br|\\bre|\\brea|\\bread|!))!(?![=~])");
    private static final Pattern BEHIND_MARK =
            Pattern.compile("^[:\\s]*'[a-zA-Z<](?:,'[a-zA-Z>])?!(.*)", Pattern.DOTALL);
    private static final Pattern TERMINAL =
            Pattern.compile("(?:^|[|:\\s])(?:ter|term|termi\\w*)!?\\s+(?:\\+\\+\\S+\\s+)*(.+)", Pattern.DOTALL);
    private static final Pattern PROGRAM = Pattern.compile(
            "\\b(?:makeprg|mp|grepprg|gp|equalprg|ep|formatprg|fp|keywordprg|kp|shell|sh|shellcmdflag|shcf|ccexpr)\\s*=(.+)",
            Pattern.DOTALL);
    private static final Pattern WRITES = Pattern.compile(
            "(?:^|[|:\\n\\s\\d$%/\"'])(?:w|wr|wri|writ|write|W|wq|x|xit|exi|exit|sav|save\\w*|f|file|up\\w*|redir|mks\\w*|mkv\\w*|e|edit|wn)(?![a-zA-Z])"
                    + "!?\\s*(?:\\+\\+\\S+\\s+)*>{0,2}\\s*([~/.$\\w][^|\\s\"']*)");
    private static final Pattern WRITES_BY_CALL =
            Pattern.compile("writefile\\(.{0,500},\\s*(?:expand\\()?[\"']([^\"']+)[\"']");
    private static final Pattern OTHER_LANGUAGE = Pattern.compile(
            "(?:^|[|:\\n\\s])(?:py\\w*|perl\\w*|ruby\\w*|lua\\w*|tcl\\w*|mz\\w*)\\s+(.+)", Pattern.DOTALL);

    private Editors() {}

    static boolean named(String program) {
        return NAMES.contains(program);
    }

    static void run(String program, List<String> words, Call call, Evaluator evaluator, Runners runners) {
        List<String> texts = new ArrayList<>();
        List<String> files = new ArrayList<>();
        boolean silent = OF_LINES.contains(program);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            boolean letters = word.matches("-[a-zA-Z]+");
            if (word.startsWith("+")) {
                texts.add(word.substring(1));
            } else if (word.equals("--cmd") || word.startsWith("--rem") || (letters && word.endsWith("c"))) {
                texts.add(next);
                i++;
            } else if (word.matches("-[a-zA-Z]*[SsuUW]") && !silent && !word.equals("-es") && !word.equals("-Es")) {
                evaluator.targets.taken(next, call.state()).ifPresent(texts::add);
                i++;
            } else if (word.matches("-c.+|-[eEs]+c.+")) {
                texts.add(word.substring(word.indexOf('c') + 1));
            } else if (word.startsWith("!")) {
                texts.add(word); // ed '!rm -rf /'
            } else if (!word.startsWith("-")) {
                files.add(word);
            }
            silent |= word.matches("-[eEs]+|-es.*|-Es.*|-");
        }
        String input = call.state().input.rest();
        if (silent && !input.isEmpty() && !input.equals(ShellContext.TYPED)) {
            texts.add(call.state().input.takeAll());
        }
        texts.forEach(text -> edits(text, call, evaluator, runners));
        if (!program.equals("view") && !words.contains("-R")) {
            files.forEach(file -> evaluator.targets.write("write", file, call.state()));
        }
    }

    private static void edits(String text, Call call, Evaluator evaluator, Runners runners) {
        if (evaluator.findings.marks.made(text)) {
            evaluator.findings.unknown("It gives an editor commands that cannot be told beforehand.");
        }
        text.lines().forEach(line -> {
            if (!SUBSTITUTES.matcher(line).matches() || line.indexOf('|') >= 0) {
                Matcher bang = BANG.matcher(line);
                Matcher mark = BEHIND_MARK.matcher(line);
                if (mark.matches()) {
                    var _ = runners.text(mark.group(1), call);
                } else if (bang.find()) {
                    String command = line.substring(bang.end()).strip();
                    var _ = runners.text(unquoted(line, bang.start(), command), call);
                }
            }
            Matcher terminal = TERMINAL.matcher(line);
            if (terminal.find()) {
                var _ = runners.text(terminal.group(1), call);
            }
            Matcher program = PROGRAM.matcher(line);
            if (program.find()) {
                var _ = runners.text(program.group(1).replace("\\ ", " ").replace("\\|", "|"), call);
            }
            writes(line, call, evaluator);
        });
        Matcher other = OTHER_LANGUAGE.matcher(text);
        if (other.find()) {
            evaluator.findings.code(other.group(1));
        }
        EmbeddedCode.commands(text).forEach(command -> {
            Matcher bang = Pattern.compile("^[:\\s]*(?:sil\\w*!?\\s*)?(?:r\\w*\\s*)?!(.+)", Pattern.DOTALL)
                    .matcher(command);
            var _ = runners.text(bang.matches() ? bang.group(1) : command, call);
        });
    }

    /// Cuts off the closing quote of `execute "!rm -rf /"`, which is no part of the command.
    private static String unquoted(String line, int bang, String command) {
        char before = bang > 0 ? line.charAt(bang - 1) : ' ';
        int end = before == '"' || before == '\'' ? command.lastIndexOf(before) : -1;
        return end > 0 ? command.substring(0, end) : command;
    }

    private static void writes(String line, Call call, Evaluator evaluator) {
        Matcher written = WRITES.matcher(line);
        while (written.find()) {
            String path = written.group(1);
            if (path.startsWith("/") || path.startsWith("~") || path.startsWith(".") || path.startsWith("$HOME")) {
                evaluator.targets.write("write", path.replaceFirst("^\\$HOME", "~"), call.state());
            }
        }
        Matcher called = WRITES_BY_CALL.matcher(line);
        if (called.find()) {
            evaluator.targets.write("write", called.group(1).replaceFirst("^\\$HOME", "~"), call.state());
        }
    }
}
