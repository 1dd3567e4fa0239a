package dev.talaria.engine.decide.reading;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The command being read, and the pipeline it is part of.
final class Frame {
    private static final int MOST_GROUPS = 8;

    final boolean collects;
    List<Word> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean open; // a word has begun, even if it is empty so far
    boolean marked; // there are braces or commas outside of quotes in it
    final List<HereDocument> documents = new ArrayList<>();
    final List<String> pipeline = new ArrayList<>();
    final List<StringBuilder> groups = new ArrayList<>();
    final Deque<Findings.Folder> folders = new ArrayDeque<>(); // where the shells around a subshell are
    Optional<SimpleCommand> last = Optional.empty();
    Optional<String> fed = Optional.empty(); // what the command before the pipe prints
    Optional<String> output = Optional.of(""); // what the commands since then print
    int cases; // `case` without its `esac`
    boolean tooMany; // words that braces stand for
    int deeper; // groups beyond those that are followed

    Frame(boolean collects) {
        this.collects = collects;
    }

    void beginGroup() {
        if (groups.size() < MOST_GROUPS) {
            groups.add(new StringBuilder("("));
        } else {
            deeper++;
        }
    }

    /// A group is one member of the pipeline it stands in.
    void endGroup() {
        if (deeper > 0) {
            deeper--;
        } else if (!groups.isEmpty()) {
            pipeline.add(groups.removeLast().append(')').toString());
        }
    }

    void add(char c) {
        word.append(c);
        open = true;
    }

    /// Adds a character that stands outside of quotes.
    void addBare(char c) {
        char mark = Braces.mark(c);
        marked |= mark != c;
        add(mark);
    }

    /// Returns whether the word that has begun may be a formula, in which `<<` is no here-document.
    boolean inFormula() {
        return open && (word.indexOf("[") >= 0 || word.indexOf("$") >= 0);
    }

    void endWord() {
        if (!open) {
            return;
        }
        String text = word.toString();
        if (marked) {
            Optional<List<String>> expanded = Braces.expand(text);
            tooMany |= expanded.isEmpty();
            expanded.ifPresent(all -> all.forEach(one -> words.add(Word.of(one))));
        } else {
            words.add(Word.of(text));
        }
        word.setLength(0);
        open = false;
        marked = false;
    }

    /// Returns whether what follows is the body of `function NAME {` and the like, and no word of a command.
    boolean atBody() {
        return words.size() > 1
                && words.getLast().text().equals("{")
                && Set.of("function", "coproc").contains(words.getFirst().text());
    }

    /// Returns whether `case x in` has been read, and what follows is its first pattern.
    boolean atCase() {
        return !words.isEmpty() && words.getFirst().text().equals("case");
    }

    /// Puts an expansion's value into the word; unquoted, its blanks end words.
    void insert(String value, boolean quoted) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!quoted && (c == ' ' || c == '\t' || c == '\n')) {
                endWord();
            } else {
                add(c);
            }
        }
    }
}
