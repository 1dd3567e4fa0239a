package dev.talaria.engine.gate;

import dev.talaria.api.Gate.Decision;
import dev.talaria.api.Question.Reason;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.rules.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Puts decisions into words: a word for the audit log, a message for the caller. A model that reads
/// a refusal must not look for another way to the same end, and must know who can allow the call. A
/// person reads the reason only.
final class DecisionTexts {
    private static final String STOP =
            " Do not retry it, rephrase it or reach the same end another way; tell the user what you wanted to do, and why.";

    private final String configFile;

    DecisionTexts(Settings settings) {
        this.configFile = settings.folders().configFile().toString();
    }

    Decision hard(Rule rule) {
        return refused(
                "hard floor: " + rule.key(),
                "blocked",
                "Blocked (" + rule.key() + "): " + rule.why()
                        + " Talaria never runs this where it can reach a machine that people depend on; no setting and no"
                        + " approval changes that.",
                STOP);
    }

    Decision unreadable(String why) {
        return refused(
                "hard floor: cannot be checked",
                "blocked",
                "Blocked: this command cannot be checked, since " + why
                        + ". Write it into a script with write_file and run"
                        + " that, or split it into several shorter commands.",
                "");
    }

    Decision rule(String pattern) {
        return refused(
                "denied by rule: " + pattern,
                "denied",
                "Denied by the user's rule '" + pattern + "' (approvals.deny in " + configFile + ").",
                STOP);
    }

    Decision mode(List<Reason> reasons) {
        return refused(
                "denied by mode: " + keys(reasons),
                "denied",
                "Denied: " + why(reasons) + " The setting approvals.mode is deny." + allowing(),
                STOP);
    }

    Decision of(Consent.Outcome outcome, List<Reason> reasons) {
        String keys = keys(reasons);
        return switch (outcome) {
            case Consent.Outcome.Known _ -> new Decision.Allowed("approved before: " + keys);
            case Consent.Outcome.Granted(var answer, String by, var id) ->
                new Decision.Allowed(
                        "approved " + answer.word() + " by " + by
                                + id.map(one -> " (" + one + ")").orElse("") + ": " + keys,
                        Optional.of("Approved by the user (" + answer.word() + "): " + keys + "."));
            case Consent.Outcome.Denied(String by) ->
                refused("denied by " + by + ": " + keys, "denied", "Denied by the user: " + why(reasons), STOP);
            case Consent.Outcome.TimedOut _ ->
                refused(
                        "approval timed out: " + keys,
                        "timeout",
                        "Denied: the user did not answer in time, and silence is a no. " + why(reasons),
                        STOP);
            case Consent.Outcome.Cancelled(String reason) ->
                refused(
                        "approval cancelled: " + keys,
                        "cancelled",
                        "Cancelled while waiting for an approval: " + reason + ".",
                        "");
            case Consent.Outcome.Nobody _ ->
                refused(
                        "no approver: " + keys,
                        "denied",
                        "Denied: this needs an approval, and nobody can be asked here. " + why(reasons) + allowing(),
                        STOP);
            case Consent.Outcome.Pending(StoredQuestion question) -> awaiting(question, reasons);
        };
    }

    private Decision awaiting(StoredQuestion question, List<Reason> reasons) {
        String answers =
                question.offers().stream().map(offer -> offer.answer().word()).collect(Collectors.joining("|"));
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "");
        value.put("exit_code", -1);
        value.put(
                "error",
                "Not done yet: this needs the user's approval, and nobody can be asked right now. " + why(reasons)
                        + " Tell the user what you want to do and why, and that they can answer until "
                        + question.until() + " with 'talaria approvals answer " + question.id() + " " + answers
                        + "' on a terminal. Do not retry it before they say that they have, do not answer it yourself,"
                        + " rephrase it or reach the same end another way; after a yes, make exactly the same call"
                        + " again." + allowing());
        value.put("status", "approval_required");
        value.put("approval_id", question.id());
        value.put("expires_at", question.until().toString());
        value.put("command", question.subject());
        value.put("description", question.why());
        value.put("pattern_key", question.keys());
        return new Decision.Awaiting(
                "approval required (" + question.id() + "): " + keys(reasons), question.id(), value);
    }

    private String allowing() {
        return " (For the operator: it can be allowed by a pattern in approvals.allow or by approvals.mode: allow, in "
                + configFile + " or as TALARIA_APPROVALS_MODE=allow; a container needs no approval.)";
    }

    static String keys(List<Reason> reasons) {
        return reasons.stream().map(Reason::key).distinct().collect(Collectors.joining("; "));
    }

    private static String why(List<Reason> reasons) {
        String sentences = reasons.stream().map(Reason::why).distinct().collect(Collectors.joining(" "));
        return sentences + " (" + keys(reasons) + ")";
    }

    /// Returns a refusal.
    ///
    /// @param message the text for a person
    /// @param advice the text that a model reads besides
    private static Decision refused(String word, String outcome, String message, String advice) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "");
        value.put("exit_code", -1);
        value.put("error", message + advice);
        value.put("status", "blocked");
        value.put("outcome", outcome);
        return new Decision.Refused(word, message, value);
    }
}
