package dev.talaria.engine.decide.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads a text as a shell does, as far as that can be told without running it: quotes, escapes, substitutions,
/// redirections, here-documents, pipelines. Every character is looked at a bounded number of times.
///
/// Where it cannot be sure it reads more commands rather than fewer: a here-document without an end and a quote without
/// a partner are read as commands, too.
final class ShellReader {
    private static final int LONGEST_GROUP = 2000;
    private static final Pattern SEPARATORS = Pattern.compile("[;&|\n]");

    private final String text;
    private final Findings findings;
    private final int depth;
    private final List<HereDocument> waiting = new ArrayList<>(); // declared on this line, bodies follow
    private int at;
    private int nesting;
    private int arithmetic;
    private boolean noMoreBackticks;

    ShellReader(String text, Findings findings, int depth) {
        this.text = text;
        this.findings = findings;
        this.depth = depth;
    }

    /// What is known of a command in another command's word.
    private record Nested(String program, Optional<String> output) {}

    void read() {
        if (text.length() > Reading.LONGEST) {
            findings.giveUp("what a shell in it reads is longer than " + Reading.LONGEST + " characters");
        }
        if (!findings.admit(text.length(), depth)) {
            return;
        }
        while (at < text.length() && !findings.over()) {
            var _ = list(false, false);
        }
    }

    /// Reads commands up to the end, or up to the parenthesis that closes a substitution.
    ///
    /// @param collects whether it matters what all of them print
    private Nested list(boolean closes, boolean collects) {
        Frame frame = new Frame(collects);
        int parentheses = 0;
        while (at < text.length() && !findings.over()) {
            char c = text.charAt(at);
            switch (c) {
                case ' ', '\t' -> {
                    frame.endWord();
                    at++;
                    if (frame.atBody()) {
                        endCommand(frame);
                    }
                }
                case '\n' -> {
                    at++;
                    findings.compounded();
                    endPipeline(frame);
                    bodies();
                }
                case ';' -> {
                    at++;
                    findings.compounded();
                    endPipeline(frame);
                }
                case '&' -> ampersand(frame);
                case '|' -> bar(frame);
                case '(' -> {
                    at++;
                    findings.compounded();
                    if (definition(frame)) {
                        continue;
                    }
                    parentheses++;
                    frame.folders.push(findings.folder());
                    arithmetic += peek('(') || arithmetic > 0 ? 1 : 0;
                    endCommand(frame);
                    frame.beginGroup();
                }
                case ')' -> {
                    at++;
                    arithmetic = Math.max(0, arithmetic - 1);
                    boolean pattern = parentheses == 0 && (frame.cases > 0 || frame.atCase()); // case x in x)
                    if (closes && parentheses == 0 && !pattern) {
                        endPipeline(frame);
                        return nested(frame);
                    }
                    parentheses = Math.max(0, parentheses - 1);
                    endCommand(frame);
                    frame.endGroup();
                    if (!frame.folders.isEmpty()) {
                        findings.folder(frame.folders.pop());
                    }
                }
                case '<', '>' -> redirection(frame);
                case '#' -> {
                    if (frame.open) {
                        frame.add(c);
                        at++;
                    } else {
                        comment();
                    }
                }
                default -> part(frame, false);
            }
        }
        endPipeline(frame);
        return nested(frame);
    }

    private void comment() {
        int newline = text.indexOf('\n', at);
        int end = newline < 0 ? text.length() : newline;
        if (arithmetic > 0) { // a formula has no comments
            nestedText(text.substring(at + 1, end));
        }
        at = end;
    }

