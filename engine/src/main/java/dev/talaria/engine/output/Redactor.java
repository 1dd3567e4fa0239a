package dev.talaria.engine.output;

import dev.talaria.engine.util.Words;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Masks secrets in text that is about to be shown. It never changes text that is run or written.
///
/// The passes run in a fixed order, each after a search for a few literal characters, so that text
/// without secrets costs little. All of them take time linear in the text's length, whatever the
/// text. The number of lines stays the same.
public final class Redactor {

    /// The kind of a text.
    public enum Mode {
        /// Output of programs, and source code: names with harmless values are common, so a
        /// value with a secret's name is masked only if it also looks like a secret.
        CODE(false, false),
        /// A file's content: as CODE, with sentinels that nobody mistakes for a key when writing the
        /// file back.
        FILE_READ(true, false),
        /// A secret-bearing file's content, such as `.env`: names count, with sentinels.
        SECRET_FILE(true, true),
        /// Text that may contain settings, such as the output of `env`: names count.
        FULL(false, true);

        private final boolean file;
        private final boolean names;

        Mode(boolean file, boolean names) {
            this.file = file;
            this.names = names;
        }

        boolean names() {
            return names;
        }

        boolean isFile() {
            return file;
        }
    }

    private static final Redactor ON = new Redactor(true, new KnownSecrets());
    private static final Redactor OFF = new Redactor(false, new KnownSecrets());

    private static final Pattern ID_AND_SECRET =
            Pattern.compile("(?<![A-Za-z0-9_.-])[0-9a-f]{32}\\.[A-Za-z0-9]{16,}+(?![A-Za-z0-9_.-])");
    private static final Pattern TELEGRAM = Pattern.compile("(?<!\\d)((?:bot)?\\d{8,}+:)[-A-Za-z0-9_]{30,}+");
    private static final Pattern JWT = Pattern.compile(
            "(?:(?<![A-Za-z0-9_-]|base64,)|(?<=\\\\[nrtbf]))eyJ[A-Za-z0-9_-]{10,}+(?:\\.[A-Za-z0-9_=-]{4,}+){0,2}+");
    private static final Pattern PHONE = Pattern.compile("(?<![A-Za-z0-9])\\+[1-9]\\d{6,14}+(?![A-Za-z0-9])");
    private static final Pattern FORM =
            Pattern.compile("[\\w.~%+-]{1,200}+=[^\\s&=]*+(?:&[\\w.~%+-]{1,200}+=[^\\s&=]*+)++\\s*+");
    private static final Pattern FORM_FIELD = Pattern.compile("(?<=^|&)([\\w.~%+-]{1,200}+)=([^\\s&=]++)");
    private static final Set<String> FORM_NAMES = Words.set("""
            access_token refresh_token id_token token api_key apikey client_secret password auth jwt session secret
            key code signature x-amz-signature x-goog-signature sig
            """);
    private static final Pattern DIAGNOSTIC =
            Pattern.compile("E {2,}+\\S.*+|[\\w.]{0,200}?(?:Error|Exception|Warning|Exit): .*+");

    private final boolean enabled;
    private final KnownSecrets known;

    private Redactor(boolean enabled, KnownSecrets known) {
        this.enabled = enabled;
        this.known = known;
    }

    /// Returns a redactor that also masks these secrets, even if masking is switched off.
    public Redactor hiding(KnownSecrets secrets) {
        return new Redactor(enabled, secrets);
    }

    /// Returns the redactor that masks.
    public static Redactor on() {
        return ON;
    }

    /// Returns the redactor that changes no text: the operator switched masking off.
    public static Redactor off() {
        return OFF;
    }

    boolean enabled() {
        return enabled;
    }

    /// Returns whether the text contains a sentinel of ours: written back to a file, it would destroy
    /// the secret.
    public static boolean holdsSentinel(String text) {
        return text.contains("«redacted:") || text.contains("«redacted-secret»") || text.contains(Masks.PRIVATE_KEY);
    }

    /// Returns the text with its secrets masked.
    public String redact(String text, Mode mode) {
        String unknown = known.mask(text, mode);
        return enabled && !unknown.isEmpty() ? patterns(unknown, mode) : unknown;
    }

