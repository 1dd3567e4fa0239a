package dev.talaria.cli;

import dev.talaria.api.Usage;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.copy.DisplayName;
import dev.talaria.engine.sandbox.SandboxRecord;
import dev.talaria.engine.sandbox.SandboxRegistry;
import dev.talaria.engine.sandbox.SandboxUsages;
import dev.talaria.engine.util.Backends;
import dev.talaria.engine.util.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/// `talaria sandboxes`: what every Talaria of this user has open, and what killed ones left.
final class SandboxesCommand implements CliCommand {
    private static final List<String> VERBS = List.of("ls", "rm", "prune");
    private static final int SHORTEST_ID = 4;
    private static final Duration ANSWER = Duration.ofSeconds(5);

    @Override
    public Syntax syntax() {
        return new Syntax(
                "sandboxes",
                "Lists the sandboxes that are open, whichever Talaria opened them, with the memory and disk that they take"
                        + " up ('-' where their backend does not say), or takes them away: ls (the default), rm ID,"
                        + " prune (those whose Talaria was killed). An ID may be shortened. Exit code: 2 if there is"
                        + " no such sandbox or a running Talaria has it, 3 if it could not be taken away.",
                List.of("ls|rm|prune", "ID"),
                0,
                List.of(
                        Option.flag("--force", "With rm: take it away from a running Talaria, too."),
                        Option.flag("--json", "Print one JSON object.")),
                List.of("talaria sandboxes", "talaria sandboxes rm 3f2a9c", "talaria sandboxes prune --json"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Folders folders = Folders.of(console.environment());
        String verb = given.positional(0).orElse("ls");
        if (!verb.equals("rm") && given.positional(1).isPresent()) {
            throw new UsageException("'" + verb + "' takes no ID. Write 'talaria sandboxes rm ID'.");
        }
        if (!verb.equals("rm") && given.has("--force")) {
            throw new UsageException("--force is for 'talaria sandboxes rm ID' alone.");
        }
        SandboxRegistry registry = new SandboxRegistry(folders, Backends::find);
        boolean json = given.has("--json");
        return switch (verb) {
            case "ls" -> list(SandboxRecord.all(folders), json, console);
            case "rm" -> remove(registry, find(folders, given), given.has("--force"), json, console);
            case "prune" -> prune(registry, json, console);
            default ->
                throw new UsageException("there is no 'sandboxes " + verb + "'." + Suggestion.of(verb, VERBS)
                        + " There are " + String.join(", ", VERBS) + ".");
        };
    }

    private static int list(List<SandboxRecord> all, boolean json, Console console) {
        Map<String, Usage> usages = new SandboxUsages(Backends::find, ANSWER).of(all);
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
                        + "  disk " + size(usage.disk()) + "  session " + DisplayName.name(one.session()) + "  "
                        + owner(one));
            });
        }
        return ExitCode.SUCCESS.number();
    }

    private static String size(OptionalLong bytes) {
        return bytes.isPresent() ? CopyView.size(bytes.getAsLong()) : "-";
    }

    private static Map<String, Object> json(SandboxRecord one, Usage usage) {
        Map<String, Object> json = json(one);
        usage.memory().ifPresent(bytes -> json.put("memory_bytes", bytes));
        usage.disk().ifPresent(bytes -> json.put("disk_bytes", bytes));
        return json;
    }

    private static String owner(SandboxRecord one) {
        return one.ownerLives()
                ? "(talaria " + one.owner().process().pid() + ")"
                : one.abandoned() ? "(left behind)" : "(kept for " + survivors(one) + ")";
    }

    private static String survivors(SandboxRecord one) {
        return one.survivors().stream().map(SandboxRecord.Survivor::id).collect(Collectors.joining(", "));
    }

    private static String age(SandboxRecord one) {
        long seconds =
                Math.max(0, Duration.between(one.created(), Instant.now()).toSeconds());
        return seconds < 120
                ? seconds + "s"
                : seconds < 7200
                        ? seconds / 60 + "m"
                        : seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }

    private static Map<String, Object> json(SandboxRecord one) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", one.id());
        json.put("session", one.session());
        json.put("backend", one.backend());
        one.name().ifPresent(name -> json.put("name", name));
        one.isolation().ifPresent(word -> json.put("isolation", word));
        json.put("created_at", one.created().toString());
        json.put("left_behind", one.abandoned());
        if (one.ownerLives()) {
            json.put("talaria_pid", one.owner().process().pid());
        }
        if (!one.survivors().isEmpty()) {
            json.put(
                    "processes",
                    one.survivors().stream().map(SandboxRecord.Survivor::id).toList());
        }
        return json;
    }

    private static SandboxRecord find(Folders folders, Arguments given) {
        String id = given.positional(1)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> new UsageException("name the sandbox: talaria sandboxes rm ID."));
        List<SandboxRecord> found = SandboxRecord.all(folders).stream()
                .filter(one -> id.length() >= SHORTEST_ID && one.id().startsWith(id))
                .toList();
        if (found.size() != 1) {
            throw new UsageException("no sandbox, or more than one, has the id " + id
                    + ". 'talaria sandboxes' lists those that there are.");
        }
        return found.getFirst();
    }

    private static int remove(
            SandboxRegistry registry, SandboxRecord record, boolean force, boolean json, Console console) {
        if (!record.abandoned() && !force) {
            throw new UsageException(record.id()
                    + (record.ownerLives()
                            ? " is in use by Talaria "
                                    + record.owner().process().pid()
                            : " is kept for " + survivors(record))
                    + ". Add --force to take it away all the same; what runs there is lost.");
        }
        registry.remove(record);
        console.println(json ? Json.text(Map.of("removed", List.of(json(record)))) : "Removed: " + record.id());
        return ExitCode.SUCCESS.number();
    }

    private static int prune(SandboxRegistry registry, boolean json, Console console) {
        SandboxRegistry.Swept swept = registry.sweep();
        if (json) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put(
                    "removed",
                    swept.removed().stream().map(SandboxesCommand::json).toList());
            value.put(
                    "left",
                    swept.left().stream()
                            .map(left -> Map.of("id", left.record().id(), "why", left.why()))
                            .toList());
            console.println(Json.text(value));
        } else {
            console.println("Removed " + swept.removed().size() + ".");
            swept.left().forEach(left -> console.println(left.record().id() + " stays for now: " + left.why()));
        }
        return swept.left().isEmpty() ? ExitCode.SUCCESS.number() : ExitCode.UNAVAILABLE.number();
    }
}