    /// Reads the head of `name() { ...; }` whose first parenthesis has been read; the body is remembered, and read as
    /// if it were run here.
    private boolean definition(Frame frame) {
        int i = at;
        while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
            i++;
        }
        if (i >= text.length() || text.charAt(i) != ')') {
            return false;
        }
        frame.endWord();
        if (frame.words.isEmpty() || frame.words.getLast().text().endsWith("=")) {
            return false;
        }
        Functions.define(frame.words.getLast().text(), text, i + 1, findings);
        boolean alone = frame.words.size() == 1 || frame.words.getFirst().text().equals("function");
        if (alone) {
            frame.words = new ArrayList<>();
            at = i + 1;
        }
        return alone;
    }

    private static Nested nested(Frame frame) {
        return new Nested(frame.last.map(SimpleCommand::program).orElse(""), frame.output);
    }

    private boolean peek(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void ampersand(Frame frame) {
        at++;
        findings.compounded();
        if (peek('>')) { // &>file
            at--;
            redirection(frame);
        } else {
            endPipeline(frame);
        }
    }

    private void bar(Frame frame) {
        at++;
        findings.compounded();
        if (peek('|')) {
            at++;
            endPipeline(frame);
            return;
        }
        at += peek('&') ? 1 : 0;
        endCommand(frame);
        frame.fed = frame.output.filter(printed -> !printed.isEmpty());
        frame.output = Optional.of("");
    }

    private void endCommand(Frame frame) {
        frame.endWord();
        if (frame.tooMany) {
            findings.giveUp("its braces stand for too many words");
        }
        Optional<String> brace = frame.words.isEmpty()
                ? Optional.empty()
                : Optional.of(frame.words.getFirst().text());
        brace.filter(Set.of("{", "do")::contains).ifPresent(_ -> frame.beginGroup());
        frame.cases += frame.atCase() ? 1 : 0;
        frame.cases -= frame.cases > 0 && brace.filter("esac"::equals).isPresent() ? 1 : 0;
        if (brace.filter("function"::equals).isPresent() && frame.words.size() > 1) {
            Functions.define(frame.words.get(1).text(), text, Math.max(0, text.lastIndexOf('{', at)), findings);
        }
        if (frame.pipeline.isEmpty() && frame.fed.isEmpty()) {
            frame.fed = findings.input();
        }
        Optional<SimpleCommand> taken = SimpleCommand.take(frame.words, findings, depth + nesting, frame.fed);
        frame.words = new ArrayList<>();
        for (HereDocument document : frame.documents) {
            document.commands = taken.filter(SimpleCommand::runsItsInput).isPresent() || findings.isUnsure();
            waiting.add(document);
        }
        frame.documents.clear();
        taken.ifPresent(command -> taken(frame, command));
        brace.filter(Set.of("}", "done")::contains).ifPresent(_ -> frame.endGroup());
    }

    private void taken(Frame frame, SimpleCommand command) {
        frame.last = Optional.of(command);
        frame.output = joined(frame.output, command.output(frame.fed));
        frame.pipeline.add(command.line());
        frame.groups.forEach(group -> {
            if (group.length() + command.line().length() < LONGEST_GROUP) {
                group.append(group.length() > 1 ? "; " : "").append(command.line());
            }
        });
        if (command.readsCommands()) {
            waiting.forEach(document -> document.commands = true); // cat <<EOF | sh
            frame.fed.ifPresent(commands -> findings.inside(
                    Findings.INPUT, List.of(), () -> new ShellReader(commands, findings, depth + nesting + 1).read()));
        }
        frame.fed = Optional.empty();
    }

    /// What two commands print, one after the other, where that can be told of both.
    private static Optional<String> joined(Optional<String> before, Optional<String> then) {
        return before.flatMap(first -> then.map(second -> first.isEmpty() ? second : first + "\n" + second))
                .filter(all -> all.length() < LONGEST_GROUP * 10);
    }

    private void endPipeline(Frame frame) {
        endCommand(frame);
        if (frame.pipeline.size() > 1) {
            findings.pipeline(String.join(" | ", frame.pipeline));
        }
        frame.pipeline.clear();
        frame.fed = Optional.empty();
        if (!frame.collects && frame.groups.isEmpty()) {
            frame.output = Optional.of("");
        }
    }

    private void redirection(Frame frame) {
        findings.compounded();
        if (frame.inFormula()) {
            findings.unsure(); // a[1<<2]=3
        }
        if (frame.open && !frame.word.isEmpty() && frame.word.chars().allMatch(Character::isDigit)) {
            frame.word.setLength(0); // the descriptor's number
            frame.open = false;
        }
        frame.endWord();
        int start = at;
        char sign = text.charAt(at++);
        if (sign == '&') {
            at++;
        }
        if (sign != '&' && peek('(')) {
            at++;
            Nested nested = substitution();
            frame.words.add(new Word(sign + "(" + nested.program() + ")", true, nested.output()));
            return;
        }
        if (sign == '<' && text.startsWith("<<", start) && arithmetic == 0) {
            hereDocument(frame);
            return;
        }
        while (at < text.length() && "<>&|".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        frame.words.add(new Word(text.substring(start, at), true));
    }

    private void hereDocument(Frame frame) {
        at++;
        if (peek('<')) {
            at++;
            frame.words.add(new Word("<<<", true));
            return;
        }
        boolean stripTabs = peek('-');
        at += stripTabs ? 1 : 0;
        while (peek(' ') || peek('\t')) {
            at++;
        }
        StringBuilder end = new StringBuilder();
        boolean literal = false;
        char quote = '\0';
        while (at < text.length() && (quote != '\0' || " \t\n;&|<>()".indexOf(text.charAt(at)) < 0)) {
            char c = text.charAt(at++);
            if (c == quote) {
                quote = '\0';
            } else if (quote == '\0' && (c == '\'' || c == '"')) {
                literal = true;
                quote = c;
            } else if (c == '\\' && quote != '\'' && at < text.length()) {
                literal = true;
                end.append(text.charAt(at++));
            } else {
                end.append(c);
            }
        }
        if (end.indexOf("$") >= 0 || end.indexOf("`") >= 0 || end.indexOf("\n") >= 0) {
            findings.unsure();
        }
        frame.words.add(new Word("<<", true));
        if (!end.isEmpty()) {
            frame.documents.add(new HereDocument(end.toString(), stripTabs, literal));
        }
    }

    /// Reads the here-documents that were declared on the line that has just ended.
    private void bodies() {
        if (waiting.isEmpty()) {
            return;
        }
        List<HereDocument> documents = List.copyOf(waiting);
        waiting.clear();
        for (HereDocument document : documents) {
            int start = at;
            boolean found = false;
            while (at < text.length() && !found) {
                int newline = text.indexOf('\n', at);
                int end = newline < 0 ? text.length() : newline;
                String line = text.substring(at, end);
                found = (document.stripTabs ? line.replaceFirst("^\t+", "") : line).equals(document.end);
                at = newline < 0 ? end : end + 1;
            }
            String body = text.substring(start, at);
            if (document.commands || !found || findings.isUnsure()) {
                nestedText(body);
            } else if (!document.literal && (body.contains("$(") || body.indexOf('`') >= 0)) {
                nestedText(": \"" + body.replace("\"", "\\\"") + '"');
            }
        }
    }

    private void nestedText(String commands) {
        new ShellReader(commands, findings, depth + nesting + 1).read();
    }

    /// Reads one part of a word: a quoted text, an escape, an expansion or a character.
    private void part(Frame frame, boolean quoted) {
        char c = text.charAt(at++);
        switch (c) {
            case '\\' -> escape(frame, quoted);
            case '\'' -> {
                if (quoted) {
                    frame.add(c);
                } else {
                    single(frame);
                }
            }
            case '"' -> doubled(frame);
            case '`' -> backticks(frame, quoted);
            case '$' -> dollar(frame, quoted);
            default -> {
                if (quoted) {
                    frame.add(c);
                } else {
                    frame.addBare(c);
                }
            }
        }
    }

    private void escape(Frame frame, boolean quoted) {
        if (at >= text.length()) {
            return;
        }
        char c = text.charAt(at++);
        if (c == '\n') {
            return; // a line that goes on
        }
        if (quoted && "$`\"\\".indexOf(c) < 0) {
            frame.add('\\');
        }
        frame.add(c);
    }

    private void single(Frame frame) {
        int end = text.indexOf('\'', at);
        frame.open = true;
        if (end < 0) {
            unclosed(frame);
            return;
        }
        frame.word.append(text, at, end);
        at = end + 1;
    }

    private void doubled(Frame frame) {
        int start = at;
        frame.open = true;
        while (at < text.length() && text.charAt(at) != '"' && !findings.over()) {
            part(frame, true);
        }
        if (at >= text.length()) {
            at = start;
            unclosed(frame);
        } else {
            at++;
        }
    }

    private void unclosed(Frame frame) {
        String rest = text.substring(at);
        at = text.length();
        frame.word.append(rest);
        findings.compounded();
        if (findings.salvage()) {
            nestedText(rest);
        }
    }

    private void backticks(Frame frame, boolean quoted) {
        findings.compounded();
        StringBuilder inner = new StringBuilder();
        int i = at;
        while (!noMoreBackticks && i < text.length() && text.charAt(i) != '`') {
            boolean escaped =
                    text.charAt(i) == '\\' && i + 1 < text.length() && "`\\$".indexOf(text.charAt(i + 1)) >= 0;
            inner.append(text.charAt(escaped ? i + 1 : i));
            i += escaped ? 2 : 1;
        }
        if (noMoreBackticks || i >= text.length()) {
            noMoreBackticks = true;
            frame.add('`');
            return;
        }
        at = i + 1;
        if (findings.admit(inner.length(), depth + nesting + 1)) {
            place(frame, new ShellReader(inner.toString(), findings, depth + nesting + 1).list(false, true), quoted);
        }
    }

    private void dollar(Frame frame, boolean quoted) {
        if (peek('(')) {
            at++;
            boolean number = peek('(');
            place(frame, substitution(), quoted || number);
        } else if (peek('\'') && !quoted) {
            at++;
            at = AnsiQuotes.read(text, at, frame.word);
            frame.open = true;
        } else if (peek('"') && !quoted) {
            at++;
            doubled(frame);
        } else {
            int end = Expansion.end(text, at, quoted, findings);
            String written = text.substring(at - 1, end);
            if (written.length() > 1) {
                findings.compounded();
            }
            at = end;
            if (written.length() > 2 && SEPARATORS.matcher(written).find()) {
                nestedText(written.substring(2)); // should a shell see its end earlier
            }
            frame.insert(Expansion.value(written, findings), quoted && !findings.severalIn(written));
        }
    }

    /// Reads up to the parenthesis that closes a substitution; the opening one has been read.
    private Nested substitution() {
        findings.compounded();
        if (!findings.admit(0, depth + nesting + 1)) {
            return new Nested("", Optional.empty());
        }
        int outer = arithmetic;
        Findings.Folder folder = findings.folder();
        arithmetic = peek('(') ? 1 : 0;
        nesting++;
        Nested nested = list(true, true);
        nesting--;
        arithmetic = outer;
        findings.folder(folder);
        return nested;
    }

    private static void place(Frame frame, Nested nested, boolean quoted) {
        if (nested.output().isPresent()) {
            frame.insert(nested.output().get(), quoted);
        } else {
            frame.word.append("$(").append(nested.program()).append(')');
            frame.open = true;
        }
    }
}
