package dev.talaria.engine.clean;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Masks values that have a secret's name and look like a secret, in any text: `NAME=value`, `name: value`,
/// `"name": "value"`, `<name>value</name>`, `--name value`, `define('NAME', 'value')`.
///
/// The walk stops where a word such as "secret" or "token" is, reads the name around it and the value after it.
/// Names and values have a greatest length, so that the time is linear.
final class NamedValues {

    private static final int LONGEST_NAME = 120;
    private static final int LONGEST_VALUE = 16_384;
    /// A number may stand between a name and its colon, as in `Unseal Key 1: ...`.
    private static final Pattern SEPARATOR = Pattern.compile("(?:\\\\{0,7}+[\"'`]?+]?+)(?:(?: \\d{1,2}+)?+[ \\t]{0,40}+:(?!:)[ \\t]{0,40}+"
            + "|=(?!=)|[ \\t]{0,40}+(?::=|=>|\\?=|(?<=[ \\t])=)(?!=)[ \\t]{0,40}+)"
            + "|[\"'][ \\t]{1,8}+value[ \\t]{0,8}+=[ \\t]{0,8}+"
            + "|(?<list>[\"'],[ \\t]{0,8}+(?=[\"']))"
            + "|(?<tag>>)"
            + "|(?<option>[ \\t]{1,8}+(?=[^-\\s]))");
    private static final Pattern OPENING = Pattern.compile("[bfru]{0,2}+(\\\\{0,7}+)([\"'`])");
    private static final Pattern NETRC = Pattern.compile("\\s*+(?:(?:machine\\s++\\S++|default)\\s++)?+(?:(?:login|account)\\s++\\S++\\s++){0,2}+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w.]*+");
    private static final Pattern UPPER = Pattern.compile("[A-Z][A-Z0-9_]*+");
    private static final Pattern LETTERS = Pattern.compile("[\\p{L}_.:-]*+");
    private static final Pattern PHRASE = Pattern.compile("[a-z-]{16,}+");
    private static final Pattern PATH = Pattern.compile("(?:~|\\.{0,2}+)/[\\w./-]*+");
    private static final Pattern DEFINE = Pattern.compile("define[ \\t]{0,4}+\\([ \\t]{0,4}+[\"']");
    private static final Pattern SETTING = Pattern.compile("[ \\t]{0,200}+(?:[\\w.-]{1,120}+=|(?:- )?[\\w.-]{1,120}+: )\\S++[ \\t]{0,8}+");
    private static final Pattern PERSONS = Pattern.compile("[\\x21-\\x7e]{4,128}+");
    private static final Pattern CODE = Pattern.compile(".*(?:\\(|\\)|\\[|]|\\{|}|->|::|<|>|%[sd]|\\\\[A-Za-z0]|\\.\\.\\.).*");
    private static final int LONGEST_SETTING = 500;

    private NamedValues() {}

    static String mask(String text, Redactor.Mode mode) {
        var spans = new ArrayList<Span>();
        int at = next(text, 0);
        while (at >= 0) {
            at = next(text, read(text, at, spans, mode));
        }
        return Span.replace(text, spans);
    }

