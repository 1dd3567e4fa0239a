package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Commands inside commands: the text after `sh -c`, what `eval` is given, what `xargs` and `find -exec` run.
final class Payloads {
    private static final Set<String> EXECS = Set.of("-exec", "-execdir", "-ok", "-okdir");
    private static final String XARGS_VALUES = "InPLdsEa";

    private final Findings findings;
    private final int depth;

    Payloads(Findings findings, int depth) {
        this.findings = findings;
        this.depth = depth;
    }

    /// @param written the same command with what stands in front of it
    void read(String program, List<Word> words, List<Word> written) {
        splitStrings(written);
        hereStrings(program, words);
        switch (program) {
            case "eval" -> text(join(words, 1));
            case "-c" -> text(join(words, 1)); // what is left of flock FILE -c 'commands'
            case "trap" -> text(words.size() > 1 ? words.get(1).text() : "");
            case "watch" -> text(join(words, firstOperand(words, "n")));
            case "su", "script", "runuser" -> afterC(words);
            case "xargs", "parallel" -> words(words, firstOperand(words, XARGS_VALUES), words.size());
            case "find" -> executed(words);
            default -> {
                if (Programs.shell(program)) {
                    afterC(words);
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

    private void words(List<Word> words, int from, int to) {
        if (from < to && findings.admit(0, depth + 1)) {
            findings.compounded();
            var _ = SimpleCommand.take(words.subList(from, to), findings, depth + 1);
        }
    }

    /// `env -S 'rm -rf /'`
    private void splitStrings(List<Word> written) {
        for (int i = 1;
                i < written.size() && Programs.name(written.getFirst().text()).equals("env");
                i++) {
            String word = written.get(i).text();
            if (word.equals("-S") || word.equals("--split-string")) {
                text(join(written, i + 1));
                return;
            }
            if (word.startsWith("-S") || word.startsWith("--split-string=")) {
                text(word.replaceFirst("^(-S|--split-string=)", "") + " " + join(written, i + 1));
                return;
            }
        }
    }

    /// `bash <<< 'rm -rf /'`
    private void hereStrings(String program, List<Word> words) {
        for (int i = 1; i + 1 < words.size() && Programs.shell(program); i++) {
            if (words.get(i).syntax() && words.get(i).text().equals("<<<")) {
                text(words.get(i + 1).text());
            }
        }
    }

    private void afterC(List<Word> words) {
        for (int i = 1; i + 1 < words.size(); i++) {
            String word = words.get(i).text();
            boolean option = word.length() > 1 && word.charAt(0) == '-' && word.charAt(1) != '-';
            if ((option && word.indexOf('c') > 0) || word.equals("--command")) {
                int payload = i + 1;
                while (payload + 1 < words.size() && words.get(payload).text().startsWith("-")) {
                    payload++; // bash -c -e 'commands'
                }
                text(words.get(payload).text());
                return;
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
