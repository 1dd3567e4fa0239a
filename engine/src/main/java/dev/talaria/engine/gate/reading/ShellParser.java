package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.Branch;
import dev.talaria.engine.gate.reading.Node.Item;
import dev.talaria.engine.gate.reading.Node.Redirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Parses a shell program as bash does.
final class ShellParser {
    private static final int MOST_JOINED = 400; // evaluating a chain needs one more stack frame for each member
    private static final Set<String> CLOSING = Set.of("then", "do", "done", "fi", "else", "elif", "esac", "}");
    private static final Set<String> COMPOUND = Set.of("{", "if", "while", "until", "for", "select", "case", "[[", "(");

    private final Source source;
    private final WordParser words;
    private final SimpleParser simple;

    ShellParser(Source source) {
        this.source = source;
        this.words = new WordParser(source);
        this.simple = new SimpleParser(source, words);
    }

    /// Parses a whole text. A shell runs the lines before one that it does not understand, so those
    /// are returned. A line that could not be parsed is noted as unknown.
    static Node parse(String text, Findings findings, int depth) {
        Source source = new Source(text, findings, depth);
        List<Item> items = new ArrayList<>();
        while (true) {
            try {
                source.lines();
                if (source.ended() || findings.over()) {
                    return new Node.Sequence(items);
                }
                new ShellParser(source).line(items);
            } catch (Source.SyntaxProblem trouble) {
                String what = trouble.unclosed ? Reading.INCOMPLETE : "A shell would not understand all of it";
                findings.unknown(what + ": " + trouble.getMessage() + ".");
                findings.compounded();
                source.waiting.clear();
                int newline = text.indexOf('\n', Math.max(0, Math.min(source.at, text.length()) - 1));
                boolean again = trouble.unclosed && findings.salvage();
                source.at = again ? trouble.at + 1 : newline < 0 ? text.length() : newline + 1;
            }
        }
    }

    /// Parses commands up to a closing parenthesis, and takes it.
    Node parenthesized() {
        int begin = source.at;
        Node body = list(Set.of(), ")");
        if (!source.takes(')')) {
            throw source.unclosed("a parenthesis has no partner", begin);
        }
        return body;
    }

    /// Parses the commands of one line.
    private void line(List<Item> items) {
        do {
            items.add(item());
            source.blanks();
        } while (!source.ended() && source.peek() != '\n' && source.peek() != '#');
    }

    private Item item() {
        Node node = andOr();
        source.blanks();
        boolean background = source.peek() == '&';
        boolean ends = source.peek() == ';' && source.second() != ';' && source.second() != '&';
        source.at += background || ends ? 1 : 0;
        return new Item(node, background);
    }

    /// Parses commands up to one of these reserved words or signs.
    private Node list(Set<String> ends, String signs) {
        source.enter();
        List<Item> items = new ArrayList<>();
        while (true) {
            source.lines();
            char c = source.peek();
            boolean over = source.ended()
                    || (c != '\0' && signs.indexOf(c) >= 0)
                    || (!ends.isEmpty() && ends.contains(source.bareWord()));
            if (over) {
                source.leave();
                return new Node.Sequence(items);
            }
            int before = source.at;
            items.add(item());
            if (source.at == before) {
                throw source.trouble("a sign stands where a command should");
            }
        }
    }

    private Node andOr() {
        Node left = pipeline();
        for (int joined = 1; ; joined++) {
            source.blanks();
            boolean and = source.startsWith("&&");
            if (joined > MOST_JOINED) {
                source.findings.giveUp("it joins more than " + MOST_JOINED + " commands with && and ||");
                return left;
            }
            if (!and && !source.startsWith("||")) {
                return left;
            }
            source.take("&&");
            source.lines();
            left = new Node.AndOr(left, and, pipeline());
        }
    }

    private Node pipeline() {
        boolean negated = false;
        source.blanks();
        while (true) {
            String word = source.bareWord();
            if (word.equals("!")) {
                source.at++;
                negated = !negated;
            } else if (word.equals("time")) {
                source.take("time");
                source.blanks();
                while (source.bareWord().equals("-p") || source.bareWord().equals("--")) {
                    source.take("--");
                    source.blanks();
                }
            } else {
                break;
            }
            source.blanks();
        }
        List<Node> members = new ArrayList<>();
        members.add(command());
        source.blanks();
        while (source.peek() == '|' && source.second() != '|') {
            source.at++;
            source.takes('&');
            source.lines();
            members.add(command());
            source.blanks();
        }
        return members.size() == 1 && !negated ? members.getFirst() : new Node.Pipeline(members, negated);
    }

    private Node command() {
        source.enter();
        source.blanks();
        Node body = body();
        source.blanks();
        List<Redirection> redirections = new ArrayList<>();
        while (!(body instanceof Node.Simple) && !(body instanceof Node.Define) && simple.redirection(redirections)) {
            source.blanks();
        }
        source.leave();
        return redirections.isEmpty() ? body : new Node.Redirected(body, redirections);
    }

