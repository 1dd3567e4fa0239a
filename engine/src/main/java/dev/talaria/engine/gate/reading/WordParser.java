package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Parses words: quotes, escapes, and everything that begins with a dollar sign.
final class WordParser {
    private static final String SPECIAL = "@*#?-$!";
    private static final List<String> OPERATORS = List.of(
            ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "-", "=", "?", "+", "#", "%", "/", "^",
            ",", "@", ":");

    private final Source source;

    WordParser(Source source) {
        this.source = source;
    }

    /// The parts of one word.
    private static final class Parts {
        private final List<Part> parts = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private boolean quoted;
        private boolean open;

        void add(char c, boolean inQuotes) {
            begin(inQuotes);
            text.append(c);
        }

        void add(String more, boolean inQuotes) {
            begin(inQuotes);
            text.append(more);
        }

        private void begin(boolean inQuotes) {
            if (open && quoted != inQuotes) {
                flush();
            }
            open = true;
            quoted = inQuotes;
        }

        void add(Part part) {
            flush();
            parts.add(part);
        }

        private void flush() {
            if (open) {
                parts.add(new Part.Text(text.toString(), quoted));
                text.setLength(0);
                open = false;
            }
        }

        ShellWord word() {
            flush();
            return new ShellWord(List.copyOf(parts));
        }
    }

    /// Parses the word that begins here, which may be empty.
    ShellWord word() {
        Parts parts = new Parts();
        while (!source.ended()) {
            char c = source.peek();
            if ((c == '<' || c == '>') && source.second() == '(') {
                parts.add(process());
            } else if (Source.meta(c)) {
                break;
            } else {
                part(parts);
            }
        }
        return parts.word();
    }

    /// Parses a word at a place where a word must stand.
    ShellWord required() {
        source.findings.word();
        int before = source.at;
        ShellWord word = word();
        if (source.at == before) {
            throw source.trouble("a sign stands where a word should");
        }
        return word;
    }

    /// Parses a word of `[[ ]]`, in which parentheses may belong to a pattern.
    ///
    /// @param pattern whether the word is a pattern, after `=~` or `==`
    ShellWord tested(boolean pattern) {
        Parts parts = new Parts();
        int open = 0;
        while (!source.ended()) {
            char c = source.peek();
            boolean blank = c == ' ' || c == '\t' || c == '\n';
            if (blank && open == 0) {
                break;
            }
            if ((c == '<' || c == '>') && source.second() == '(') {
                parts.add(process());
                continue;
            }
            boolean group = pattern || (source.at > 0 && "@!?*+".indexOf(source.text.charAt(source.at - 1)) >= 0);
            if (c == '(' && (group || open > 0)) {
                open++;
                parts.add(source.take(), false);
            } else if (c == ')' && open > 0) {
                open--;
                parts.add(source.take(), false);
            } else if (Source.meta(c) && !pattern && open == 0) {
                break;
            } else if (Source.meta(c)) {
                parts.add(source.take(), false);
            } else {
                part(parts);
            }
        }
        return parts.word();
    }

    /// Parses the text in brackets behind the opening one, and takes the closing one.
    ShellWord subscript() {
        int begin = source.at;
        Parts parts = new Parts();
        int open = 1;
        while (!source.ended()) {
            char c = source.peek();
            open += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (open == 0) {
                source.at++;
                return parts.word();
            }
            part(parts);
        }
        throw source.unclosed("a bracket has no end", begin);
    }

    /// Parses a whole text as if it stood in double quotes. Double quotes in it have no meaning.
    ShellWord document() {
        Parts parts = new Parts();
        while (!source.ended()) {
            quotedPart(parts, false);
        }
        return parts.word();
    }

    private void part(Parts parts) {
        char c = source.take();
        switch (c) {
            case '\\' -> {
                if (source.at < source.text.length()) {
                    parts.add(source.text.charAt(source.at++), true);
                } else {
                    parts.add('\\', true);
                }
            }
            case '\'' -> single(parts);
            case '"' -> doubled(parts);
            case '`' -> parts.add(backticks(false));
            case '$' -> dollar(parts, false);
            default -> parts.add(c, false);
        }
    }

    private void single(Parts parts) {
        int end = source.text.indexOf('\'', source.at);
        if (end < 0) {
            throw source.unclosed("a quote has no end", source.at - 1);
        }
        parts.add(source.text.substring(source.at, end), true);
        source.at = end + 1;
    }