    /// Returns where the next word is that secrets' names are made of, or -1.
    private static int next(String text, int from) {
        for (int i = from; i < text.length() - 2; i++) {
            boolean found = switch (text.charAt(i) | 0x20) {
                case 'p' -> starts(text, i, "pass") || starts(text, i, "pw") || starts(text, i, "psk") || starts(text, i, "pat");
                case 's' -> starts(text, i, "secret") || starts(text, i, "sig") || starts(text, i, "session") || starts(text, i, "salt");
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

    /// Reads the name around `at` and the value after it; returns where to go on.
    private static int read(String text, int at, List<Span> spans, Redactor.Mode mode) {
        int from = at;
        while (from > 0 && at - from < LONGEST_NAME && isName(text.charAt(from - 1))) {
            from--;
        }
        int to = at;
        while (to < text.length() && to - at < LONGEST_NAME && isName(text.charAt(to))) {
            to++;
        }
        String name = text.substring(from, to);
        var kind = SecretNames.kind(name);
        var separator = SEPARATOR.matcher(text).region(to, text.length());
        if (kind == SecretNames.Kind.NONE || !separator.lookingAt()) {
            return to;
        }
        if (!isExpected(text, from, name, kind, separator)) {
            return to;
        }
        Value value = value(text, separator.end());
        if (!isSecret(kind, name, value, isSetting(text, from, value.to))) {
            return separator.end();
        }
        boolean persons = kind == SecretNames.Kind.PASSWORD;
        spans.add(new Span(value.from, value.to, persons ? Masks.hidden(mode) : Masks.of(value.text, "", mode)));
        return value.to;
    }

    /// Returns whether such a separator can follow this name here: a blank does after an option, a comma in a
    /// definition, and an angle bracket after a tag.
    private static boolean isExpected(
            String text, int from, String name, SecretNames.Kind kind, MatchResult separator) {
        if (separator.group("option") != null) {
            boolean option = name.startsWith("--") && kind != SecretNames.Kind.PERHAPS;
            return option || isNetrc(text, from, name);
        }
        if (separator.group("list") != null) {
            int earliest = Math.max(0, from - 20);
            return DEFINE.matcher(text).region(earliest, from).results().anyMatch(match -> match.end() == from);
        }
        boolean tag = from > 0 && (text.charAt(from - 1) == '<' || text.charAt(from - 1) == ':');
        return separator.group("tag") == null || tag;
    }

    private static boolean isNetrc(String text, int from, String name) {
        int line = text.lastIndexOf('\n', from - 1) + 1;
        return name.equals("password")
                && from - line < LONGEST_VALUE
                && NETRC.matcher(text).region(line, from).matches();
    }

    /// @param quoted whether it stands between quotes
    private record Value(int from, int to, String text, boolean quoted, boolean call) {}

    private static Value value(String text, int at) {
        var opening = OPENING.matcher(text).region(at, text.length());
        int longest = Math.min(text.length(), at + LONGEST_VALUE);
        if (opening.lookingAt()) {
            String close = opening.group(1) + opening.group(2);
            int from = opening.end();
            int to = from;
            while (to < longest && text.charAt(to) != '\n' && !text.startsWith(close, to)) {
                to++;
            }
            return new Value(from, to, text.substring(from, to), true, false);
        }
        int to = at;
        while (to < longest && !Character.isWhitespace(text.charAt(to)) && "\"'`,;&<>)}]".indexOf(text.charAt(to)) < 0) {
            to++;
        }
        boolean call = to < text.length() && "([".indexOf(text.charAt(to)) >= 0;
        return new Value(at, to, text.substring(at, to), false, call);
    }

    /// Returns whether name and value are a line of their own, as in files of settings.
    private static boolean isSetting(String text, int from, int to) {
        int newline = text.indexOf('\n', to);
        int line = text.lastIndexOf('\n', from) + 1;
        int end = newline < 0 ? text.length() : newline;
        return end - line <= LONGEST_SETTING && SETTING.matcher(text).region(line, end).matches();
    }

    private static boolean isSecret(SecretNames.Kind kind, String name, Value value, boolean setting) {
        if (value.call || value.text.isEmpty() || Masks.isMasked(value.text) || Masks.isReference(value.text)) {
            return false;
        }
        // a name without quotes is more often a variable than a secret
        boolean variable = !value.quoted && NAME.matcher(value.text).matches() && !UPPER.matcher(name).matches() && !setting;
        return switch (kind) {
            case PASSWORD -> isPersons(value, variable);
            case TOKEN -> variable ? Generated.isSurely(value.text) : Generated.isLikely(value.text);
            case PERHAPS -> Generated.isSurely(value.text);
            case NONE -> false;
        };
    }

    /// Returns whether a person may have chosen this as a password: not a word of a program, or a long phrase.
    private static boolean isPersons(Value value, boolean variable) {
        String text = value.text;
        if (PATH.matcher(text).matches()) {
            return Generated.isSurely(text);
        }
        if (!PERSONS.matcher(text).matches() || CODE.matcher(text).matches()) {
            return Generated.isLikely(text);
        }
        if (variable) {
            return Generated.isLikely(text) || digitWithin(text);
        }
        boolean word = LETTERS.matcher(text).matches();
        return word
                ? value.quoted && PHRASE.matcher(text).matches()
                : text.chars().anyMatch(Character::isLetter);
    }

    private static boolean digitWithin(String text) {
        for (int i = 0; i + 1 < text.length(); i++) {
            if (Character.isDigit(text.charAt(i)) && Character.isLetter(text.charAt(i + 1))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(char c) {
        return VendorTokens.isWord(c) || c == '.';
    }
}