    private Node body() {
        if (source.peek() == '(') {
            if (source.second() == '(') {
                Optional<ShellWord> formula = words.formula();
                if (formula.isPresent()) {
                    return new Node.Formula(formula.get());
                }
            }
            source.at++;
            return new Node.Subshell(parenthesized());
        }
        String word = source.bareWord();
        return switch (word) {
            case "{" -> {
                source.take(word);
                yield new Node.Group(upTo(Set.of("}")));
            }
            case "if" -> {
                source.take(word);
                yield condition();
            }
            case "while", "until" -> {
                source.take(word);
                Node condition = upTo(Set.of("do"));
                yield new Node.Loop(condition, upTo(Set.of("done")), word.equals("until"));
            }
            case "for", "select" -> {
                source.take(word);
                yield loop();
            }
            case "case" -> {
                source.take(word);
                yield cases();
            }
            case "[[" -> {
                source.take(word);
                yield test();
            }
            case "function" -> {
                source.take(word);
                source.blanks();
                String name = words.word().literal().orElseThrow(() -> source.trouble("a function has no name"));
                source.blanks();
                if (source.peek() == '(' && source.second() != '(') {
                    parentheses();
                }
                yield definition(name);
            }
            case "coproc" -> {
                source.take(word);
                yield coproc();
            }
            default -> {
                if (CLOSING.contains(word)) {
                    throw source.trouble("'" + word + "' stands where a command should");
                }
                Node.Simple read = simple.parse();
                Optional<String> name = source.peek() == '(' ? read.onlyWord() : Optional.empty();
                if (name.isEmpty()) {
                    yield read;
                }
                parentheses();
                yield definition(name.get());
            }
        };
    }

    /// Parses commands up to a reserved word, and takes it.
    private Node upTo(Set<String> ends) {
        int begin = source.at;
        Node body = list(ends, "");
        if (source.ended()) {
            throw source.unclosed("it lacks '" + ends.iterator().next() + "'", begin);
        }
        source.take(source.bareWord());
        return body;
    }

    private Node condition() {
        Node condition = upTo(Set.of("then"));
        Node then = list(Set.of("else", "elif", "fi"), "");
        String word = source.bareWord();
        source.take(word);
        return switch (word) {
            case "elif" -> new Node.If(condition, then, Optional.of(condition()));
            case "else" -> new Node.If(condition, then, Optional.of(upTo(Set.of("fi"))));
            case "fi" -> new Node.If(condition, then, Optional.empty());
            default -> throw source.trouble("it lacks 'fi'");
        };
    }

    private Node loop() {
        source.blanks();
        if (source.startsWith("((")) {
            ShellWord formulas = words.formula().orElseThrow(() -> source.trouble("a formula has no end"));
            return new Node.Counting(formulas, loopBody());
        }
        String name = words.word().literal().orElseThrow(() -> source.trouble("a loop has no variable"));
        source.lines();
        if (!source.bareWord().equals("in")) {
            return new Node.For(name, Optional.empty(), loopBody());
        }
        source.take("in");
        List<ShellWord> values = new ArrayList<>();
        source.blanks();
        while (!source.ended() && source.peek() != ';' && source.peek() != '\n') {
            values.add(words.required());
            source.blanks();
        }
        return new Node.For(name, Optional.of(values), loopBody());
    }

    private Node loopBody() {
        source.blanks();
        source.takes(';');
        source.lines();
        String word = source.bareWord();
        if (!word.equals("do") && !word.equals("{")) {
            throw source.trouble("it lacks 'do'");
        }
        source.take(word);
        return upTo(Set.of(word.equals("do") ? "done" : "}"));
    }

    private Node cases() {
        source.blanks();
        ShellWord subject = words.required();
        source.lines();
        source.word("in");
        List<Branch> branches = new ArrayList<>();
        while (true) {
            source.lines();
            if (source.ended()) {
                throw source.trouble("it lacks 'esac'");
            }
            if (source.bareWord().equals("esac")) {
                source.take("esac");
                return new Node.Case(subject, branches);
            }
            source.takes('(');
            List<ShellWord> patterns = new ArrayList<>();
            do {
                source.blanks();
                patterns.add(words.tested(false));
                source.blanks();
            } while (source.takes('|'));
            if (!source.takes(')')) {
                throw source.trouble("a pattern of 'case' has no end");
            }
            Node body = list(Set.of("esac"), ";");
            boolean falls = source.startsWith(";&") || source.startsWith(";;&");
            if (source.peek() == ';') {
                source.take(source.startsWith(";;&") ? ";;&" : ";;");
            }
            branches.add(new Branch(patterns, body, !falls));
        }
    }

    private Node test() {
        List<ShellWord> tested = new ArrayList<>();
        while (true) {
            source.lines();
            if (source.ended()) {
                throw source.trouble("it lacks ']]'");
            }
            if (source.bareWord().equals("]]")) {
                source.take("]]");
                return new Node.Test(tested);
            }
            char c = source.peek();
            if (source.startsWith("&&") || source.startsWith("||")) {
                tested.add(new ShellWord(List.of(new ShellWord.Part.Text(c == '&' ? "&&" : "||", false))));
                source.take("&&");
            } else if (c == '(' || c == ')' || ((c == '<' || c == '>') && source.second() != '(')) {
                tested.add(new ShellWord(List.of(new ShellWord.Part.Text(String.valueOf(source.take()), false))));
            } else {
                boolean pattern = !tested.isEmpty()
                        && tested.getLast()
                                .bare()
                                .filter(Set.of("=~")::contains)
                                .isPresent();
                int before = source.at;
                tested.add(words.tested(pattern));
                if (source.at == before) {
                    throw source.trouble("a test cannot be read");
                }
            }
        }
    }

    private Node coproc() {
        source.blanks();
        String first = source.bareWord();
        if (!COMPOUND.contains(first) && source.peek() != '(' && !first.isEmpty()) {
            int before = source.at;
            source.take(first);
            source.blanks();
            if (!COMPOUND.contains(source.bareWord()) && source.peek() != '(') {
                source.at = before;
            }
        }
        return new Node.Coproc(command());
    }

    private void parentheses() {
        source.at++;
        source.blanks();
        if (!source.takes(')')) {
            throw source.trouble("a parenthesis stands where none should");
        }
    }

    private Node definition(String name) {
        source.lines();
        int begin = source.at;
        Node body = command();
        return new Node.Define(name, body, source.text.substring(begin, Math.min(source.at, source.text.length())));
    }
}
