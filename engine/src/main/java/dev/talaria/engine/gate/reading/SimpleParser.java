package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Assignment;
import dev.talaria.engine.gate.reading.Node.HereDocument;
import dev.talaria.engine.gate.reading.Node.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Parses a simple command: assignments, words and redirections.
final class SimpleParser {
    private static final String BEGINNINGS = "<>&{0123456789\\";
    private static final List<String> SIGNS =
            List.of("&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">");
    private static final Set<String> DECLARING =
            Set.of("declare", "typeset", "local", "export", "readonly", "alias", "eval");

    private static final Set<String> NAMING = Set.of("declare", "typeset", "local", "export", "readonly");

    private final Source source;
    private final WordParser words;

    SimpleParser(Source source, WordParser words) {
        this.source = source;
        this.words = words;
    }

    /// Parses up to the sign that ends the command. Behind a single word, that sign may be the
    /// parenthesis of a function.
    Node.Simple parse() {
        List<Assignment> assignments = new ArrayList<>();
        List<ShellWord> all = new ArrayList<>();
        List<Redirection> redirections = new ArrayList<>();
        while (true) {
            source.blanks();
            source.check();
            if (source.ended() || (source.peek() == '#')) {
                break;
            }
            if (redirection(redirections)) {
                continue;
            }
            char c = source.peek();
            boolean process = (c == '<' || c == '>') && source.second() == '(';
            if (Source.meta(c) && !process) {
                Node.Simple read = new Node.Simple(assignments, all, redirections);
                if (c == '(' && read.onlyWord().isEmpty()) {
                    throw source.trouble("a parenthesis stands where none should");
                }
                break;
            }
            boolean declares = !all.isEmpty()
                    && all.getFirst().literal().filter(DECLARING::contains).isPresent();
            Optional<Assignment> assignment = all.isEmpty() || declares ? assignment(declares) : Optional.empty();
            if (assignment.isEmpty()) {
                all.add(words.required());
                continue;
            }
            assignments.add(declares && associative(all) ? keyed(assignment.get()) : assignment.get());
            if (declares && NAMING.contains(all.getFirst().literal().orElse(""))) {
                all.add(ShellWord.of(assignment.get().name()));
            }
        }
        if (associative(all)) {
            all.stream()
                    .skip(1)
                    .flatMap(word -> word.literal().stream())
                    .filter(name -> name.matches("[A-Za-z_]\\w*"))
                    .filter(name ->
                            assignments.stream().noneMatch(one -> one.name().equals(name)))
                    .forEach(name -> assignments.add(keyed(
                            new Assignment(name, Optional.empty(), true, ShellWord.EMPTY, Optional.of(List.of())))));
        }
        if (assignments.isEmpty() && all.isEmpty() && redirections.isEmpty() && !source.ended()) {
            char c = source.peek();
            if (c == ';' || c == '&' || c == '|' || c == ')') {
                throw source.trouble("a sign stands where a command should");
            }
        }
        return new Node.Simple(assignments, all, redirections);
    }

    /// Returns whether the words begin with `declare -A`.
    private static boolean associative(List<ShellWord> all) {
        return all.size() > 1
                && NAMING.contains(all.getFirst().literal().orElse(""))
                && all.get(1)
                        .literal()
                        .filter(word -> word.matches("-[a-zA-Z]*A[a-zA-Z]*"))
                        .isPresent();
    }

    /// Returns an assignment to a list whose keys are texts.
    private static Assignment keyed(Assignment assignment) {
        return new Assignment(
                assignment.name(),
                Optional.of(ShellWord.of(Assignments.ASSOCIATIVE)),
                assignment.append(),
                assignment.value(),
                assignment.elements());
    }

    /// Parses `NAME=value`, `NAME+=value` and `NAME=(...)`. Takes nothing of any other word.
    ///
    /// @param lists whether the word stands behind one such as `declare`, where only a list is parsed
    ///     here
    private Optional<Assignment> assignment(boolean lists) {
        int begin = source.at;
        StringBuilder name = new StringBuilder();
        while (Programs.nameLetter(source.peek()) && !(name.isEmpty() && Character.isDigit(source.peek()))) {
            name.append(source.take());
        }
        Optional<ShellWord> subscript = Optional.empty();
        if (!name.isEmpty() && source.peek() == '[' && !lists) {
            source.at++;
            try {
                subscript = Optional.of(words.subscript());
            } catch (Source.SyntaxProblem trouble) {
                source.check();
                source.at = begin;
                return Optional.empty();
            }
        }
        boolean append = source.startsWith("+=");
        if (name.isEmpty() || (!append && source.peek() != '=')) {
            source.at = begin;
            return Optional.empty();
        }
        source.findings.word();
        source.take(append ? "+=" : "=");
        if (source.peek() == '(') {
            source.at++;
            return Optional.of(
                    new Assignment(name.toString(), subscript, append, ShellWord.EMPTY, Optional.of(elements())));
        }
        if (lists) {
            source.at = begin;
            return Optional.empty();
        }
        return Optional.of(new Assignment(name.toString(), subscript, append, words.word(), Optional.empty()));
    }

    private List<ShellWord> elements() {
        List<ShellWord> elements = new ArrayList<>();
        while (true) {
            source.lines();
            if (source.takes(')')) {
                return elements;
            }
            if (source.ended()) {
                throw source.trouble("a list has no end");
            }
            elements.add(words.required());
        }
    }

    /// Parses a redirection, if one begins here.
    boolean redirection(List<Redirection> redirections) {
        if (BEGINNINGS.indexOf(source.peek()) < 0) {
            return false; // nearly always
        }
        int begin = source.at;
        String descriptor = descriptor();
        Optional<String> sign = SIGNS.stream().filter(source::startsWith).findFirst();
        boolean process = sign.filter(one -> one.equals("<") || one.equals(">")).isPresent() && source.second() == '(';
        if (sign.isEmpty() || process || (sign.get().startsWith("&") && !descriptor.isEmpty())) {
            source.at = begin;
            return false;
        }
        source.take(sign.get());
        source.blanks();
        if (sign.get().equals("<<") || sign.get().equals("<<-")) {
            HereDocument document = source.document(sign.get().equals("<<-"));
            source.waiting.add(document);
            redirections.add(new Redirection(descriptor, "<<", ShellWord.EMPTY, Optional.of(document)));
            return true;
        }
        redirections.add(new Redirection(descriptor, sign.get(), target(), Optional.empty()));
        return true;
    }

    /// Parses a file's name, which may contain braces that stand for one word.
    private ShellWord target() {
        ShellWord word = words.required();
        return Braces.expand(word)
                .filter(all -> all.size() == 1)
                .map(List::getFirst)
                .orElse(word);
    }

    /// Takes `2` or `{name}` if a sign follows directly.
    private String descriptor() {
        int begin = source.at;
        StringBuilder taken = new StringBuilder();
        if (source.peek() == '{') {
            taken.append(source.take());
            while (Programs.nameLetter(source.peek())) {
                taken.append(source.take());
            }
            if (source.peek() == '[') {
                source.at++;
                try {
                    if (!words.subscript()
                            .literal()
                            .filter(key -> key.matches("\\d+"))
                            .isPresent()) {
                        source.findings.unknown("It keeps a file's number in a list, at a place that is computed.");
                    }
                } catch (Source.SyntaxProblem trouble) {
                    source.check();
                    source.at = begin;
                    return "";
                }
            }
            if (source.peek() == '}') {
                taken.append(source.take());
            }
        } else {
            while (Character.isDigit(source.peek())) {
                taken.append(source.take());
            }
        }
        char c = source.peek();
        boolean follows = (c == '<' || c == '>') && !taken.isEmpty();
        if (!follows) {
            source.at = begin;
            return "";
        }
        return taken.toString();
    }
}
