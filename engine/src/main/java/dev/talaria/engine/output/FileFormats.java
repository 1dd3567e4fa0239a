package dev.talaria.engine.output;

import java.util.regex.Pattern;

/// Masks secrets that are recognized only by their place in a file's format.
final class FileFormats {

    /// A line of `.pgpass`: host, port, database, user, password.
    private static final Pattern PGPASS = Pattern.compile(
            "((?<![^\\n])[\\w.*-]{1,255}+:(?:543\\d|6432|\\*):[\\w.*-]{1,64}+:[\\w.*@-]{1,64}+:)(\\S{4,256}+)(?![^\\n])");
    /// A private member of a JSON web key.
    private static final Pattern WEB_KEY =
            Pattern.compile("(\"(?:d|p|q|dp|dq|qi|k)\"[ \\t]{0,8}+:[ \\t]{0,8}+\")([\\w-]{20,4096}+)(?=\")");
    /// A secret access key beside its id, as in the file that the AWS console offers.
    private static final Pattern AWS_SECRET = Pattern.compile("((?<![\\w/+=.-]))([A-Za-z0-9/+]{40})(?![\\w/+=.-])");
    private static final Pattern MAILCHIMP = Pattern.compile("((?<![\\w-]))([0-9a-f]{32}-us\\d{1,2}+)(?![\\w-])");

    private FileFormats() {}

    static String mask(String text, Redactor.Mode mode) {
        String shown = replace(text, ":543", PGPASS, mode);
        shown = replace(shown, ":6432:", PGPASS, mode);
        shown = replace(shown, ":*:", PGPASS, mode);
        shown = replace(shown, "-us", MAILCHIMP, mode);
        shown = shown.contains("\"kty\"") ? replace(shown, "\":", WEB_KEY, mode) : shown;
        for (String id : new String[] {"AKIA", "ASIA"}) {
            shown = LineSearch.replace(shown, LineSearch.literal(id), AWS_SECRET, match -> {
                boolean secret = RandomLooking.isSurely(match.group(2));
                return secret ? Masks.of(match.group(2), "", mode) : match.group();
            });
        }
        return shown;
    }

    private static String replace(String text, String anchor, Pattern pattern, Redactor.Mode mode) {
        return LineSearch.replace(
                text, LineSearch.literal(anchor), pattern, match -> Redactor.prefixed(match, 2, mode));
    }
}