    private void doubled(Parts parts) {
        int begin = source.at - 1;
        if (source.takes('"')) {
            parts.add("", true);
            return;
        }
        while (!source.ended()) {
            if (source.takes('"')) {
                return;
            }
            quotedPart(parts, true);
        }
        throw source.unclosed("a quote has no end", begin);
    }

    /// Parses a part of a text in double quotes.
    ///
    /// @param quotes whether a double quote can be escaped
    private void quotedPart(Parts parts, boolean quotes) {
        char c = source.take();
        switch (c) {
            case '\\' -> {
                char next = source.at < source.text.length() ? source.text.charAt(source.at) : '\0';
                boolean escapes = next == '$' || next == '`' || next == '\\' || (quotes && next == '"');
                parts.add(escapes ? next : '\\', true);
                source.at += escapes ? 1 : 0;
            }
            case '`' -> parts.add(backticks(quotes));
            case '$' -> dollar(parts, true);
            default -> parts.add(c, true);
        }
    }

    private Part backticks(boolean inQuotes) {
        int begin = source.at - 1;
        StringBuilder inner = new StringBuilder();
        while (source.at < source.text.length()) {
            char c = source.text.charAt(source.at++);
            if (c == '`') {
                return new Part.Substitution(nested(inner.toString()), inQuotes);
            }
            if (c == '\\' && source.at < source.text.length()) {
                char next = source.text.charAt(source.at);
                boolean escapes = next == '`' || next == '\\' || next == '$' || (inQuotes && next == '"');
                inner.append(escapes ? next : c);
                source.at += escapes ? 1 : 0;
            } else {
                inner.append(c);
            }
        }
        throw source.unclosed("a backtick has no partner", begin);
    }

    private Node nested(String text) {
        if (!source.findings.admit(text.length(), source.depth + 1)) {
            throw source.trouble("it is too much");
        }
        return ShellParser.parse(text, source.findings, source.depth + 1);
    }

    /// Parses the part behind a dollar sign.
    private void dollar(Parts parts, boolean quoted) {
        source.findings.word(); // each part costs work
        char c = source.peek();
        if (c == '(') {
            if (source.second() == '(') {
                Optional<ShellWord> formula = formula();
                if (formula.isPresent()) {
                    parts.add(new Part.Formula(formula.get(), quoted));
                    return;
                }
            }
            source.at++;
            parts.add(new Part.Substitution(list(), quoted));
        } else if (c == '{') {
            source.at++;
            parts.add(braces(quoted));
        } else if (c == '\'' && !quoted) {
            StringBuilder text = new StringBuilder();
            source.at = AnsiQuotes.read(source.text, source.at + 1, text);
            parts.add(text.toString(), true);
        } else if (c == '"' && !quoted) {
            source.at++;
            doubled(parts);
        } else if (c == '[') {
            source.at++;
            parts.add(new Part.Formula(subscript(), quoted));
        } else if (Programs.nameLetter(c) || SPECIAL.indexOf(c) >= 0) {
            parts.add(new Part.Parameter(name(), "", Optional.empty(), "", ShellWord.EMPTY, Optional.empty(), quoted));
        } else {
            parts.add('$', quoted);
        }
    }

    /// Parses commands up to the parenthesis that closes them.
    private Node list() {
        source.enter();
        if (!source.findings.admit(0, source.depth + 1)) {
            throw source.trouble("it is too much");
        }
        int begin = source.at;
        var outer = source.waiting;
        source.waiting = new ArrayList<>();
        Node body = new ShellParser(source).parenthesized();
        if (!source.waiting.isEmpty()) {
            throw source.unclosed("a here-document has no body", begin);
        }
        source.waiting = outer;
        source.leave();
        return body;
    }

    private Part process() {
        boolean reads = source.take() == '<';
        source.at++;
        return new Part.ProcessFile(list(), reads);
    }

