package dev.talaria.engine.output;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Judges names in any text, even source code: what may the value of this name be?
///
/// [SecretKeys] judges names where settings are expected, and trusts them sooner.
final class SecretNames {

    /// How sure a name is.
    enum Kind {
        /// a password, which a person may have chosen
        PASSWORD,
        /// a token, a secret or a key that a machine made
        TOKEN,
        /// a name that often means something else, such as `key`
        PERHAPS,
        /// nothing secret
        NONE
    }

    private static final Set<String> PASSWORD_WORDS =
            Set.of("password", "passwd", "passphrase", "pass", "pw", "pwd", "psk", "userpass", "passwort");
    private static final List<String> PASSWORD_ENDS = List.of("password", "passwd", "passphrase", "passwords");
    private static final Set<String> TOKEN_WORDS =
            Words.set("secret secrets token apikey credential credentials bearer pat jwt cookie wif");
    private static final List<String> TOKEN_ENDS = List.of(
            "token", "secret", "apikey", "secretkey", "accesskey", "privatekey", "authkey", "sharedkey", "masterkey");
    /// Words that, before `key`, say what kind of key it is.
    private static final Set<String> KEYS_OF = Words.set("""
            api app application access account admin auth cookie encryption fernet license master preshared private
            secret server service session shared role signing storage subscription unseal write
            """);
    private static final Set<String> PERHAPS_WORDS = Set.of("key", "keys", "auth", "session", "sessionid");
    /// Words at the end of a name of something that is about a secret and contains none.
    private static final Set<String> ABOUT = Words.set("""
            arn checksum class count digest endpoint expires field file fingerprint hash keyserver length limit name
            path prefix regex sha sha256 size thumbprint type uri url version
            """);
    /// Words in the names of keys that everybody may know.
    private static final Set<String> PUBLIC =
            Words.set("public pub primary foreign cache sort partition index publishable object row");

    private SecretNames() {}

    static Kind kind(String name) {
        List<String> words = words(name);
        if (words.isEmpty() || ABOUT.contains(words.getLast()) || words.stream().anyMatch(PUBLIC::contains)) {
            return Kind.NONE;
        }
        if (isPassword(words)) {
            return Kind.PASSWORD;
        }
        boolean id = words.getLast().equals("id") && !words.contains("secret");
        if (isToken(words)) {
            return id ? Kind.PERHAPS : Kind.TOKEN;
        }
        return words.stream().anyMatch(PERHAPS_WORDS::contains) && !id ? Kind.PERHAPS : Kind.NONE;
    }

    private static boolean isPassword(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean split = word.equals("phrase") && i > 0 && words.get(i - 1).equals("pass");
            if (PASSWORD_WORDS.contains(word) || split || PASSWORD_ENDS.stream().anyMatch(word::endsWith)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isToken(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean key = word.equals("key") && i > 0 && KEYS_OF.contains(words.get(i - 1));
            if (key || TOKEN_WORDS.contains(word) || TOKEN_ENDS.stream().anyMatch(word::endsWith)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the name's words in small letters: `npmAuthToken`, `NPM_AUTH_TOKEN` and
    /// `npm-auth-token` give the same words.
    private static List<String> words(String name) {
        var words = new ArrayList<String>();
        int from = 0;
        for (int i = 0; i <= name.length(); i++) {
            boolean over = i == name.length() || !Character.isLetterOrDigit(name.charAt(i));
            boolean hump = !over
                    && i > from
                    && Character.isUpperCase(name.charAt(i))
                    && (Character.isLowerCase(name.charAt(i - 1))
                            || (i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1))));
            if (over || hump) {
                if (i > from) {
                    words.add(name.substring(from, i).toLowerCase(Locale.ROOT));
                }
                from = over ? i + 1 : i;
            }
        }
        return words;
    }
}
