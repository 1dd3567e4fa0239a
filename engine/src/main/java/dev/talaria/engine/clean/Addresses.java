package dev.talaria.engine.clean;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Masks what is secret in addresses: passwords and tokens before the host, secret parameters, and the paths of
/// webhooks, which are secret as a whole.
final class Addresses {

    private static final Pattern DATABASE = Pattern.compile(
            "((?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?)(?:\\+[a-z0-9]{1,16}+)?://[^:\\s/@]{0,256}+:)"
                    + "((?:[^@\\s/\"']{1,512}+@){1,3}+|[^@\\s]{1,1024}+@)");
    private static final Pattern PASSWORD = Pattern.compile(
            "(://[^\\s:/?#\"'`<>\\[\\](){}@]{0,256}+:)((?:[^\\s/?\"'`<>@\\[\\]]{1,512}+@){1,3}+)(?=[\\w.\\[-])");
    private static final Pattern USER = Pattern.compile(
            "((https?|wss?|git|ssh|ftps?|sftp)(?:\\+[a-z]{1,8}+)?://)([^\\s:@/?#\"'<>]{8,2048}+)(?=@\\S)");
    private static final Pattern PARAMETER =
            Pattern.compile("([?&#;]|&amp;)([\\w.~%-]{1,100}+)=([^\\s&\"'`<>()\\[\\]{}\\\\;,#]{1,16384}+)");
    private static final Pattern HOOK = Pattern.compile("((?:hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)"
            + "|discord(?:app)?\\.com/api/(?:v\\d{1,2}+/)?webhooks/\\d{5,24}+"
            + "|webhook\\.office\\.com/webhookb2|outlook\\.office(?:365)?\\.com/webhook"
            + "|hooks\\.zapier\\.com/hooks/catch|maker\\.ifttt\\.com/trigger/[\\w-]{1,100}+(?:/json)?+/with/key|maker\\.ifttt\\.com/use"
            + "|\\.infura\\.io/v3|\\.alchemy\\.com/v2|\\.quiknode\\.pro|logs-01\\.loggly\\.com/(?:inputs|bulk)"
            + "|conda\\.anaconda\\.org/t|hooks\\.airtable\\.com/workflows|hc-ping\\.com|ntfy\\.sh/up)/)"
            + "([\\w@%=./-]{6,2048}+)");
    private static final Pattern ORACLE = Pattern.compile("(jdbc:oracle:\\w{1,8}+:[\\w.-]{1,64}+/)([^\\s@/\"']{1,256}+)(?=@)");
    private static final Set<String> DOUBTFUL =
            Set.of("key", "code", "auth", "sig", "signature", "session", "s", "state", "hash");
    private static final Set<String> CERTAIN = Set.of(
            "access_token", "refresh_token", "id_token", "token", "api_key", "apikey", "client_secret", "secret", "jwt",
            "x-amz-signature", "x-amz-security-token", "x-goog-signature", "x-ms-signature");
    private static final Set<String> HOSTS_OF_GIT = Set.of("git", "ssh", "sftp", "ftp", "ftps");
    private static final int SHORTEST_PARAMETER = 6;

    private Addresses() {}

    static String mask(String text, Redactor.Mode mode) {
        String shown = text.contains("://") ? authorities(text, mode) : text;
        shown = Redactor.replace(shown, "jdbc:oracle:", ORACLE, match -> match.group(1) + Masks.hidden(mode));
        if (shown.indexOf('=') < 0 || (shown.indexOf('?') < 0 && shown.indexOf('&') < 0 && shown.indexOf('#') < 0)) {
            return shown;
        }
        return Redactor.replace(shown, "=", PARAMETER, match -> parameter(match, mode));
    }

    private static String authorities(String text, Redactor.Mode mode) {
        String shown = Redactor.replace(text, "@", DATABASE, match -> password(match, mode));
        shown = Redactor.replace(shown, "@", PASSWORD, match -> password(match, mode));
        shown = Redactor.replace(shown, "@", USER, match -> user(match, mode));
        return Redactor.replace(shown, "/", HOOK, match -> match.group(1) + Masks.hidden(mode));
    }

    private static String password(MatchResult match, Redactor.Mode mode) {
        String password = match.group(2).substring(0, match.group(2).length() - 1);
        boolean kept = Masks.isMasked(password) || (!mode.names() && Masks.isReference(password));
        return kept ? match.group() : match.group(1) + Masks.hidden(mode) + "@";
    }

    private static String user(MatchResult match, Redactor.Mode mode) {
        String user = match.group(3);
        boolean name = HOSTS_OF_GIT.contains(match.group(2)) && !Generated.isLikely(user);
        boolean kept = name || Masks.isMasked(user) || Masks.isReference(user);
        return kept ? match.group() : match.group(1) + Masks.of(user, "", mode);
    }

    private static String parameter(MatchResult match, Redactor.Mode mode) {
        String value = match.group(3);
        if (Masks.isMasked(value) || Masks.isReference(value) || !isSecret(match.group(2), value)) {
            return match.group();
        }
        return match.group(1) + match.group(2) + "=" + Masks.hidden(mode);
    }

    private static boolean isSecret(String parameter, String value) {
        String name = parameter.toLowerCase(Locale.ROOT);
        if (DOUBTFUL.contains(name)) {
            return Generated.isLikely(value);
        }
        boolean certain = CERTAIN.contains(name);
        boolean opaque = value.length() >= SHORTEST_PARAMETER && value.chars().anyMatch(Character::isDigit);
        return switch (SecretNames.kind(parameter)) {
            case PASSWORD -> opaque || value.length() >= 8;
            case TOKEN -> opaque || (certain && value.length() >= 20);
            case PERHAPS -> Generated.isLikely(value);
            case NONE -> certain && opaque;
        };
    }
}
