package dev.talaria.engine.gate;

import dev.talaria.api.Question.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.engine.gate.reading.ShellContext;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.util.Sha256;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Identifies the subject of a question for grants: which command it is, where it starts, what it
/// changes.
///
/// @param what a command, a script, a line
/// @param sha256 the hash of its text and its input: the same command with another input is another
///     one
/// @param spot where it starts, if that is known
/// @param changes the paths that it changes; absent if not all of them are known
record QuestionScope(String what, String sha256, Optional<Grant.SandboxFolder> spot, Optional<ChangedPaths> changes) {

    /// Reasons that do not name a danger. They can be allowed for one command, never for a kind.
    static final Set<String> UNCLEAR = Set.of("cannot be computed", "too much to check");

    /// With more definitions than this, all of them count as used.
    private static final int MOST_DEFINITIONS = 100;

    /// Returns the scope of a text.
    ///
    /// @param given everything else that belongs to the text: its input, whether it goes on
    /// @param before the surroundings that it runs in
    /// @param writes the paths that it changes, a line each; empty if they are not known
    static QuestionScope of(
            String what,
            String text,
            Map<String, Object> given,
            ShellContext before,
            List<String> writes,
            Sandbox sandbox) {
        Map<String, Object> all =
                Map.of("what", what, "text", text, "given", given, "found", found(text, given, before));
        Optional<Grant.SandboxFolder> spot = before.folder()
                .get()
                .filter(folder -> !folder.isBlank())
                .map(folder ->
                        new Grant.SandboxFolder(name(sandbox), ChangedPaths.clean(folder, sandbox.sharesHost())));
        Optional<ChangedPaths> changes = spot.filter(
                        _ -> !writes.isEmpty()) // without a folder, relative paths mean nothing
                .map(_ -> new ChangedPaths(writes, name(sandbox), sandbox.sharesHost()));
        return new QuestionScope(what, Sha256.of(Json.sorted(all)), spot, changes);
    }

    /// Returns the scope of a call whose tool does not declare its effect.
    static QuestionScope ofTool(String text) {
        return new QuestionScope(
                "tool",
                Sha256.of(Json.sorted(Map.of("what", "tool", "text", text))),
                Optional.empty(),
                Optional.empty());
    }

    /// Returns the name of a sandbox, without the part that is new for each container.
    private static String name(Sandbox sandbox) {
        String name = sandbox.name();
        int colon = name.indexOf(':');
        return colon > 0 && !name.startsWith("ssh:") ? name.substring(0, colon) : name;
    }

    /// Returns the variables, aliases and functions that a text may use, with the ones that those use
    /// in turn.
    private static Map<String, String> found(String text, Map<String, Object> given, ShellContext before) {
        Map<String, String> all = new TreeMap<>();
        before.variables().forEach((name, value) -> all.put("$" + name, value));
        before.aliases().forEach((name, value) -> all.put("a " + name, value));
        before.functions().forEach((name, body) -> all.put("f " + name, body));
        if (all.size() > MOST_DEFINITIONS) {
            return all;
        }
        Map<String, String> used = new TreeMap<>();
        Deque<String> texts = new ArrayDeque<>(List.of(text));
        given.values().forEach(value -> texts.add(String.valueOf(value)));
        while (!texts.isEmpty()) {
            String next = texts.remove();
            all.forEach((key, value) -> {
                String name = key.substring(key.startsWith("$") ? 1 : 2);
                if (next.contains(name) && used.putIfAbsent(key, value) == null) {
                    texts.add(value);
                }
            });
        }
        return used;
    }

    /// Returns whether a grant covers a reason.
    boolean covered(Grant grant, Reason reason) {
        return switch (grant) {
            case Grant.Command command ->
                command.sha256().equals(sha256)
                        && spot.filter(command.spot()::equals).isPresent();
            case Grant.Below(String rule, Grant.SandboxFolder where) ->
                rule.equals(reason.key())
                        && !unclear(reason)
                        && changes.filter(all -> all.below(where)).isPresent();
            case Grant.Kind(String rule) -> rule.equals(reason.key()) && !unclear(reason);
        };
    }

    static boolean unclear(Reason reason) {
        return UNCLEAR.contains(reason.key());
    }
}
