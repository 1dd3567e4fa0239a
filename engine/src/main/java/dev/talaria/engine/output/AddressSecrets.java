package dev.talaria.engine.output;

import dev.talaria.engine.util.Words;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Masks the secrets in addresses: passwords and tokens before the host, secret parameters, and the
/// paths of webhooks, which are secret as a whole.
final class AddressSecrets {

    private static final Pattern DATABASE = Pattern.compile(
            "((?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?)(?:\\+[a-z0-9]{1,16}+)?://[^:\\s/@]{0,256}+:)"
                    + "((?:[^@\\s/\"']{1,512}+@){1,3}+|[^@\\s]{1,1024}+@)");
    private static final Pattern PASSWORD = Pattern.compile(
            "(://[^\\s:/?#\"'`<>\\[\\](){}@]{0,256}+:)((?:[^\\s/?\"'`<>@\\[\\]]{1,512}+@){1,3}+)(?=[\\w.\\[-])");
    private static final Pattern USER = Pattern.compile(
            "((https?|wss?|git|ssh|ftps?|sftp)(?:\\+[a-z]{1,8}+)?://)([^\\s:@/?#\"'<>]{8,2048}+)(?=@\\S)");
    private static final Pattern PARAMETER =
            Pattern.compile("(?<=[?&#;])([\\w.~%-]{1,100}+)=([^\\s&\"'`<>()\\[\\]{}\\\\;,#]{1,16384}+)");
    private static final int LONGEST_PARAMETER = 100;
    /// Addresses whose rest is the secret.
    private static final Map<String, Pattern> HOOKS = Map.ofEntries(
            hook("hooks.slack", "hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)"),
            hook("/webhooks/", "discord(?:app)?\\.com/api/(?:v\\d{1,2}+/)?webhooks/\\d{5,24}+"),
            hook("webhook.office", "webhook\\.office(?:365)?\\.com/webhookb2"),
            hook("outlook.office", "outlook\\.office(?:365)?\\.com/webhook"),
            hook("hooks.zapier", "hooks\\.zapier\\.com/hooks/catch"),
            hook("maker.ifttt", "maker\\.ifttt\\.com/(?:use|trigger/[\\w-]{1,100}+(?:/json)?+/with/key)"),
            hook(".infura.io", "\\.infura\\.io/v3"),
            hook(".alchemy.com", "\\.alchemy\\.com/v2"),
            hook(".quiknode.pro", "\\.quiknode\\.pro"),
            hook(".loggly.com", "\\.loggly\\.com/(?:inputs|bulk)"),
            hook("conda.anaconda", "conda\\.anaconda\\.org/t"),
            hook("hooks.airtable", "hooks\\.airtable\\.com/workflows"));
    private static final Pattern ORACLE =
            Pattern.compile("(jdbc:oracle:\\w{1,8}+:[\\w.-]{1,64}+/)([^\\s@/\"']{1,256}+)(?=@)");
    private static final Set<String> DOUBTFUL =
            Set.of("key", "code", "auth", "sig", "signature", "session", "s", "state", "hash");
    private static final Set<String> CERTAIN = Words.set("""
            access_token refresh_token id_token token api_key apikey client_secret secret jwt x-amz-signature
            x-amz-security-token x-goog-signature x-ms-signature
            """);
    private static final Set<String> HOSTS_OF_GIT = Set.of("git", "ssh", "sftp", "ftp", "ftps");
    private static final int SHORTEST_PARAMETER = 6;

    private AddressSecrets() {}

    private static Map.Entry<String, Pattern> hook(String anchor, String before) {
        return Map.entry(anchor, Pattern.compile("(" + before + "/)([\\w@%=./-]{6,2048}+)"));
    }

    static String mask(String text, Redactor.Mode mode) {
        String shown = text.contains("://") ? authorities(text, mode) : text;
        shown = LineSearch.replace(
                shown, LineSearch.literal("jdbc:oracle:"), ORACLE, match -> match.group(1) + Masks.hidden(mode));
        return LineSearch.replace(shown, AddressSecrets::parameter, PARAMETER, match -> parameter(match, mode));
    }

    private static String authorities(String text, Redactor.Mode mode) {
        String shown = text;
        if (text.indexOf('@') >= 0) {
            shown = LineSearch.replace(shown, AddressSecrets::authority, DATABASE, match -> password(match, mode));
            shown = LineSearch.replace(shown, AddressSecrets::authority, PASSWORD, match -> password(match, mode));
            shown = LineSearch.replace(shown, AddressSecrets::authority, USER, match -> user(match, mode));
        }
        for (var hook : HOOKS.entrySet()) {
            shown = LineSearch.replace(
                    shown,
                    LineSearch.literal(hook.getKey()),
                    hook.getValue(),
                    match -> match.group(1) + Masks.hidden(mode));
        }
        return shown;
    }

    /// Returns the place of the next address in a line with an at sign.
    private static int authority(String text, int from) {
        int at = text.indexOf("://", from);
        while (at >= 0) {
            int lineEnd = LineSearch.lineEnd(text, at);
            if (text.indexOf('@', at, lineEnd) >= 0) {
                return at;
            }
            at = text.indexOf("://", lineEnd);
        }
        return -1;
    }

    /// Returns the place of the next equals sign that may belong to a parameter of an address.
    private static int parameter(String text, int from) {
        for (int at = text.indexOf('=', from); at >= 0; at = text.indexOf('=', at + 1)) {
            int name = at;
            while (name > 0 && at - name <= LONGEST_PARAMETER && isParameter(text.charAt(name - 1))) {
                name--;
            }
            if (name < at && name > 0 && "?&#;".indexOf(text.charAt(name - 1)) >= 0) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isParameter(char c) {
        return VendorTokens.isName(c) || c == '~' || c == '%';
    }

    private static String password(MatchResult match, Redactor.Mode mode) {
        String password = match.group(2).substring(0, match.group(2).length() - 1);
        boolean kept = Masks.isMasked(password) || (!mode.names() && Masks.isReference(password));
        return kept ? match.group() : match.group(1) + Masks.hidden(mode) + "@";
    }

    private static String user(MatchResult match, Redactor.Mode mode) {
        String user = match.group(3);
        boolean name = HOSTS_OF_GIT.contains(match.group(2)) && !RandomLooking.isLikely(user);
        boolean kept = name || Masks.isMasked(user) || Masks.isReference(user);
        return kept ? match.group() : match.group(1) + Masks.of(user, "", mode);
    }

    private static String parameter(MatchResult match, Redactor.Mode mode) {
        String value = match.group(2);
        if (Masks.isMasked(value) || Masks.isReference(value) || !isSecret(match.group(1), value)) {
            return match.group();
        }
        return match.group(1) + "=" + Masks.hidden(mode);
    }

    private static boolean isSecret(String parameter, String value) {
        String name = parameter.toLowerCase(Locale.ROOT);
        if (DOUBTFUL.contains(name)) {
            return RandomLooking.isLikely(value);
        }
        boolean certain = CERTAIN.contains(name);
        boolean opaque = value.length() >= SHORTEST_PARAMETER && value.chars().anyMatch(Character::isDigit);
        return switch (SecretNames.kind(parameter)) {
            case PASSWORD -> opaque || value.length() >= 8;
            case TOKEN -> opaque || (certain && value.length() >= 20);
            case PERHAPS -> RandomLooking.isLikely(value);
            case NONE -> certain && opaque;
        };
    }
}