    /// Parses `((...))` from its beginning. Returns nothing if it is two subshells instead.
    Optional<ShellWord> formula() {
        int begin = source.at;
        source.take("((");
        int start = source.at;
        int open = 2;
        boolean quotes = false;
        for (int i = start; i < source.text.length() && source.findings.scan(); i++) {
            char c = source.text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '\'' || c == '"') {
                i = closing(i);
                quotes |= c == '\'';
            } else if (c == '(') {
                open++;
            } else if (c == ')' && --open == 1) {
                if (i + 1 < source.text.length() && source.text.charAt(i + 1) == ')') {
                    source.at = i + 2;
                    if (quotes) {
                        source.findings.unknown(
                                "A formula in it has quotes, and where it ends cannot be told for sure.");
                    }
                    return Optional.of(quotedText(source.text.substring(start, i)));
                }
                break;
            }
        }
        source.check();
        source.at = begin;
        return Optional.empty();
    }

    /// Returns the place of the quote that closes the quote here, or the end of the text.
    private int closing(int begin) {
        char quote = source.text.charAt(begin);
        int i = begin + 1;
        while (i < source.text.length() && source.text.charAt(i) != quote && source.findings.scan()) {
            i += quote == '"' && source.text.charAt(i) == '\\' ? 2 : 1;
        }
        return i;
    }

    /// Parses a text of its own as if it stood in double quotes.
    private ShellWord quotedText(String text) {
        if (!source.findings.admit(0, source.depth + 1)) {
            throw source.trouble("it is too much");
        }
        return new WordParser(new Source(text, source.findings, source.depth + 1)).document();
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        char first = source.take();
        name.append(first);
        if (Programs.nameLetter(first) && !Character.isDigit(first)) {
            while (Programs.nameLetter(source.peek())) {
                name.append(source.take());
            }
        }
        return name.toString();
    }

    /// Parses `${...}` from behind the brace.
    private Part braces(boolean quoted) {
        int begin = source.at - 2;
        source.enter();
        char first = source.peek();
        char second = source.second();
        String prefix = "";
        if ((first == '!' || first == '#') && second != '}' && prefixed(first, second)) {
            prefix = String.valueOf(source.take());
        }
        String name = bracedName();
        Optional<ShellWord> subscript = source.takes('[') ? Optional.of(subscript()) : Optional.empty();
        if (prefix.equals("!") && (source.startsWith("*}") || source.startsWith("@}"))) {
            source.take("*}");
            source.leave();
            return new Part.Parameter(name, "!", subscript, "names", ShellWord.EMPTY, Optional.empty(), quoted);
        }
        String operator =
                OPERATORS.stream().filter(source::startsWith).findFirst().orElse("");
        source.take(operator);
        boolean replaces = operator.startsWith("/");
        boolean slices = operator.equals(":");
        boolean plainQuotes =
                quoted && "-=?+".indexOf(operator.isEmpty() ? ' ' : operator.charAt(operator.length() - 1)) >= 0;
        // The signs of a pattern count in quotes, too: "${x#*:}".
        boolean pattern = !operator.isEmpty() && "#%/^,".indexOf(operator.charAt(0)) >= 0;
        ShellWord operand = operand(quoted && !pattern, plainQuotes, replaces ? '/' : slices ? ':' : '}', begin);
        Optional<ShellWord> after = Optional.empty();
        if ((replaces && source.takes('/')) || (slices && source.takes(':'))) {
            after = Optional.of(operand(quoted, false, '}', begin));
        }
        if (!source.takes('}') || (operator.isEmpty() && !operand.parts().isEmpty())) {
            throw source.unclosed("a substitution cannot be read", begin);
        }
        source.leave();
        return new Part.Parameter(name, prefix, subscript, operator, operand, after, quoted);
    }

    private static boolean prefixed(char first, char second) {
        return Programs.nameLetter(second)
                || (first == '#' ? "@*?-$!#".indexOf(second) >= 0 : "@*#".indexOf(second) >= 0);
    }

    private String bracedName() {
        char c = source.peek();
        if (Character.isDigit(c)) {
            StringBuilder digits = new StringBuilder();
            while (Character.isDigit(source.peek())) {
                digits.append(source.take());
            }
            return digits.toString();
        }
        if (Programs.nameLetter(c) || SPECIAL.indexOf(c) >= 0) {
            return name();
        }
        throw source.unclosed("a substitution cannot be read", source.at);
    }

    /// Parses up to the closing brace or another sign, and does not take that sign.
    private ShellWord operand(boolean quoted, boolean plainQuotes, char end, int begin) {
        Parts parts = new Parts();
        while (!source.ended()) {
            char c = source.peek();
            if (c == '}' || c == end) {
                return parts.word();
            }
            if (quoted && c == '\\') {
                source.at++;
                char next = source.at < source.text.length() ? source.text.charAt(source.at) : '\0';
                boolean escapes = "$`\"\\}".indexOf(next) >= 0 && next != '\0';
                parts.add(escapes ? next : '\\', true);
                source.at += escapes ? 1 : 0;
            } else if (quoted && (c == '$' || c == '`')) {
                quotedPart(parts, true);
            } else if (c == '\'' && plainQuotes) {
                parts.add(source.take(), true);
            } else if (quoted && c != '"' && c != '\'') {
                parts.add(source.take(), true);
            } else {
                part(parts);
            }
        }
        throw source.unclosed("a substitution has no end", begin);
    }
}
