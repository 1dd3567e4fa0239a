package dev.talaria.engine.output;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Masks credentials in HTTP headers: authorization, keys, cookies.
final class HeaderSecrets {

    private static final Pattern AUTHORIZATION = Pattern.compile(
            "((?:Proxy-)?Authorization"
                    + "(?:[ \\t]{0,8}+:[ \\t]{0,8}+[\"'`]?+|(\\\\{0,3}+[\"'])[ \\t]{0,8}+:[ \\t]{0,8}+[bfru]{0,2}+\\2)"
                    + "(?:[A-Za-z][\\w.+-]{0,64}+[ \\t]{1,8}+)?+)([^\\s\"'`\\\\]{1,16384}+)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SIGNED = Pattern.compile(
            "((?:AWS4-HMAC-SHA256|Digest)[ \\t][^\\n]{0,2000}?(?:Signature=|response=\"))([0-9a-f]{16,128}+)");
    private static final Pattern TOKEN_PAIR = Pattern.compile(
            "((?:Authorization|authorization)[\"']?[ \\t]{0,8}+:[^\\n=]{0,40}+token=[\"']?)([\\w+/=-]{8,1024}+)");
    private static final Pattern KEY_HEADER = Pattern.compile(
            "(?<![\\w-])((?:x-(?:goog-)?api-key|api-?key|x-api-token|x-auth-token|x-access-token)"
                    + "(?:[ \\t]{0,8}+:[ \\t]{0,8}+|(\\\\{0,3}+[\"'])[ \\t]{0,8}+:[ \\t]{0,8}+[bfru]{0,2}+\\2))"
                    + "([^\\s\"',\\\\]{1,16384}+)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern COOKIES = Pattern.compile(
            "(?<![\\w-])(?:Set-)?Cookie[\"']?[ \\t]{0,8}+:[ \\t]{0,8}+[^\\n]{1,16384}+", Pattern.CASE_INSENSITIVE);
    private static final Pattern COOKIE = Pattern.compile("([\\w.%-]{1,128}+=\"?)([^\\s;\"',]{8,4096}+)");

    private static final Pattern SESSION = Pattern.compile("sess|auth|token|sid|jwt|csrf", Pattern.CASE_INSENSITIVE);
    private static final List<String> KEY_WORDS =
            List.of("api-key", "apikey", "api-token", "auth-token", "access-token");

    private HeaderSecrets() {}

    static String mask(String text, Redactor.Mode mode) {
        if (text.indexOf(':') < 0) {
            return text;
        }
        var authorization = LineSearch.word("authorization");
        String shown = LineSearch.replace(text, authorization, TOKEN_PAIR, match -> Redactor.prefixed(match, 2, mode));
        shown = LineSearch.replace(shown, authorization, AUTHORIZATION, match -> Redactor.prefixed(match, 3, mode));
        shown = LineSearch.replace(
                shown, LineSearch.literal("AWS4-HMAC"), SIGNED, match -> Redactor.prefixed(match, 2, mode));
        shown = LineSearch.replace(
                shown, LineSearch.literal("Digest "), SIGNED, match -> Redactor.prefixed(match, 2, mode));
        for (String word : KEY_WORDS) {
            shown = LineSearch.replace(shown, LineSearch.word(word), KEY_HEADER, match -> key(match, mode));
        }
        return LineSearch.replace(shown, LineSearch.word("cookie"), COOKIES, match -> cookies(match, mode));
    }

    private static String key(MatchResult match, Redactor.Mode mode) {
        boolean plainName = match.group(1).regionMatches(true, 0, "api", 0, 3);
        // `apiKey: string` is a type, not a header
        boolean harmless = plainName && !SecretKeys.isSecret(SecretKeys.Kind.BARE, match.group(3));
        return harmless ? match.group() : Redactor.prefixed(match, 3, mode);
    }

    private static String cookies(MatchResult header, Redactor.Mode mode) {
        return Redactor.replace(header.group(), "=", COOKIE, match -> {
            boolean named = SESSION.matcher(match.group(1)).find();
            boolean secret = named
                    ? match.group(2).chars().anyMatch(Character::isDigit)
                    : match.group(2).length() >= 16 && RandomLooking.isLikely(match.group(2));
            return secret ? Redactor.prefixed(match, 2, mode) : match.group();
        });
    }
}