    private static String patterns(String text, Mode mode) {
        String shown = VendorTokens.mask(VendorTokens.maskSplit(text, mode), mode);
        shown = LineSearch.replace(
                shown, Redactor::idAndSecret, ID_AND_SECRET, match -> Masks.of(match.group(), "", mode));
        shown = assignments(shown, mode);
        shown = HeaderSecrets.mask(shown, mode);
        shown = LineSearch.replace(shown, Redactor::telegram, TELEGRAM, match -> match.group(1) + Masks.hidden(mode));
        shown = PrivateKeys.mayOccur(shown) ? PrivateKeys.mask(shown) : shown;
        shown = AddressSecrets.mask(shown, mode);
        shown = NamedValues.mask(shown, mode);
        shown = CommandSecrets.mask(shown, mode);
        shown = FileFormats.mask(shown, mode);
        shown = LineSearch.replace(
                shown, LineSearch.literal("eyJ"), JWT, match -> Masks.of(match.group(), "eyJ", mode));
        shown = shown.indexOf('&') > 0 ? form(shown) : shown;
        return LineSearch.replace(shown, Redactor::phone, PHONE, match -> Masks.phone(match.group()));
    }

    private static int idAndSecret(String text, int from) {
        for (int at = text.indexOf('.', Math.max(32, from)); at >= 0; at = text.indexOf('.', at + 1)) {
            if (isHex(text.charAt(at - 1)) && isHex(text.charAt(at - 32)) && isHex(text.charAt(at - 16))) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static int telegram(String text, int from) {
        for (int at = text.indexOf(':', Math.max(8, from)); at >= 0; at = text.indexOf(':', at + 1)) {
            if (isDigit(text.charAt(at - 1)) && isDigit(text.charAt(at - 8)) && isDigit(text.charAt(at - 5))) {
                return at;
            }
        }
        return -1;
    }

    private static int phone(String text, int from) {
        for (int at = text.indexOf('+', from); at >= 0; at = text.indexOf('+', at + 1)) {
            if (at + 7 < text.length() && isDigit(text.charAt(at + 1)) && isDigit(text.charAt(at + 7))) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String assignments(String text, Mode mode) {
        if (!AssignmentSecrets.mayOccur(text)) {
            return text;
        }
        var out = new StringBuilder(text.length());
        int from = 0;
        while (from <= text.length()) {
            int end = LineSearch.lineEnd(text, from);
            String line = text.substring(from, end);
            out.append(assignmentsOfLine(line, mode)).append(end == text.length() ? "" : "\n");
            from = end + 1;
        }
        return out.toString();
    }

    private static String assignmentsOfLine(String line, Mode mode) {
        if (!AssignmentSecrets.mayOccur(line)) {
            return line;
        }
        if (mode.names) {
            return AssignmentSecrets.mask(line, mode);
        }
        return line.contains("'") && DIAGNOSTIC.matcher(line).matches() ? AssignmentSecrets.pythonFields(line) : line;
    }

    /// Masks the group, which ends the match, unless it only refers to a secret or is masked already.
    static String prefixed(MatchResult match, int group, Mode mode) {
        String secret = match.group(group);
        if (Masks.isMasked(secret) || Masks.isReference(secret)) {
            return match.group();
        }
        String before = match.group().substring(0, match.start(group) - match.start());
        return before + Masks.of(secret, "", mode);
    }

    private static String form(String text) {
        if (!FORM.matcher(text).matches()) {
            return text;
        }
        return replace(text, "=", FORM_FIELD, match -> {
            boolean sensitive = FORM_NAMES.contains(match.group(1).toLowerCase(Locale.ROOT));
            return sensitive ? match.group(1) + "=" + Masks.STARS : match.group();
        });
    }

    static String replace(String text, String gate, Pattern pattern, Function<MatchResult, String> replacement) {
        if (!text.contains(gate)) {
            return text;
        }
        return pattern.matcher(text).replaceAll(match -> Matcher.quoteReplacement(replacement.apply(match)));
    }
}
