package dev.talaria.engine.decide;

import dev.talaria.api.Question.Reason;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.decide.Gate.Decision;
import dev.talaria.engine.decide.rules.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Puts decisions into words: one for the audit log, a message for whoever made the call. A model that reads a refusal
/// must not look for another way to the same end, and must know who can allow it.
final class Verdicts {
    private static final String STOP =
            " Do not retry it, rephrase it or reach the same end another way; tell the user what you wanted to do, and why.";

    private final String configFile;

    Verdicts(Settings settings) {
        this.configFile = settings.folders().configFile().toString();
    }

    Decision hard(Rule rule) {
        return refused(
                "hard floor: " + rule.key(),
                "blocked",
                "Blocked (" + rule.key() + "): " + rule.why()
                        + " Talaria never runs this where it can reach a machine that people depend on; no setting and no"
                        + " approval changes that." + STOP);
    }

    Decision unreadable(String why) {
        return refused(
                "hard floor: cannot be checked",
                "blocked",
                "Blocked: this command cannot be checked, since " + why
                        + ". Write it into a script with write_file and run"
                        + " that, or split it into several shorter commands.");
    }

    Decision rule(String pattern) {
        return refused(
                "denied by rule: " + pattern,
                "denied",
                "Denied by the user's rule '" + pattern + "' (approvals.deny in " + configFile + ")." + STOP);
    }

    Decision mode(List<Reason> reasons) {
        return refused(
                "denied by mode: " + keys(reasons),
                "denied",
                "Denied: " + why(reasons) + " The setting approvals.mode is deny." + STOP + allowing());
    }

    Decision of(Consent.Outcome outcome, List<Reason> reasons) {
        String keys = keys(reasons);
        return switch (outcome) {
            case Consent.Outcome.Known _ -> new Decision.Allowed("approved before: " + keys);
            case Consent.Outcome.Granted(var answer, String by) -> {
                String word = answer.name().toLowerCase(Locale.ROOT);
                yield new Decision.Allowed(
                        "approved " + word + " by " + by + ": " + keys,
                        Optional.of("Approved by the user (" + word + "): " + keys + "."));
            }
            case Consent.Outcome.Denied(String by) ->
                refused("denied by " + by + ": " + keys, "denied", "Denied by the user: " + why(reasons) + STOP);
            case Consent.Outcome.TimedOut _ ->
                refused(
                        "approval timed out: " + keys,
                        "timeout",
                        "Denied: the user did not answer in time, and silence is a no. " + why(reasons) + STOP);
            case Consent.Outcome.Cancelled(String reason) ->
                refused(
                        "approval cancelled: " + keys,
                        "cancelled",
                        "Cancelled while waiting for an approval: " + reason + ".");
            case Consent.Outcome.Nobody _ ->
                refused(
                        "no approver: " + keys,
                        "denied",
                        "Denied: this needs an approval, and nobody can be asked here. " + why(reasons) + STOP
                                + allowing());
        };
    }

    private String allowing() {
        return " (For the operator: it can be allowed by a pattern in approvals.allow or by approvals.mode: allow, in "
                + configFile + " or as TALARIA_APPROVALS_MODE=allow; a container needs no approval.)";
    }

    private static String keys(List<Reason> reasons) {
        return reasons.stream().map(Reason::key).collect(Collectors.joining("; "));
    }

    private static String why(List<Reason> reasons) {
        String sentences = reasons.stream().map(Reason::why).distinct().collect(Collectors.joining(" "));
        return sentences + " (" + keys(reasons) + ")";
    }

    private static Decision refused(String word, String outcome, String message) {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("output", "");
        value.put("exit_code", -1);
        value.put("error", message);
        value.put("status", "blocked");
        value.put("outcome", outcome);
        return new Decision.Refused(word, message, value);
    }
}
