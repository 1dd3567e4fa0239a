package dev.talaria.engine.output;

import java.util.regex.Pattern;

/// Distinguishes values that a machine made at random from words, names and paths that people write.
///
/// It counts how often neighbours change between capitals, small letters and digits: in a random text
/// nearly every other time, in names now and then.
final class RandomLooking {

    private static final Pattern CHARACTERS = Pattern.compile("[\\w.~+/=:@!$%^*#?|-]{8,16384}+");
    private static final Pattern HEX = Pattern.compile("(?:0x)?(?:[0-9a-f]{16,}+|[0-9A-F]{16,}+)");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d.*+");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{1,20}+://.*+");

    /// The beginnings of public keys, which are as random as secrets.
    private static final Pattern PUBLIC_KEY = Pattern.compile(
            "(?:MFkwEwYHKoZIzj|MHYwEAYHKoZIzj|MIIB[IoC]jANBgkq|MIICIjANBgkq|MIGfMA0GCSq|MCowBQYDK2V|AAAA[BC]3NzaC1|AAAAE2VjZHNh).*+");

    private RandomLooking() {}

    /// Returns whether a value with a secret's name looks like a secret.
    static boolean isLikely(String value) {
        if (isPlain(value)) {
            return false;
        }
        Changes changes = Changes.in(value);
        boolean noise = changes.digits >= 3 || changes.all * 4 >= changes.characters;
        return UUID.matcher(value).matches() || isHex(value) || (changes.characters >= 10 && changes.mixed && noise);
    }

    /// Returns whether a value looks random, without knowing its name.
    static boolean isSurely(String value) {
        if (isPlain(value) || UUID.matcher(value).matches()) {
            return false;
        }
        Changes changes = Changes.in(value);
        boolean noise = changes.digits >= 5 || changes.all * 10 >= changes.characters * 3;
        return isHex(value) || (changes.characters >= 16 && changes.mixed && noise);
    }

    private static boolean isPlain(String value) {
        return !CHARACTERS.matcher(value).matches()
                || Masks.isMasked(value)
                || Masks.isReference(value)
                || PUBLIC_KEY.matcher(value).matches()
                || DATE.matcher(value).matches()
                || ADDRESS.matcher(value).matches();
    }

    private static boolean isHex(String value) {
        return HEX.matcher(value).matches() && value.chars().distinct().count() >= 6;
    }

    /// Counts the changes of the kind of character between neighbours.
    ///
    /// @param characters the letters and digits
    /// @param all changes between any kinds; a capital within a name (`aBc`) is one change, not two
    /// @param digits changes between a letter and a digit
    /// @param mixed whether there are letters of one kind and something else besides
    private record Changes(int characters, int all, int digits, boolean mixed) {

        private static final char OTHER = ' ';

        static Changes in(String value) {
            int characters = 0;
            int all = 0;
            int digits = 0;
            char last = OTHER;
            char beforeLast = OTHER;
            boolean lower = false;
            boolean upper = false;
            boolean digit = false;
            for (int i = 0; i < value.length(); i++) {
                char kind = kind(value.charAt(i));
                characters += kind == OTHER ? 0 : 1;
                lower |= kind == 'a';
                upper |= kind == 'A';
                digit |= kind == '0';
                if (kind != last && kind != OTHER && last != OTHER) {
                    boolean capital = kind == 'a' && last == 'A' && beforeLast != 'A';
                    all += capital ? 0 : 1;
                    digits += kind == '0' || last == '0' ? 1 : 0;
                }
                beforeLast = last;
                last = kind;
            }
            return new Changes(characters, all, digits, (lower && upper) || (digit && (lower || upper)));
        }

        private static char kind(char c) {
            if (c >= 'a' && c <= 'z') {
                return 'a';
            }
            if (c >= 'A' && c <= 'Z') {
                return 'A';
            }
            return c >= '0' && c <= '9' ? '0' : OTHER;
        }
    }
}
