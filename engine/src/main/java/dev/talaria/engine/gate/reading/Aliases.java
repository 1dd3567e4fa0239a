package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Replaces an alias at the beginning of a command by the text that it stands for.
final class Aliases {
    private static final int MOST = 6;

    private Aliases() {}

    /// Returns the command that results from replacing an alias; nothing if the command begins with
    /// no alias.
    static Optional<Node> of(Node.Simple node, State state, Evaluator evaluator) {
        if (state.aliases.isEmpty() || node.words().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> name = node.words().getFirst().bare();
        Set<String> meanings = name.map(state.aliases::get).orElse(Set.of());
        if (meanings == null || meanings.isEmpty()) {
            return Optional.empty();
        }
        if (meanings.stream().anyMatch(text -> UnknownValues.any(text) || text.contains("<<"))) {
            evaluator.findings.unknown("It uses an alias whose meaning cannot be told beforehand.");
        }
        List<Node.Item> all = new ArrayList<>();
        meanings.stream()
                .limit(MOST)
                .forEach(text -> all.add(new Node.Item(expanded(text, node, state, evaluator), false)));
        return Optional.of(new Node.Sequence(all));
    }

    private static Node expanded(String text, Node.Simple node, State state, Evaluator evaluator) {
        List<ShellWord> rest =
                new ArrayList<>(node.words().subList(1, node.words().size()));
        String whole = text;
        // After an alias that ends with a blank, the shell looks up the next word, too.
        while (whole.endsWith(" ") && !rest.isEmpty() && rest.getFirst().bare().isPresent()) {
            Set<String> next = state.aliases.getOrDefault(rest.getFirst().bare().get(), Set.of());
            whole = whole
                    + (next.isEmpty()
                            ? rest.getFirst().bare().get()
                            : next.iterator().next());
            rest.removeFirst();
        }

        Node parsed = ShellParser.parse(whole, evaluator.findings, 1);
        return appended(parsed, node, rest);
    }

    /// Puts the rest of a command behind the last command of an alias. The first word of the rest is
    /// quoted, so that it is not looked up again.
    private static Node appended(Node parsed, Node.Simple node, List<ShellWord> rest) {
        if (parsed instanceof Node.Sequence(List<Node.Item> items) && !items.isEmpty()) {
            List<Node.Item> all = new ArrayList<>(items);
            Node last = all.removeLast().node();
            all.add(new Node.Item(appended(last, node, rest), false));
            return new Node.Sequence(all);
        }
        return switch (parsed) {
            case Node.Simple simple -> {
                List<ShellWord> words = new ArrayList<>(simple.words());
                Optional<String> name = node.words().getFirst().bare();
                if (!words.isEmpty() && words.getFirst().bare().equals(name)) {
                    words.set(0, ShellWord.of(name.orElseThrow()));
                }
                words.addAll(rest);
                List<Node.Redirection> redirections = new ArrayList<>(simple.redirections());
                redirections.addAll(node.redirections());
                yield new Node.Simple(simple.assignments(), words, redirections);
            }
            case Node.Pipeline(List<Node> members, boolean negated) -> {
                List<Node> all = new ArrayList<>(members);
                all.add(appended(all.removeLast(), node, rest));
                yield new Node.Pipeline(all, negated);
            }
            case Node.AndOr(Node left, boolean and, Node right) ->
                new Node.AndOr(left, and, appended(right, node, rest));
            default -> parsed;
        };
    }
}
