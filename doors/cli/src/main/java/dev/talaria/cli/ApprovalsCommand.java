package dev.talaria.cli;

import dev.talaria.api.Answer;
import dev.talaria.api.DisplayText;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.Admin;
import dev.talaria.engine.admin.Approval;
import dev.talaria.engine.admin.Approvals;
import dev.talaria.engine.json.Json;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/// `talaria approvals`: shows and revokes permanent approvals, and answers waiting questions.
final class ApprovalsCommand implements CliCommand {
    private static final List<String> VERBS = List.of("list", "revoke", "clear", "pending", "answer");

    @Override
    public Syntax syntax() {
        return new Syntax(
                "approvals",
                "Lists or revokes your permanent approvals: list (the default), revoke ID, clear. 'pending' lists the"
                        + " questions that still wait for you. 'answer ID ANSWER' answers one on a terminal: once,"
                        + " session, always, deny, or a wider answer that 'pending' shows. Without ANSWER it asks you."
                        + " An ID may be shortened. Running programs see a change at once. Exit code: 2 if there is no"
                        + " such approval or question.",
                List.of("list|revoke|clear|pending|answer", "ID", "ANSWER"),
                0,
                List.of(Option.flag("--json", "Print the result as one JSON object.")),
                List.of(
                        "talaria approvals",
                        "talaria approvals revoke 3f2a",
                        "talaria approvals pending",
                        "talaria approvals answer 9c1e once"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Admin admin = Engine.admin(console.environment());
        String verb = given.positional(0).orElse("list");
        boolean json = given.has("--json");
        if (!verb.equals("revoke")
                && !verb.equals("answer")
                && given.positional(1).isPresent()) {
            throw new UsageException("'" + verb + "' takes no ID. Write 'talaria approvals revoke ID'.");
        }
        if (!verb.equals("answer") && given.positional(2).isPresent()) {
            throw new UsageException("'" + verb + "' takes no ANSWER.");
        }
        try {
            act(verb, admin, given, json, console);
        } catch (UncheckedIOException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        return ExitCode.SUCCESS.number();
    }

    private static void act(String verb, Admin admin, Arguments given, boolean json, Console console) {
        Approvals stored = admin.approvals();
        switch (verb) {
            case "list" -> list(stored.all(), json, console);
            case "revoke" -> revoke(stored, id(given, "revoke ID"), json, console);
            case "clear" -> clear(stored, json, console);
            case "pending" -> new PendingQuestions(admin.pendingApprovals(), console, json).list();
            case "answer" -> {
                String id = id(given, "answer ID once|session|always|deny");
                PendingQuestions questions = new PendingQuestions(admin.pendingApprovals(), console, json);
                given.positional(2)
                        .map(word -> Answer.of(word)
                                .orElseThrow(() -> new UsageException("'" + word
                                        + "' is no answer. 'talaria approvals pending' shows what may be answered.")))
                        .ifPresentOrElse(answer -> questions.answer(id, answer), () -> questions.answer(id));
            }
            default ->
                throw new UsageException("there is no 'approvals " + verb + "'." + Suggestion.among(verb, VERBS));
        }
    }

    private static String id(Arguments given, String usage) {
        return given.positional(1)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> new UsageException("name it: talaria approvals " + usage + "."));
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
        approvals.forEach(one -> console.println(DisplayText.line(one.id()) + "  " + one.scope() + ": "
                + one.words() + "   (" + one.at() + ", " + DisplayText.line(one.by()) + ": "
                + firstLine(one.example()) + ")"));
    }

    private static void revoke(Approvals stored, String id, boolean json, Console console) {
        Approval gone = stored.revoke(id)
                .orElseThrow(() -> new UsageException(
                        "no approval, or more than one, has the id " + id + ". 'talaria approvals' lists them."));
        console.println(json ? Json.text(Map.of("revoked", gone.json())) : "Not allowed any more: " + gone.words());
    }

    private static void clear(Approvals stored, boolean json, Console console) {
        int count = stored.clear();
        console.println(json ? Json.text(Map.of("cleared", count)) : "Took back " + count + ".");
    }

    private static String firstLine(String text) {
        return DisplayText.line(text.lines().findFirst().orElse(""));
    }
}
