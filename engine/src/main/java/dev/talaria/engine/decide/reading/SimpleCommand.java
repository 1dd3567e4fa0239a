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

    /// Programs whose paths matter wherever they start from.
    private static final Set<String> DESTROYERS =
            Set.of("rm", "find", "shred", "unlink", "rmdir", "mv", "chmod", "chown", "chgrp");

    private static final int MOST_PATHS = 5_000;

    private final List<Word> words; // peeled; redirections stand at the end
    private final List<String> arguments;
    private final String program;
    private final String line;

    private SimpleCommand(List<Word> words, String program, String line) {
        this.words = words;
        this.arguments = texts(words);
        this.program = program;
        this.line = line;
    }

    /// Takes a command into what was found, and everything that it would run.
    ///
    /// @param fed what it reads, where that is known
    /// @return nothing if it has no words
    static Optional<SimpleCommand> take(List<Word> written, Findings findings, int depth, Optional<String> fed) {
        List<Word> ordered = redirectionsLast(withoutReserved(written));
        if (ordered.isEmpty() || findings.over()) {
            return Optional.empty();
        }
        if (withoutReserved(written).size() < written.size()) {
            findings.compounded();
        }
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
        Findings.Folder folder = findings.folder();
        Optional<String> moved = Wrappers.folder(ordered);
        moved.ifPresent(path -> findings.folder(folder.to(path)));
        command.resolve(findings);
        Optional<String> input = command.input(fed);
        Effects.of(program, ordered, command.arguments, findings, input);
        new Payloads(findings, depth, input).read(program, peeled, ordered, command.arguments);
        moved.ifPresent(_ -> findings.folder(folder));
        return Optional.of(command);
    }

    String program() {
        return program;
    }

    String line() {
        return line;
    }

    /// Returns what the command prints, where that can be told.
    Optional<String> output(Optional<String> fed) {
        return Filters.output(program, arguments, input(fed));
    }

    private Optional<String> input(Optional<String> fed) {
        for (int i = 1; i + 1 < words.size(); i++) {
            if (words.get(i).syntax() && words.get(i).text().equals("<<<")) {
                return Optional.of(words.get(i + 1).text());
            }
        }
        return fed;
    }

    /// Returns the arguments: words up to the first redirection.
    static List<String> texts(List<Word> words) {
        List<String> texts = new ArrayList<>(words.size());
        for (int i = 1; i < words.size() && !words.get(i).syntax(); i++) {
            texts.add(words.get(i).text());
        }
        return texts;
    }

    /// Returns whether it is a shell that takes its commands from what it is fed.
    boolean readsCommands() {
        return switch (program) {
            case "source", "." -> arguments.contains("/dev/stdin") || arguments.contains("/dev/fd/0");
            case "at", "batch" -> true;
            case "ssh", "su" -> true;
            default ->
                Programs.shell(program)
                        && (arguments.stream().allMatch(text -> text.startsWith("-"))
                                || arguments.stream().anyMatch(text -> readsInput(text)));
        };
    }

    /// Whether a shell's argument has it read its input: `-s`, or the input by its name.
    private static boolean readsInput(String text) {
        return (text.startsWith("-") && text.endsWith("s") && !text.startsWith("--"))
                || text.equals("/dev/stdin")
                || text.equals("/dev/fd/0");
    }

    /// Returns whether a here-document is commands to it.
    boolean runsItsInput() {
        return Programs.shell(program) || readsCommands();
    }

    /// Notes the command with its paths as they would be found, if that is another than the written one.
    private void resolve(Findings findings) {
        if (!DESTROYERS.contains(program)) {
            return;
        }
        Optional<String> folder = findings.folder().path();
        boolean high = folder.filter(path -> path.lastIndexOf('/') == 0).isPresent();
        List<Word> found = new ArrayList<>(words.size() + 1);
        found.add(words.getFirst());
        if (program.equals("find") && (words.size() == 1 || words.get(1).text().startsWith("-"))) {
            found.add(Word.of(folder.orElse(".")));
        }
        int paths = 0;
        for (Word word : words.subList(1, words.size())) {
            boolean operand = !word.syntax() && !word.text().startsWith("-");
            if (!operand || (!high && plain(word.text()))) {
                found.add(word);
                continue;
            }
            if (++paths > MOST_PATHS) {
                findings.giveUp("it names more than " + MOST_PATHS + " paths");
                return;
            }
            found.add(Paths.resolve(word.text(), folder).map(Word::of).orElse(word));
        }
        String shown = show(found);
        if (!shown.equals(line)) {
            findings.resolved(shown);
        }
    }

    /// Whether a name can only be that of something in the folder.
    private static boolean plain(String name) {
        return name.indexOf('/') < 0 && !Globs.wild(name) && !name.startsWith(".") && !name.startsWith("~");
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

    /// `>log rm x` and `rm >log x` are `rm x >log`. Paths are cleaned on the way.
    private static List<Word> redirectionsLast(List<Word> words) {
        List<Word> plain = new ArrayList<>(words.size());
        List<Word> redirections = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            Word word = words.get(i);
            if (!word.syntax() || word.substituted()) {
                plain.add(clean(word));
                continue;
            }
            redirections.add(word);
            boolean target = i + 1 < words.size()
                    && !word.text().equals("<<")
                    && (!words.get(i + 1).syntax() || words.get(i + 1).substituted());
            if (target) {
                redirections.add(clean(words.get(++i)));
            }
        }
        plain.addAll(redirections);
        return plain;
    }

    private static Word clean(Word word) {
        String cleaned = word.syntax() ? word.text() : Paths.clean(word.text());
        return cleaned.equals(word.text()) ? word : Word.of(cleaned);
    }

    private static List<Word> concat(Word first, List<Word> rest) {
        List<Word> all = new ArrayList<>(rest.size() + 1);
        all.add(first);
        all.addAll(rest);
        return all;
    }

    static String show(List<Word> words) {
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
