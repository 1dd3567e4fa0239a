package dev.talaria.engine.config;

/// How sessions are told of their background processes.
///
/// @param policy what they are told
/// @param pushed how many notices a session is sent without its asking; later ones wait for its next result
public record NoticeSettings(NoticePolicy policy, int pushed) {

    public static NoticeSettings defaults() {
        return new NoticeSettings(NoticePolicy.ALL, 200);
    }
}
