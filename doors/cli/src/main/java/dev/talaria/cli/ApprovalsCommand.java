package dev.talaria.cli;

import dev.talaria.engine.Json;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.decide.Approval;
import dev.talaria.engine.decide.StoredApprovals;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/// `talaria approvals`: what was allowed for good, and how that is taken back.
final class ApprovalsCommand implements CliCommand {
    private static final List<String> VERBS = List.of("list", "revoke", "clear");

    @Override
    public Syntax syntax() {
        return new Syntax(
                "approvals",
                "Lists what you have allowed for good, or takes it back: list (the default), revoke ID, clear. An ID may be"
                        + " shortened. Programs that run see a change at once. Exit code: 2 if there is no such approval.",
                List.of("list|revoke|clear", "ID"),
                0,
                List.of(Option.flag("--json", "Print what is there, or what was taken back, as one JSON object.")),
                List.of("talaria approvals", "talaria approvals revoke 3f2a"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        StoredApprovals stored = new StoredApprovals(Folders.of(console.environment()));
        String verb = given.positional(0).orElse("list");
        boolean json = given.has("--json");
        if (!verb.equals("revoke") && given.positional(1).isPresent()) {
            throw new UsageException("'" + verb + "' takes no ID. Write 'talaria approvals revoke ID'.");
        }
        try {
            act(verb, stored, given, json, console);
        } catch (UncheckedIOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        return ExitCode.SUCCESS.number();
    }

    private static void act(String verb, StoredApprovals stored, Arguments given, boolean json, Console console) {
        switch (verb) {
            case "list" -> list(stored.all(), json, console);
            case "revoke" -> revoke(stored, given, json, console);
            case "clear" -> clear(stored, json, console);
            default ->
                throw new UsageException("there is no 'approvals " + verb + "'." + Suggestion.of(verb, VERBS)
                        + " There are " + String.join(", ", VERBS) + ".");
        }
    }

    private static void list(List<Approval> approvals, boolean json, Console console) {
        if (json) {
            console.println(Json.text(
                    Map.of("approvals", approvals.stream().map(Approval::json).toList())));
            return;
        }
        if (approvals.isEmpty()) {
            console.println("Nothing is allowed for good.");
        }
        approvals.forEach(one -> console.println(one.id() + "  " + one.key() + "   (" + one.at() + ", " + one.by()
                + ": " + firstLine(one.example()) + ")"));
    }

    private static void revoke(StoredApprovals stored, Arguments given, boolean json, Console console) {
        String id = given.positional(1)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new UsageException("name the approval: talaria approvals revoke ID."));
        Approval gone = stored.revoke(id)
                .orElseThrow(() -> new UsageException(
                        "no approval, or more than one, has the id " + id + ". 'talaria approvals' lists them."));
        console.println(json ? Json.text(Map.of("revoked", gone.json())) : "Not allowed any more: " + gone.key());
    }

    private static void clear(StoredApprovals stored, boolean json, Console console) {
        int count = stored.clear();
        console.println(json ? Json.text(Map.of("cleared", count)) : "Took back " + count + ".");
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
