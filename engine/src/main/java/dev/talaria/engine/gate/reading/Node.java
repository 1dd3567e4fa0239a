package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Optional;

/// A node of a parsed shell program.
sealed interface Node {

    /// A program and its words, with assignments in front of it and redirections anywhere.
    record Simple(List<Assignment> assignments, List<ShellWord> words, List<Redirection> redirections) implements Node {

        /// Returns the only word of the command, if there is nothing else.
        Optional<String> onlyWord() {
            boolean only = assignments.isEmpty() && words.size() == 1 && redirections.isEmpty();
            return only ? words.getFirst().literal() : Optional.empty();
        }
    }

    /// Commands joined by pipes.
    record Pipeline(List<Node> members, boolean negated) implements Node {}

    /// `left && right`, or `left || right`.
    record AndOr(Node left, boolean and, Node right) implements Node {}

    record Sequence(List<Item> items) implements Node {}

    /// `{ ...; }`
    record Group(Node body) implements Node {}

    /// `( ... )`
    record Subshell(Node body) implements Node {}

    record Redirected(Node body, List<Redirection> redirections) implements Node {}

    record If(Node condition, Node then, Optional<Node> otherwise) implements Node {}

    /// `while` and `until`.
    record Loop(Node condition, Node body, boolean until) implements Node {}

    /// `for NAME in WORDS` and `select`. Without words the loop runs over the arguments.
    record For(String name, Optional<List<ShellWord>> words, Node body) implements Node {}

    /// `for ((a; b; c))`
    record Counting(ShellWord formulas, Node body) implements Node {}

    record Case(ShellWord subject, List<Branch> branches) implements Node {}

    /// A function.
    ///
    /// @param source the body as it was written
    record Define(String name, Node body, String source) implements Node {}

    record Coproc(Node body) implements Node {}

    /// `[[ ... ]]`
    record Test(List<ShellWord> words) implements Node {}

    /// `(( ... ))`
    record Formula(ShellWord formula) implements Node {}

    /// A command of a list.
    ///
    /// @param background whether it ends with `&`
    record Item(Node node, boolean background) {}

    /// A branch of `case`.
    ///
    /// @param ends whether the case is over after the body, and no other branch is tried
    record Branch(List<ShellWord> patterns, Node body, boolean ends) {}

    /// `NAME=value`
    ///
    /// @param elements the words of `NAME=( ... )`
    record Assignment(
            String name,
            Optional<ShellWord> subscript,
            boolean append,
            ShellWord value,
            Optional<List<ShellWord>> elements) {}

    /// A redirection, such as `> file`.
    ///
    /// @param descriptor a number, `{name}`, or nothing
    /// @param sign `>`, `>>`, `<<<` and so on
    /// @param document the here-document, if there is one
    record Redirection(String descriptor, String sign, ShellWord target, Optional<HereDocument> document) {

        boolean writes() {
            return sign.indexOf('>') >= 0;
        }
    }

    /// A here-document. Its body stands on later lines. The parser reads it at the end of the line
    /// with the sign.
    final class HereDocument {
        final String end;
        final boolean stripTabs;
        final boolean literal;
        private ShellWord body = ShellWord.EMPTY;

        HereDocument(String end, boolean stripTabs, boolean literal) {
            this.end = end;
            this.stripTabs = stripTabs;
            this.literal = literal;
        }

        ShellWord body() {
            return body;
        }

        void body(ShellWord read) {
            body = read;
        }
    }
}
