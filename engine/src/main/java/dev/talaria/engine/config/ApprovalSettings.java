package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.time.Duration;
import java.util.List;

/// What may be done, and who is asked.
///
/// @param mode who decides about dangerous commands
/// @param timeout how long a call waits for an answer; no answer means no
/// @param pending how long a question that nobody can answer when it comes is kept, with its later answer
/// @param deny patterns (RE2) of what never runs
/// @param allow patterns (RE2) of commands that run without a question; they must match the whole of a simple
///     command
public record ApprovalSettings(
        ApprovalMode mode, Duration timeout, Duration pending, List<String> deny, List<String> allow) {

    /// The largest value of `timeout` and `pending`.
    public static final Duration LONGEST = Duration.ofDays(365);

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<ApprovalMode> MODE = KEYS.add(
            "approvals.mode",
            ValueKind.approvalMode(),
            ApprovalMode.MANUAL,
            REFUSED,
            "Who decides about dangerous commands where the host is in reach: a person is asked about them (manual) or"
                    + " about each script, too (ask), or nobody is asked (allow, deny).");
    static final ConfigKey<Duration> TIMEOUT = KEYS.add(
            "approvals.timeout",
            ValueKind.duration(),
            Duration.ofMinutes(5),
            REFUSED,
            "How long an answer is waited for; silence is a no.");
    static final ConfigKey<Duration> PENDING = KEYS.add(
            "approvals.pending",
            ValueKind.duration(),
            Duration.ofHours(1),
            REFUSED,
            "How long a question waits for 'talaria approvals answer' where nobody can be asked, and its answer for the"
                    + " call.");
    static final ConfigKey<List<String>> DENY = KEYS.add(
            "approvals.deny",
            ValueKind.patterns(),
            List.of(),
            REFUSED,
            "What never runs, in any sandbox: commands, and scripts by their lines, in which one of these is found.");
    static final ConfigKey<List<String>> ALLOW = KEYS.add(
            "approvals.allow",
            ValueKind.patterns(),
            List.of(),
            REFUSED,
            "Commands that run without a question: one of these matches the whole of it, and it is a single program with"
                    + " its words.");

    public ApprovalSettings {
        Require.positive(TIMEOUT, timeout);
        Require.positive(PENDING, pending);
        timeout = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout;
        pending = pending.compareTo(LONGEST) > 0 ? LONGEST : pending;
        deny = List.copyOf(deny);
        allow = List.copyOf(allow);
        deny.forEach(ApprovalSettings::requirePattern);
        allow.forEach(ApprovalSettings::requirePattern);
    }

    public static ApprovalSettings defaults() {
        return from(new Choices());
    }

    static ApprovalSettings from(Choices choices) {
        return new ApprovalSettings(
                choices.value(MODE),
                choices.value(TIMEOUT),
                choices.value(PENDING),
                choices.value(DENY),
                choices.value(ALLOW));
    }

    /// Throws an {@link IllegalArgumentException} that says what is wrong with a pattern.
    static void requirePattern(String pattern) {
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "the pattern '" + PrintableText.bare(pattern) + "' does not compile: "
                            + PrintableText.bare(e.getDescription()) + ".",
                    e);
        }
        if (pattern.isBlank()) {
            throw new IllegalArgumentException("an empty pattern would match everything.");
        }
    }

    public ApprovalSettings withMode(ApprovalMode newMode) {
        return new ApprovalSettings(newMode, timeout, pending, deny, allow);
    }

    public ApprovalSettings withTimeout(Duration newTimeout) {
        return new ApprovalSettings(mode, newTimeout, pending, deny, allow);
    }

    public ApprovalSettings withPending(Duration newPending) {
        return new ApprovalSettings(mode, timeout, newPending, deny, allow);
    }

    public ApprovalSettings withDeny(List<String> newDeny) {
        return new ApprovalSettings(mode, timeout, pending, newDeny, allow);
    }

    public ApprovalSettings withAllow(List<String> newAllow) {
        return new ApprovalSettings(mode, timeout, pending, deny, newAllow);
    }
}
