package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Node.HereDocument;
import java.util.ArrayList;
import java.util.List;

/// A text that is being parsed, with the position of the parser.
final class Source {
    /// The deepest nesting of groups in groups: people need ten levels.
    private static final int DEEPEST = 80;

    final String text;
    final Findings findings;
    final int depth; // nesting of texts in texts
    int at;
    List<HereDocument> waiting = new ArrayList<>(); // declared on this line, with bodies on the next lines
    private int nesting;

    Source(String text, Findings findings, int depth) {
        this.text = text;
        this.findings = findings;
        this.depth = depth;
    }

    /// A text that a shell would reject.
    static final class SyntaxProblem extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int at;
        final boolean unclosed;

        SyntaxProblem(String message, int at, boolean unclosed) {
            super(message, null, false, false);
            this.at = at;
            this.unclosed = unclosed;
        }
    }

    SyntaxProblem trouble(String what) {
        return new SyntaxProblem(what, at, ended());
    }

    SyntaxProblem unclosed(String what, int begin) {
        return new SyntaxProblem(what, begin, true);
    }

    void enter() {
        if (++nesting > DEEPEST || nesting + depth > DEEPEST) {
            findings.giveUp("commands are nested more than " + DEEPEST + " deep in it");
        }
        check();
    }

    void leave() {
        nesting--;
    }

    /// Stops the parser if the text exceeds a limit.
    void check() {
        if (findings.over()) {
            throw trouble("it is too much");
        }
    }

    boolean ended() {
        skipContinuations();
        return at >= text.length();
    }

    /// Returns the next character without taking it; NUL at the end.
    char peek() {
        skipContinuations();
        return at < text.length() ? text.charAt(at) : '\0';
    }

    /// Returns the character behind the next one.
    char second() {
        skipContinuations();
        int next = at + 1;
        while (text.startsWith("\\\n", next)) {
            next += 2;
        }
        return next < text.length() ? text.charAt(next) : '\0';
    }

    char take() {
        char c = peek();
        at++;
        return c;
    }

    boolean takes(char c) {
        if (peek() == c) {
            at++;
            return true;
        }
        return false;
    }

    boolean startsWith(String sign) {
        skipContinuations();
        int i = at;
        for (int k = 0; k < sign.length(); k++) {
            while (text.startsWith("\\\n", i)) {
                i += 2;
            }
            if (i >= text.length() || text.charAt(i++) != sign.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    /// Takes a sign of several characters.
    void take(String sign) {
        for (int i = 0; i < sign.length(); i++) {
            take();
        }
    }

    void blanks() {
        while (peek() == ' ' || peek() == '\t') {
            at++;
        }
    }

    private void skipContinuations() {
        while (at + 1 < text.length() && text.charAt(at) == '\\' && text.charAt(at + 1) == '\n') {
            at += 2;
        }
    }

    static boolean meta(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '&' || c == '|' || c == '<' || c == '>'
                || c == '(' || c == ')';
    }

    /// Returns the next word if it is plain, without taking it.
    String bareWord() {
        int before = at;
        StringBuilder word = new StringBuilder();
        while (!ended() && !meta(peek())) {
            char c = peek();
            if (c == '\'' || c == '"' || c == '\\' || c == '$' || c == '`') {
                at = before;
                return "";
            }
            word.append(take());
        }
        at = before;
        return word.toString();
    }

    /// Takes a plain word.
    void word(String word) {
        blanks();
        if (!bareWord().equals(word)) {
            throw trouble("it lacks '" + word + "'");
        }
        take(word);
    }

    void comment() {
        while (at < text.length() && text.charAt(at) != '\n') {
            at++;
        }
    }

    /// Skips blanks, comments and line breaks, with the here-documents that follow them.
    void lines() {
        while (true) {
            blanks();
            if (peek() == '#') {
                comment();
            } else if (peek() == '\n') {
                newline();
            } else {
                return;
            }
        }
    }

    /// Takes the word that ends a here-document. Nothing in that word is expanded.
    HereDocument document(boolean stripTabs) {
        int begin = at;
        StringBuilder end = new StringBuilder();
        boolean quoted = false;
        char quote = '\0';
        while (at < text.length() && (quote != '\0' || !meta(text.charAt(at)))) {
            char c = text.charAt(at++);
            if (quote == '\0' && (c == '\'' || c == '"')) {
                quote = c;
                quoted = true;
            } else if (c == quote) {
                quote = '\0';
            } else if (c == '\\' && quote != '\'' && at < text.length()) {
                boolean escapes = quote == '\0' || "$`\"\\".indexOf(text.charAt(at)) >= 0;
                quoted = true;
                end.append(escapes ? "" : "\\").append(text.charAt(at++));
            } else {
                end.append(c);
            }
        }
        if (at == begin || quote != '\0') {
            throw unclosed("a here-document has no end", begin);
        }
        String written = text.substring(begin, at);
        if (end.indexOf("\n") >= 0 || written.matches("(?s).*(?:`|\\$[('\"{\\[]).*")) {
            findings.unknown("The end of a here-document in it cannot be told for sure.");
        }
        return new HereDocument(end.toString(), stripTabs, quoted);
    }

    /// Takes a line break, and the bodies of the here-documents that the line declares.
    void newline() {
        at++;
        List<HereDocument> documents = List.copyOf(waiting);
        waiting.clear();
        documents.forEach(this::body);
    }

    private void body(HereDocument document) {
        StringBuilder body = new StringBuilder();
        boolean found = false;
        while (at < text.length() && !found) {
            String line = line();
            while (!document.literal && continued(line) && at < text.length()) {
                line = line.substring(0, line.length() - 1) + line();
            }
            String bare = document.stripTabs ? line.replaceFirst("^\t+", "") : line;
            found = bare.equals(document.end);
            if (!found) {
                body.append(bare).append('\n');
            }
        }
        if (!found) {
            findings.orphan(body.toString());
        }
        document.body(
                document.literal
                        ? ShellWord.of(body.toString())
                        : new WordParser(new Source(body.toString(), findings, depth + 1)).document());
    }

    private static boolean continued(String line) {
        int slashes = 0;
        while (slashes < line.length() && line.charAt(line.length() - 1 - slashes) == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    private String line() {
        int newline = text.indexOf('\n', at);
        int end = newline < 0 ? text.length() : newline;
        String line = text.substring(at, end);
        at = newline < 0 ? end : end + 1;
        return line;
    }
}
