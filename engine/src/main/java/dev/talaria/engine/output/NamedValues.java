package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Masks values that have a secret's name and look like a secret, in any text: `NAME=value`, `name:
/// value`, `"name": "value"`, `<name>value</name>`, `--name value`, `define('NAME', 'value')`.
///
/// The search stops at words such as "secret" or "token", and reads the name around the word and the
/// value after it. The length of names and values is limited, and of a long run of characters without
/// a blank only the beginning and the end are judged, so that the time is linear.
final class NamedValues {

    private static final int LONGEST_NAME = 120;
    private static final int LONGEST_VALUE = 16_384;
    /// A number may stand between a name and its colon, as in `Unseal Key 1: ...`.
    private static final Pattern SEPARATOR =
            Pattern.compile("(?:\\\\{0,7}+[\"'`]?+]?+)(?:(?: \\d{1,2}+)?+[ \\t]{0,40}+:(?!:)[ \\t]{0,40}+"
                    + "|=(?!=)|[ \\t]{0,40}+(?::=|=>|\\?=|(?<=[ \\t])=)(?!=)[ \\t]{0,40}+)"
                    + "|[\"'][ \\t]{1,8}+value[ \\t]{0,8}+=[ \\t]{0,8}+"
                    + "|(?<list>[\"'],[ \\t]{0,8}+(?=[\"']))"
                    + "|(?<tag>>)"
                    + "|(?<option>[ \\t]{1,8}+(?=[^-\\s]))");
    private static final Pattern OPENING = Pattern.compile("[bfru]{0,2}+(\\\\{0,7}+)([\"'`])");
    private static final Pattern NETRC =
            Pattern.compile("\\s*+(?:(?:machine\\s++\\S++|default)\\s++)?+(?:(?:login|account)\\s++\\S++\\s++){0,2}+");
    private static final Pattern BASIC = Pattern.compile("[\\x21-\\x39\\x3b-\\x7e]{1,200}+:[\\x20-\\x7e]{1,200}+");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]{8,512}+={0,2}+");
    private static final Pattern USER = Pattern.compile("user|login|email|host", Pattern.CASE_INSENSITIVE);
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w.]*+");
    private static final Pattern UPPER = Pattern.compile("[A-Z][A-Z0-9_]*+");
    private static final Pattern LETTERS = Pattern.compile("[\\p{L}_.:-]*+");
    private static final Pattern PHRASE = Pattern.compile("[a-z-]{16,}+");
    private static final Pattern PATH = Pattern.compile("(?:~|\\.{0,2}+)/[\\w./-]*+");
    private static final Pattern DEFINE = Pattern.compile(".*define[ \\t]{0,4}+\\([ \\t]{0,4}+[\"']");
    private static final Pattern LINE_START = Pattern.compile("[ \\t]*+(?:- )?+");
    private static final Pattern PERSONS = Pattern.compile("[\\x21-\\x7e]{4,128}+");
    private static final Pattern CODE =
            Pattern.compile(".*(?:\\(|\\)|\\?\\.|\\[|]|\\{|}|->|::|<|>|%[sd]|\\\\[A-Za-z0]|\\.\\.\\.).*");
    /// How many characters of a line around a name are read.
    private static final int CONTEXT = 500;
    private static final int LONGEST_JUDGED_AGAIN = 1024;

    private final String text;
    private final Redactor.Mode mode;
    private final List<Span> spans = new ArrayList<>();
    /// The end of the last run of characters without a blank.
    private int runEnd;

    private NamedValues(String text, Redactor.Mode mode) {
        this.text = text;
        this.mode = mode;
    }

    static String mask(String text, Redactor.Mode mode) {
        int at = next(text, 0);
        if (at < 0) {
            return text;
        }
        var values = new NamedValues(text, mode);
        while (at >= 0) {
            at = next(text, values.read(at));
        }
        return Span.replace(text, values.spans);
    }

    /// Returns the place of the next word that occurs in secrets' names, or -1.
    private static int next(String text, int from) {
        for (int i = from; i < text.length() - 2; i++) {
            boolean found = switch (text.charAt(i) | 0x20) {
                case 'p' ->
                    starts(text, i, "pass")
                            || starts(text, i, "pw")
                            || starts(text, i, "psk")
                            || starts(text, i, "pat");
                case 's' ->
                    starts(text, i, "secret")
                            || starts(text, i, "sig")
                            || starts(text, i, "session")
                            || starts(text, i, "salt");
                case 't' -> starts(text, i, "token");
                case 'k' -> starts(text, i, "key");
                case 'a' -> starts(text, i, "auth");
                case 'c' -> starts(text, i, "credential") || starts(text, i, "cookie");
                case 'j' -> starts(text, i, "jwt");
                case 'm' -> starts(text, i, "mac");
                case 'w' -> starts(text, i, "wif");
                default -> false;
            };
            if (found) {
                return i;
            }
        }
        return -1;
    }

    private static boolean starts(String text, int at, String word) {
        return text.regionMatches(true, at, word, 0, word.length());
    }

    /// Reads the name around `at` and the value after it. Returns where to go on.
    private int read(int at) {
        int from = at;
        while (from > 0 && at - from < LONGEST_NAME && VendorTokens.isName(text.charAt(from - 1))) {
            from--;
        }
        int to = at;
        while (to < text.length() && to - at < LONGEST_NAME && VendorTokens.isName(text.charAt(to))) {
            to++;
        }
        String name = text.substring(from, to);
        var kind = SecretNames.kind(name);
        if (kind == SecretNames.Kind.NONE) {
            return to;
        }
        var separator = SEPARATOR.matcher(text).region(to, text.length());
        if (!separator.lookingAt() || !isExpected(from, name, kind, separator)) {
            return to;
        }
        boolean again = separator.end() < runEnd;
        Value value = value(separator.end());
        if (again && value.text.length() > LONGEST_JUDGED_AGAIN) {
            return separator.end();
        }
        boolean close = separator.group().equals("=");
        if (!isSecret(new Named(from, name, kind, close), value)) {
            return separator.end();
        }
        boolean persons = kind == SecretNames.Kind.PASSWORD;
        spans.add(new Span(value.from, value.to, persons ? Masks.hidden(mode) : Masks.of(value.text, "", mode)));
        return value.to;
    }

    /// A name: its beginning, and whether only an equals sign stands between it and its value.
    private record Named(int from, String name, SecretNames.Kind kind, boolean close) {}

    /// Returns whether this separator can follow this name: a blank after an option, a comma in a
    /// definition, an angle bracket after a tag.
    private boolean isExpected(int from, String name, SecretNames.Kind kind, Matcher separator) {
        if (separator.group("option") != null) {
            boolean option = name.startsWith("--") && kind != SecretNames.Kind.PERHAPS;
            return option
                    || (name.equals("password")
                            && NETRC.matcher(lineBefore(from)).matches());
        }
        if (separator.group("list") != null) {
            return DEFINE.matcher(lineBefore(from)).matches();
        }
        boolean tag = from > 0 && (text.charAt(from - 1) == '<' || text.charAt(from - 1) == ':');
        return separator.group("tag") == null || tag;
    }

    private String lineBefore(int at) {
        int earliest = Math.max(0, at - CONTEXT);
        int from = at;
        while (from > earliest && text.charAt(from - 1) != '\n') {
            from--;
        }
        return text.substring(from, at);
    }

    private String lineAfter(int at) {
        int latest = Math.min(text.length(), at + CONTEXT);
        int to = at;
        while (to < latest && text.charAt(to) != '\n') {
            to++;
        }
        return text.substring(at, to);
    }

    /// @param quoted whether the value stands between quotes
    private record Value(int from, int to, String text, boolean quoted) {}

    private Value value(int at) {
        var opening = OPENING.matcher(text).region(at, text.length());
        int longest = Math.min(text.length(), at + LONGEST_VALUE);
        if (opening.lookingAt()) {
            String close = opening.group(1) + opening.group(2);
            int from = opening.end();
            int to = from;
            while (to < longest && text.charAt(to) != '\n' && !text.startsWith(close, to)) {
                to++;
            }
            return new Value(from, to, text.substring(from, to), true);
        }
        int to = at < runEnd ? runEnd : at;
        while (to < longest && !endsValue(text.charAt(to))) {
            to++;
        }
        runEnd = to;
        return new Value(at, to, text.substring(at, to), false);
    }

    private static boolean endsValue(char c) {
        return Character.isWhitespace(c) || "\"'`,;&<>()}[]".indexOf(c) >= 0;
    }

    private boolean isSecret(Named named, Value value) {
        char next = value.to < text.length() ? text.charAt(value.to) : '\n';
        boolean code = !value.quoted && (next == '(' || next == '[');
        if (code || value.text.isEmpty() || Masks.isMasked(value.text) || Masks.isReference(value.text)) {
            return false;
        }
        boolean variable = isVariable(named, value, next);
        return switch (named.kind) {
            case PASSWORD -> isPersons(value, variable) || (value.quoted && isBesideUser(named, value));
            case TOKEN -> variable ? RandomLooking.isSurely(value.text) : RandomLooking.isLikely(value.text);
            case PERHAPS -> RandomLooking.isSurely(value.text) || (named.name.endsWith("auth") && isBasic(value.text));
            case NONE -> false;
        };
    }

    /// Returns whether the value is more likely a variable's name than a secret: without quotes,
    /// within code.
    private boolean isVariable(Named named, Value value, char next) {
        if (value.quoted
                || !NAME.matcher(value.text).matches()
                || UPPER.matcher(named.name).matches()
                || (named.close && Character.isWhitespace(next))) {
            return false;
        }
        boolean setting = LINE_START.matcher(lineBefore(named.from)).matches()
                && lineAfter(value.to).isBlank()
                && text.startsWith(": ", named.from + named.name.length());
        return !setting;
    }

    /// Returns whether a person may have chosen this password: no word of a program, or a long
    /// phrase.
    private static boolean isPersons(Value value, boolean variable) {
        String text = value.text;
        if (PATH.matcher(text).matches()) {
            return RandomLooking.isSurely(text);
        }
        if (!PERSONS.matcher(text).matches() || CODE.matcher(text).matches()) {
            return RandomLooking.isLikely(text);
        }
        if (variable) {
            return RandomLooking.isLikely(text) || digitWithin(text);
        }
        boolean word = LETTERS.matcher(text).matches();
        return word
                ? (value.quoted && PHRASE.matcher(text).matches()) || RandomLooking.isSurely(text)
                : text.chars().anyMatch(Character::isLetter);
    }

    /// Returns whether the line also names a user: then even a word in quotes is a password.
    private boolean isBesideUser(Named named, Value value) {
        boolean possible = PERSONS.matcher(value.text).matches()
                && !CODE.matcher(value.text).matches()
                && !PATH.matcher(value.text).matches()
                && value.text.chars().anyMatch(Character::isLetter);
        return possible
                && (USER.matcher(lineBefore(named.from)).find()
                        || USER.matcher(lineAfter(value.to)).find());
    }

    /// Returns whether the value is `user:password` in base64.
    private static boolean isBasic(String value) {
        if (!BASE64.matcher(value).matches()) {
            return false;
        }
        try {
            return BASIC.matcher(new String(Base64.getDecoder().decode(value), ISO_8859_1))
                    .matches();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean digitWithin(String text) {
        for (int i = 0; i + 1 < text.length(); i++) {
            if (Character.isDigit(text.charAt(i)) && Character.isLetter(text.charAt(i + 1))) {
                return true;
            }
        }
        return false;
    }
}
