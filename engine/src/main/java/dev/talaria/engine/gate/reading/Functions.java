package dev.talaria.engine.gate.reading;

import java.util.List;

/// Recognizes functions that start themselves.
final class Functions {
    private Functions() {}

    /// Returns whether a function starts itself in a pipe or in the background.
    static boolean multiplies(String name, Node body) {
        return looks(name, body, false);
    }

    /// @param beside whether the node runs in parallel with something else
    private static boolean looks(String name, Node node, boolean beside) {
        return switch (node) {
            case Node.Simple simple ->
                beside
                        && !simple.words().isEmpty()
                        && simple.words()
                                .getFirst()
                                .literal()
                                .filter(name::equals)
                                .isPresent();
            case Node.Pipeline(List<Node> members, boolean _) ->
                members.stream().anyMatch(member -> looks(name, member, beside || members.size() > 1));
            case Node.AndOr(Node left, boolean _, Node right) ->
                looks(name, left, beside) || looks(name, right, beside);
            case Node.Sequence(List<Node.Item> items) ->
                items.stream().anyMatch(item -> looks(name, item.node(), beside || item.background()));
            case Node.Group(Node body) -> looks(name, body, beside);
            case Node.Subshell(Node body) -> looks(name, body, beside);
            case Node.Redirected(Node body, var _) -> looks(name, body, beside);
            case Node.If(Node condition, Node then, var otherwise) ->
                looks(name, condition, beside)
                        || looks(name, then, beside)
                        || otherwise.filter(body -> looks(name, body, beside)).isPresent();
            case Node.Loop(Node condition, Node body, boolean _) ->
                looks(name, condition, beside) || looks(name, body, beside);
            case Node.For(var _, var _, Node body) -> looks(name, body, beside);
            case Node.Counting(var _, Node body) -> looks(name, body, beside);
            case Node.Case(var _, List<Node.Branch> branches) ->
                branches.stream().anyMatch(branch -> looks(name, branch.body(), beside));
            case Node.Coproc(Node body) -> looks(name, body, true);
            case Node.Define _, Node.Test _, Node.Formula _ -> false;
        };
    }
}
