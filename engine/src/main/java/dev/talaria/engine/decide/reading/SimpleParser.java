package dev.talaria.engine.decide.reading;

import dev.talaria.engine.decide.reading.Node.Assignment;
import dev.talaria.engine.decide.reading.Node.HereDocument;
import dev.talaria.engine.decide.reading.Node.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Parses a command without a body of its own: assignments, words and redirections.
final class SimpleParser {
    private static final List<String> SIGNS =
            List.of("&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">");
    private static final Set<String> DECLARING =
            Set.of("declare", "typeset", "local", "export", "readonly", "alias", "eval");

    private final Source source;
    private final WordParser words;

    SimpleParser(Source source, WordParser words) {
        this.source = source;
        this.words = words;
    }

    /// Parses up to the sign that ends it; behind a single word that may be the parenthesis of a function.
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
            if (assignment.isPresent()) {
                assignments.add(assignment.get());
            } else {
                all.add(words.required());
            }
        }
        if (assignments.isEmpty() && all.isEmpty() && redirections.isEmpty() && !source.ended()) {
            char c = source.peek();
            if (c == ';' || c == '&' || c == '|' || c == ')') {
                throw source.trouble("a sign stands where a command should");
            }
        }
        return new Node.Simple(assignments, all, redirections);
    }

    /// Parses `NAME=value` and its kin; nothing is taken of any other word.
    ///
    /// @param lists whether it stands behind a word such as `declare`, where only a list is read here
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
            } catch (Source.Trouble trouble) {
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
        redirections.add(new Redirection(descriptor, sign.get(), words.required(), Optional.empty()));
        return true;
    }

    /// Takes `2` and `{name}` where a sign follows directly.
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
                    words.subscript();
                } catch (Source.Trouble trouble) {
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
