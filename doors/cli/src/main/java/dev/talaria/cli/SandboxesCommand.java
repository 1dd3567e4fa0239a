package dev.talaria.cli;

import dev.talaria.api.DisplayText;
import dev.talaria.api.Usage;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.ListedSandbox;
import dev.talaria.engine.admin.PruneResult;
import dev.talaria.engine.admin.SandboxList;
import dev.talaria.engine.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// `talaria sandboxes`: lists the sandboxes of every Talaria of this user, including those of killed ones.
final class SandboxesCommand implements CliCommand {
    private static final List<String> VERBS = List.of("ls", "rm", "prune");
    private static final int SHORTEST_ID = 4;
    private static final Duration ANSWER = Duration.ofSeconds(5);

    @Override
    public Syntax syntax() {
        return new Syntax(
                "sandboxes",
                "Lists or removes the open sandboxes of all your Talarias: ls (the default), rm ID, prune (those of killed"
                        + " Talarias). The list shows memory and disk, or '-' if the backend does not report them. An ID"
                        + " may be shortened. Exit code: 2 if there is no such sandbox or a running Talaria uses it, 3"
                        + " if it could not be removed.",
                List.of("ls|rm|prune", "ID"),
                0,
                List.of(
                        Option.flag("--force", "With rm: remove a sandbox that a running Talaria uses, too."),
                        Option.flag("--json", "Print the result as one JSON object.")),
                List.of("talaria sandboxes", "talaria sandboxes rm 3f2a9c", "talaria sandboxes prune --json"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        SandboxList sandboxes = Engine.admin(console.environment()).sandboxes();
        String verb = given.positional(0).orElse("ls");
        if (!verb.equals("rm") && given.positional(1).isPresent()) {
            throw new UsageException("'" + verb + "' takes no ID. Write 'talaria sandboxes rm ID'.");
        }
        if (!verb.equals("rm") && given.has("--force")) {
            throw new UsageException("--force is for 'talaria sandboxes rm ID' alone.");
        }
        boolean json = given.has("--json");
        return switch (verb) {
            case "ls" -> list(sandboxes, json, console);
            case "rm" -> remove(sandboxes, find(sandboxes, given), given.has("--force"), json, console);
            case "prune" -> prune(sandboxes, json, console);
            default ->
                throw new UsageException("there is no 'sandboxes " + verb + "'." + Suggestion.among(verb, VERBS));
        };
    }

    private static int list(SandboxList sandboxes, boolean json, Console console) {
        List<ListedSandbox> all = sandboxes.all();
        Map<String, Usage> usages = sandboxes.usages(ANSWER);
        if (json) {
            console.println(Json.text(Map.of(
                    "sandboxes",
                    all.stream()
                            .map(one -> json(one, usages.getOrDefault(one.id(), Usage.UNKNOWN)))
                            .toList())));
        } else if (all.isEmpty()) {
            console.println("There are none.");
        } else {
            all.forEach(one -> {
                Usage usage = usages.getOrDefault(one.id(), Usage.UNKNOWN);
                console.println(one.id() + "  " + one.name().orElse(one.backend() + " (opening)") + "  "
                        + one.isolation().orElse("?") + "  " + age(one) + "  memory " + size(usage.memory())
                        + "  disk " + size(usage.disk()) + "  session " + DisplayText.name(one.session()) + "  "
                        + owner(one));
            });
        }
        return ExitCode.SUCCESS.number();
    }

    private static String size(OptionalLong bytes) {
        return bytes.isPresent() ? CopyView.size(bytes.getAsLong()) : "-";
    }

    private static Map<String, Object> json(ListedSandbox one, Usage usage) {
        Map<String, Object> json = json(one);
        usage.memory().ifPresent(bytes -> json.put("memory_bytes", bytes));
        usage.disk().ifPresent(bytes -> json.put("disk_bytes", bytes));
        return json;
    }

    private static String owner(ListedSandbox one) {
        return one.talaria().isPresent()
                ? "(talaria " + one.talaria().getAsLong() + ")"
                : one.abandoned() ? "(left behind)" : "(kept for " + survivors(one) + ")";
    }

    private static String survivors(ListedSandbox one) {
        return String.join(", ", one.processes());
    }

    private static String age(ListedSandbox one) {
        long seconds =
                Math.max(0, Duration.between(one.created(), Instant.now()).toSeconds());
        return seconds < 120
                ? seconds + "s"
                : seconds < 7200
                        ? seconds / 60 + "m"
                        : seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    private static Map<String, Object> json(ListedSandbox one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", one.id());
        json.put("session", one.session());
        json.put("backend", one.backend());
        one.name().ifPresent(name -> json.put("name", name));
        one.isolation().ifPresent(word -> json.put("isolation", word));
        json.put("created_at", one.created().toString());
        json.put("left_behind", one.abandoned());
        one.talaria().ifPresent(pid -> json.put("talaria_pid", pid));
        if (!one.processes().isEmpty()) {
            json.put("processes", one.processes());
        }
        return json;
    }

    private static ListedSandbox find(SandboxList sandboxes, Arguments given) {
        String id = given.positional(1)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new UsageException("name the sandbox: talaria sandboxes rm ID."));
        List<ListedSandbox> found = sandboxes.all().stream()
                .filter(one -> id.length() >= SHORTEST_ID && one.id().startsWith(id))
                .toList();
        if (found.size() != 1) {
            throw new UsageException("no sandbox, or more than one, has the id " + id
                    + ". 'talaria sandboxes' lists those that there are.");
        }
        return found.getFirst();
    }

    private static int remove(
            SandboxList sandboxes, ListedSandbox sandbox, boolean force, boolean json, Console console) {
        if (!sandbox.abandoned() && !force) {
            throw new UsageException(sandbox.id()
                    + (sandbox.talaria().isPresent()
                            ? " is in use by Talaria " + sandbox.talaria().getAsLong()
                            : " is kept for " + survivors(sandbox))
                    + ". Add --force to take it away all the same; what runs there is lost.");
        }
        sandboxes.remove(sandbox);
        console.println(json ? Json.text(Map.of("removed", List.of(json(sandbox)))) : "Removed: " + sandbox.id());
        return ExitCode.SUCCESS.number();
    }

    private static int prune(SandboxList sandboxes, boolean json, Console console) {
        PruneResult pruned = sandboxes.prune();
        if (json) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put(
                    "removed",
                    pruned.removed().stream().map(SandboxesCommand::json).toList());
            value.put(
                    "left",
                    pruned.left().stream()
                            .map(left -> Map.of("id", left.sandbox().id(), "why", left.why()))
                            .toList());
            console.println(Json.text(value));
        } else {
            console.println("Removed " + pruned.removed().size() + ".");
            pruned.left().forEach(left -> console.println(left.sandbox().id() + " stays for now: " + left.why()));
        }
        return pruned.left().isEmpty() ? ExitCode.SUCCESS.number() : ExitCode.UNAVAILABLE.number();
    }
}
