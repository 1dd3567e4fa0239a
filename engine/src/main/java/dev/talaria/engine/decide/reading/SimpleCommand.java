package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One program and its words, once the scanner has seen its end: what stands in front is peeled off, and what it would
/// run itself is read in turn.
final class SimpleCommand {
    private static final Set<String> RESERVED = Set.of(
            "then",
            "do",
            "else",
            "if",
            "elif",
            "while",
            "until",
            "!",
            "{",
            "}",
            "fi",
            "done",
            "esac",
            "coproc",
            "function");
    private static final int MOST_EXPANDED = 10_000;
    private static final int LONGEST_EXPANDED = 200;
    private static final Set<String> PRINTERS = Set.of("echo", "printf");
    private static final Set<String> FINDERS = Set.of("which", "command", "type");

    private final List<Word> words; // peeled; redirections stand at the end
    private final String program;
    private final String line;

    private SimpleCommand(List<Word> words, String program, String line) {
        this.words = words;
        this.program = program;
        this.line = line;
    }

    /// Takes a command into what was found, and everything that it would run.
    ///
    /// @return nothing if it has no words
    static Optional<SimpleCommand> take(List<Word> written, Findings findings, int depth) {
        List<Word> ordered = braces(redirectionsLast(withoutReserved(written)));
        if (ordered.isEmpty() || findings.over()) {
            return Optional.empty();
        }
        if (ordered.size() < written.size()) {
            findings.compounded();
        }
        remember(ordered, findings);
        List<Word> peeled = withoutReserved(Wrappers.peel(ordered, findings)); // time { ...
        if (peeled.size() != ordered.size()) {
            findings.command(Programs.name(ordered.getFirst().text()), show(ordered));
        }
        if (peeled.isEmpty() || peeled.getFirst().syntax()) {
            peeled = concat(Word.of(":"), peeled); // assignments or redirections alone
        }
        String program = Programs.name(peeled.getFirst().text());
        SimpleCommand command = new SimpleCommand(peeled, program, show(peeled));
        findings.command(program, command.line);
        new Payloads(findings, depth).read(program, peeled, ordered);
        return Optional.of(command);
    }

    String program() {
        return program;
    }

    String line() {
        return line;
    }

    /// Returns what the command prints, where that can be told.
    Optional<String> output() {
        List<String> given = words.stream()
                .skip(1)
                .takeWhile(word -> !word.syntax())
                .map(Word::text)
                .toList();
        List<String> arguments = given.stream()
                .dropWhile(text -> text.startsWith("-") && text.length() <= 3)
                .toList();
        if (PRINTERS.contains(program) && !arguments.isEmpty()) {
            boolean format = program.equals("printf")
                    && arguments.size() > 1
                    && arguments.getFirst().contains("%");
            String text = String.join(" ", format ? arguments.subList(1, arguments.size()) : arguments);
            boolean escapes = program.equals("printf") || given.getFirst().startsWith("-");
            return Optional.of(escapes ? AnsiQuotes.decode(text) : text);
        }
        return FINDERS.contains(program) && !arguments.isEmpty() ? Optional.of(arguments.getLast()) : Optional.empty();
    }

    /// Returns whether it is a shell that takes its commands from what it is fed.
    boolean readsCommands() {
        return Programs.shell(program)
                && words.stream()
                        .skip(1)
                        .takeWhile(word -> !word.syntax())
                        .allMatch(word -> word.text().startsWith("-"));
    }

    private static List<Word> withoutReserved(List<Word> words) {
        int at = 0;
        while (at < words.size()
                && !words.get(at).syntax()
                && RESERVED.contains(words.get(at).text())) {
            at++;
        }
        return words.subList(at, words.size());
    }

    /// `>log rm x` is `rm x >log`.
    private static List<Word> redirectionsLast(List<Word> words) {
        if (words.isEmpty() || !words.getFirst().syntax()) {
            return words;
        }
        List<Word> plain = new ArrayList<>();
        List<Word> redirections = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).syntax() && !words.get(i).text().endsWith(")") && i + 1 < words.size()) {
                redirections.add(words.get(i));
                redirections.add(words.get(++i));
            } else {
                plain.add(words.get(i));
            }
        }
        plain.addAll(redirections);
        return plain;
    }

    /// `{rm,-rf,/}` is three words, and `/{etc,usr}` two.
    private static List<Word> braces(List<Word> words) {
        if (words.stream().noneMatch(SimpleCommand::expands)) {
            return words;
        }
        List<Word> all = new ArrayList<>();
        int left = MOST_EXPANDED;
        for (Word word : words) {
            if (!expands(word) || left <= 0) {
                all.add(word);
                continue;
            }
            String text = word.text();
            int open = text.indexOf('{');
            int close = text.indexOf('}', open);
            for (String part : text.substring(open + 1, close).split(",", -1)) {
                String one = text.substring(0, open) + part + text.substring(close + 1);
                left -= one.length();
                if (!one.isEmpty()) {
                    all.add(Word.of(one));
                }
            }
        }
        return all;
    }

    /// Not in what looks like JSON, nor in `find`'s `{}`.
    private static boolean expands(Word word) {
        String text = word.text();
        int open = text.indexOf('{');
        int close = open < 0 || word.syntax() || text.length() > LONGEST_EXPANDED ? -1 : text.indexOf('}', open);
        return close > 0
                && (open == 0 || text.charAt(open - 1) != '$')
                && text.substring(open, close).indexOf(',') > 0
                && text.indexOf('"') < 0
                && text.indexOf(' ') < 0;
    }

    private static void remember(List<Word> words, Findings findings) {
        for (Word word : words) {
            if (word.syntax() || !Programs.assignment(word.text())) {
                if (!Set.of("export", "local", "declare", "typeset", "readonly").contains(word.text())) {
                    return;
                }
                continue;
            }
            int equals = word.text().indexOf('=');
            String name = word.text().substring(0, equals);
            findings.compounded();
            if (name.endsWith("+")) {
                String bare = name.substring(0, name.length() - 1);
                findings.variable(
                        bare, findings.variable(bare).orElse("") + word.text().substring(equals + 1));
            } else {
                findings.variable(name, word.text().substring(equals + 1));
            }
        }
    }

    private static List<Word> concat(Word first, List<Word> rest) {
        List<Word> all = new ArrayList<>(rest.size() + 1);
        all.add(first);
        all.addAll(rest);
        return all;
    }

    private static String show(List<Word> words) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < words.size(); i++) {
            if (i > 0) {
                line.append(' ');
                words.get(i).show(line);
            } else if (Programs.assignment(words.get(i).text())) {
                words.get(i).show(line);
            } else {
                Word.of(Programs.name(words.get(i).text())).show(line);
            }
        }
        return line.toString();
    }
}
