package dev.talaria.engine.output;

import dev.talaria.engine.util.Words;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Judges names and values of assignments: does this key belong to a credential, does that value look
/// like one?
final class SecretKeys {

    /// How sure a key's name is.
    enum Kind {
        /// the name of a password
        PASSWORD,
        /// the name of another credential
        CREDENTIAL,
        /// `token` or `key` alone, which many harmless things are called
        BARE,
        /// nothing secret in the name
        NONE
    }

    private static final List<String> PASSWORD_WORDS = List.of("password", "passwd", "passphrase", "pass", "pw");
    private static final List<String> CREDENTIAL_WORDS =
            List.of("api_key", "apikey", "api-key", "secret", "credential", "auth", "bearer");
    private static final List<String> BARE_WORDS = List.of("token", "key");
    private static final Set<String> FIELDS = Words.set("""
            api_key apikey token secret password access_token refresh_token auth_token bearer secret_value
            raw_secret secret_input key_material
            """);

    private static final Pattern PATH =
            Pattern.compile("(?:~|\\.{1,2})?/\\S*+|[A-Za-z]:\\\\\\S*+|[\\w.-]{1,100}+(?:/[\\w.-]{1,100}+)++");
    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{16,}+");
    private static final Pattern OPAQUE = Pattern.compile("[A-Za-z0-9_./+=-]{20,}+");
    private static final int SHORTEST_MIXED = 12;
    private static final int SHORTEST_RANDOM_SEGMENT = 16;

    private SecretKeys() {}

    static Kind kind(String key) {
        if (hasWord(key, PASSWORD_WORDS)) {
            return Kind.PASSWORD;
        }
        if (hasWord(key, CREDENTIAL_WORDS)) {
            return Kind.CREDENTIAL;
        }
        return hasWord(key, BARE_WORDS) ? Kind.BARE : Kind.NONE;
    }

    /// Returns whether a quoted field name always belongs to a credential.
    static boolean isField(String name) {
        return FIELDS.contains(name.toLowerCase(Locale.ROOT));
    }

    /// Returns whether the value of a key of this kind has to be masked.
    static boolean isSecret(Kind kind, String value) {
        if (kind == Kind.NONE || value.isEmpty() || Masks.isMasked(value) || Masks.isLookup(value)) {
            return false;
        }
        if (kind != Kind.PASSWORD && (Masks.isReference(value) || isPlausiblePath(value))) {
            return false;
        }
        return kind != Kind.BARE || isOpaque(value);
    }

    private static boolean hasWord(String key, List<String> words) {
        String lower = key.toLowerCase(Locale.ROOT);
        for (String word : words) {
            for (int at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
                if (startsWord(key, at) && endsWord(key, at + word.length())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean startsWord(String key, int at) {
        return at == 0
                || !Character.isLetter(key.charAt(at - 1))
                || (Character.isLowerCase(key.charAt(at - 1)) && Character.isUpperCase(key.charAt(at)));
    }

    private static boolean endsWord(String key, int end) {
        int at = end < key.length() && Character.toLowerCase(key.charAt(end)) == 's' ? end + 1 : end;
        return at == key.length()
                || !Character.isLetter(key.charAt(at))
                || (Character.isLowerCase(key.charAt(at - 1)) && Character.isUpperCase(key.charAt(at)));
    }

    private static boolean isPlausiblePath(String value) {
        if (!PATH.matcher(value).matches()) {
            return false;
        }
        for (String segment : value.split("[/\\\\]", -1)) {
            if (segment.length() >= SHORTEST_RANDOM_SEGMENT && segment.indexOf('.') < 0 && classes(segment) == 3) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOpaque(String value) {
        return HEX.matcher(value).matches()
                || OPAQUE.matcher(value).matches()
                || (value.length() >= SHORTEST_MIXED && classes(value) >= 2);
    }

    /// Returns how many of the three classes occur: upper case, lower case, digit.
    private static int classes(String value) {
        boolean upper = value.chars().anyMatch(Character::isUpperCase);
        boolean lower = value.chars().anyMatch(Character::isLowerCase);
        boolean digit = value.chars().anyMatch(Character::isDigit);
        return (upper ? 1 : 0) + (lower ? 1 : 0) + (digit ? 1 : 0);
    }
}
