package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;
import static dev.talaria.engine.config.ConfigKey.InProject.REFUSED;

/// How sessions are told of their background processes.
///
/// @param policy what sessions are told
/// @param pushed how many notices are sent to a session at once; later ones wait for its next result
public record NoticeSettings(NoticePolicy policy, int pushed) {

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<NoticePolicy> POLICY = KEYS.add(
            "terminal.notices",
            ValueKind.noticePolicy(),
            NoticePolicy.ALL,
            REFUSED,
            "Which ends of background processes are told to whoever asked for that; with off, nothing is told at all.");
    static final ConfigKey<Integer> PUSHED = KEYS.add(
            "terminal.notices-pushed",
            ValueKind.limitedCount(),
            200,
            NARROW,
            "How many notices a session is sent without its asking; later ones come with its next result.");

    public static NoticeSettings defaults() {
        return from(new Choices());
    }

    static NoticeSettings from(Choices choices) {
        return new NoticeSettings(choices.value(POLICY), choices.value(PUSHED));
    }
}
