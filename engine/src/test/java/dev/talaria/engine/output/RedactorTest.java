package dev.talaria.engine.output;

import static dev.talaria.engine.output.Redactor.Mode.CODE;
import static dev.talaria.engine.output.Redactor.Mode.FILE_READ;
import static dev.talaria.engine.output.Redactor.Mode.FULL;
import static dev.talaria.engine.output.Redactor.Mode.SECRET_FILE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactorTest {

    private static final String BODY = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0Uv1";

    private static String code(String text) {
        return Redactor.on().redact(text, CODE);
    }

    private static String full(String text) {
        return Redactor.on().redact(text, FULL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk-",
                "ghp_",
                "gho_",
                "ghu_",
                "ghs_",
                "ghr_",
                "github_pat_",
                "xapp-1-",
                "xoxb-",
                "xoxp-",
                "AIza",
                "pplx-",
                "fal_",
                "fc-",
                "bb_live_",
                "gAAAA",
                "sk_live_",
                "sk_test_",
                "rk_live_",
                "SG.",
                "hf_",
                "r8_",
                "npm_",
                "pypi-",
                "dop_v1_",
                "doo_v1_",
                "am_",
                "am_org_",
                "sk_",
                "tvly-",
                "exa_",
                "gsk_",
                "syt_",
                "retaindb_",
                "hsk-",
                "mem0_",
                "brv_",
                "ntn_",
                "xai-",
                "fw-",
                "fw_",
                "fpk_",
                "glpat-",
                "gloas-",
                "gldt-",
                "glrt-",
                "glrtr-",
                "glcbt-",
                "glptt-",
                "glft-",
                "glimt-",
                "glagent-",
                "glsoat-",
                "glffct-",
                "glwt-",
                "GR1348941",
                "pk-lf-"
            })
    void vendorTokensAreMasked(String prefix) {
        String token = prefix + BODY;

        assertThat(code("x = " + token + "!")).isEqualTo("x = " + token.substring(0, 6) + "...0Uv1!");
        assertThat(Redactor.on().redact("x = " + token, FILE_READ)).isEqualTo("x = «redacted:" + prefix + "…»");
        assertThat(code("a" + token)).isEqualTo("a" + token);
        assertThat(code(prefix + "short")).isEqualTo(prefix + "short");
    }

    @Test
    void tokensBeginAtEscapesAndEndAtWords() {
        String token = "ghp_" + BODY;

        assertThat(code("\\n" + token)).isEqualTo("\\nghp_Ab...0Uv1");
        assertThat(code("\\u0022" + token + "\\u0022")).contains("ghp_Ab...0Uv1");
        assertThat(code("\\x41" + token)).isEqualTo("\\x41ghp_Ab...0Uv1");
        assertThat(code(token + "_more")).isEqualTo(token + "_more");
        assertThat(code("sk-ant.api03.abcdefghijkl end")).isEqualTo("sk-ant...ijkl end");
        assertThat(code("sk-abcdefghij. End")).isEqualTo("***. End");
        assertThat(code("AKIAABCDEFGHIJKLMNOP AKIAABCDEFGHIJKLMNOPQ")).isEqualTo("AKIAAB...MNOP AKIAABCDEFGHIJKLMNOPQ");
        assertThat(code("npm_config_registry hf_hub_download sk_learn_model"))
                .isEqualTo("npm_config_registry hf_hub_download sk_learn_model");
    }

    @Test
    void tokensSplitByInvisibleCharactersAreMasked() {
        assertThat(code("ghp_Ab1Cd2\u200bEf3Gh4Ij5Kl6 x")).isEqualTo("ghp_Ab...5Kl6 x");
        assertThat(code("ghp_Ab1Cd2\nEf3Gh4Ij5Kl6 x")).isEqualTo("ghp_Ab...5Kl6\n x");
        assertThat(code("see sk-ab\nAnother line\n")).isEqualTo("see sk-ab\nAnother line\n");
        assertThat(code("sk-ab12\nSOMENAME1234=5")).isEqualTo("sk-ab12\nSOMENAME1234=5");
    }

    @Test
    void idAndSecretKeys() {
        String id = "0123456789abcdef0123456789abcdef";

        assertThat(code("key " + id + ".Abcdefghijklmnop")).isEqualTo("key 012345...mnop");
        assertThat(code("file " + id + ".tar " + id + ".Abcdefghijklmnop.gz"))
                .isEqualTo("file " + id + ".tar " + id + ".Abcdefghijklmnop.gz");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "DB_PASSWORD=swordfish~DB_PASSWORD=***",
                "export API_KEY='abcdefghijklmnopqrstuvwx'~export API_KEY='abcdef...uvwx'",
                "SECRET = x1~SECRET = ***",
                "my_api_key=abc123~my_api_key=***",
                "spring.datasource.password=swordfish~spring.datasource.password=***",
                "  12| client_secret = abc~  12| client_secret = ***",
                "{\"api_key\": \"abc\", \"a\": \"b\"}~{\"api_key\": \"***\", \"a\": \"b\"}",
                "\"{\\\"password\\\": \\\"a\\\\\\\"b\\\"}\"~\"{\\\"password\\\": \\\"***\\\"}\"",
                "{'password': 'it\\'s', 'n': 1}~{'password': '***', 'n': 1}",
                "  db_password: swordfish~  db_password: ***",
                "- apiToken: abcdefghijkl1234~- apiToken: ***",
                "GITHUB_TOKEN=abcdefghijkl1234~GITHUB_TOKEN=***"
            })
    void namesGiveValuesAwayInFullModeOnly(String text, String masked) {
        assertThat(full(text)).isEqualTo(masked);
        assertThat(code(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KEYBOARD=qwertyuiop1234567890",
                "Secretary: somebody",
                "tokenizer: abcdefghijklmnopqrst1234",
                "MAX_TOKENS=4096",
                "PRIMARY_KEY=id",
                "API_KEY=os.getenv(\"X\")",
                "api_key = os.environ[\"API_KEY\"]",
                "SSH_KEY=/home/me/.ssh/id_rsa",
                "API_SECRET=${SECRET}",
                "PASSWORD == other",
                "password=***",
                "callback_token=abc https://example.org/?x=1",
                "{\"tokens\": \"12\"}",
                "{'name': 'bob'}",
                "note: two words here",
                "key: value"
            })
    void harmlessAssignmentsSurvive(String text) {
        assertThat(full(text)).isEqualTo(text);
    }

    @Test
    void aRandomPathSegmentIsNoPath() {
        assertThat(full("API_SECRET=ab/Ab1Cd2Ef3Gh4Ij5Kl6")).isEqualTo("API_SECRET=ab/Ab1...5Kl6");
    }

    @Test
    void diagnosticsMaskPythonFieldsInCodeMode() {
        assertThat(code("E   AssertionError: {'password': 'hunter2'}")).endsWith("{'password': '***'}");
        assertThat(code("ValueError: bad {'api_key': 'abc'}")).endsWith("{'api_key': '***'}");
        assertThat(code("config = {'password': 'swordfish'}")).isEqualTo("config = {'password': 'swordfish'}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "Authorization: Bearer abcdefghijklmnopqrst~Authorization: Bearer abcdef...qrst",
                "proxy-authorization: hunter2~proxy-authorization: ***",
                "{\"Authorization\": \"Basic dXNlcjpwYXNz\"}~{\"Authorization\": \"Basic ***\"}",
                "headers = {\"Authorization\": f\"Bearer {token}\"}~headers = {\"Authorization\": f\"Bearer {token}\"}",
                "Authorization: Bearer $TOKEN~Authorization: Bearer $TOKEN",
                "Authorized: yes~Authorized: yes",
                "x-api-key: hunter2~x-api-key: ***",
                "X-Auth-Token: abcdefghijklmnopqrst~X-Auth-Token: abcdef...qrst",
                "{'x-goog-api-key': 'hunter2'}~{'x-goog-api-key': '***'}",
                "apiKey: string~apiKey: string",
                "api-key: Abcdefgh1234~api-key: ***",
                "bot123456789:AAabcdefghijklmnopqrstuvwxyz0123456~bot123456789:***",
                "at 12:30 and 12345678:short~at 12:30 and 12345678:short",
                "postgresql://me:pa@ss@db:5432/x~postgresql://me:***@db:5432/x",
                "mongodb+srv://me:pass@db/x~mongodb+srv://me:***@db/x",
                "redis://:p@h redis://h:6379/0~redis://:***@h redis://h:6379/0",
                "f\"postgres://{user}:{password}@{host}/x\"~f\"postgres://{user}:{password}@{host}/x\"",
                "https://abcdefghijklmnopqrst@example.org/x~https://abcdef...qrst@example.org/x",
                "https://me:pass@example.org/?token=abc~https://me:***@example.org/?token=abc",
                "https://example.org/?token=abc123&x=1#access_token=abc123~https://example.org/?token=***&x=1#access_token=***",
                "https://me:{password}@example.org/ ftp://me:$PASS@h/~https://me:{password}@example.org/ ftp://me:$PASS@h/",
                "{\"user\": \"me\", \"password\": \"swordfish\"}~{\"user\": \"me\", \"password\": \"***\"}",
                "DB_PASSWORD=hunter2 password: hunter2~DB_PASSWORD=*** password: hunter2",
                "host=db user=me password=hunter2 port=1~host=db user=me password=*** port=1",
                "https://hooks.slack.com/services/T0/B0/abcdef~https://hooks.slack.com/services/***",
                "ssh://git@example.org/x~ssh://git@example.org/x",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefgh~eyJhbG...efgh",
                "eyJshort~eyJshort",
                "token=abc&x=1~token=***&x=1",
                "x=1&y=2~x=1&y=2",
                "see token=abc&x=1~see token=abc&x=1",
                "call +15551234567 now~call +155****4567 now",
                "+1234567~+1****67",
                "x+1234567 and +12345678a~x+1234567 and +12345678a"
            })
    void passesOfEveryMode(String text, String masked) {
        assertThat(code(text)).isEqualTo(masked);
        assertThat(code(masked)).as("masking twice changes nothing").isEqualTo(masked);
    }

    @Test
    void privateKeysAreMaskedAndKeepTheirLines() {
        String line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
        String key = "-----BEGIN RSA PRIVATE KEY-----\n" + line + "\n" + line + "\nshort=\n";

        assertThat(code("a\n" + key + "-----END RSA PRIVATE KEY-----\nb"))
                .isEqualTo("a\n[REDACTED PRIVATE KEY]\n\n\n\n\nb");
        assertThat(code("a\n" + key + "plain text goes on\n"))
                .isEqualTo("a\n[REDACTED PRIVATE KEY]\n\n\n\nplain text goes on\n");
        assertThat(code("{\"k\": \"-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n\"}"))
                .isEqualTo("{\"k\": \"[REDACTED PRIVATE KEY]\\n\"}");
        assertThat(code("-----BEGIN CERTIFICATE-----\n" + line + "\n-----END CERTIFICATE-----"))
                .isEqualTo("-----BEGIN CERTIFICATE-----\n" + line + "\n-----END CERTIFICATE-----");
        assertThat(code("file:-----BEGIN PRIVATE KEY-----\nok\n")).isEqualTo("file:[REDACTED PRIVATE KEY]\nok\n");
    }

    @Test
    void fileReadsUseSentinelsThatAreNoKeys() {
        assertThat(Redactor.on().redact("PASSWORD=swordfish", FILE_READ)).isEqualTo("PASSWORD=swordfish");
        assertThat(Redactor.on().redact("postgres://me:pass@h/x", FILE_READ))
                .isEqualTo("postgres://me:«redacted-secret»@h/x");
        assertThat(Redactor.on().redact("PASSWORD=hunter2", SECRET_FILE)).isEqualTo("PASSWORD=«redacted-secret»");
        assertThat(Redactor.on().redact("K=ghp_" + BODY, SECRET_FILE)).isEqualTo("K=«redacted:ghp_…»");
        assertThat(Redactor.holdsSentinel("K=«redacted:ghp_…»")).isTrue();
        assertThat(Redactor.holdsSentinel("PASSWORD=«redacted-secret»")).isTrue();
        assertThat(Redactor.holdsSentinel("[REDACTED PRIVATE KEY]")).isTrue();
        assertThat(Redactor.holdsSentinel("«redacted» by hand")).isFalse();
    }

    @Test
    void offMasksNothing() {
        String text = "PASSWORD=hunter2 ghp_" + BODY;

        assertThat(Redactor.off().redact(text, FULL)).isSameAs(text);
    }

    @Test
    void maskingKeepsTheNumberOfLinesWhateverTheText() {
        String[] pieces = {
            "sk-",
            "ghp_",
            BODY,
            "\n",
            "\n",
            " ",
            "=",
            ":",
            "\"",
            "'",
            "PASSWORD",
            "token",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "Authorization",
            "Bearer ",
            "postgres://a:",
            "@",
            "\u200b",
            "\t",
            "eyJ",
            "+1234567",
            "&",
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
            "\\",
            "https://"
        };
        var random = new Random(11);
        for (int round = 0; round < 4000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(25); i > 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            for (Redactor.Mode mode : Redactor.Mode.values()) {
                String masked = Redactor.on().redact(text.toString(), mode);

                assertThat(masked.chars().filter(c -> c == '\n').count())
                        .as(text.toString())
                        .isEqualTo(text.chars().filter(c -> c == '\n').count());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "A",
                "a=",
                "sk-",
                "KEY_",
                "KEY=",
                "redis://a:",
                "https://a",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN",
                "'a': '",
                "\"token\": \"",
                "\\\"",
                "Authorization:",
                "12345678",
                "0123456789abcdef",
                "eyJ",
                "a=b&",
                "+1",
                "token: ",
                " ",
                "\u200b",
                "pass=",
                "password=\"",
                "token: a1B2c3D4e5",
                "a&token=",
                "sk-a.",
                "SG.a1.",
                "Cookie: a=",
                "curl -u a:",
                "AKIA/",
                "\"kty\" \"d\":\"",
                "hooks.slack.com/services/",
                "://a:b@",
                "Q~8Q~",
                "---- BEGIN ",
                "Private-Lines: 1\n",
                "$6$a$",
                "eyJhbGciOiJIUzI1NiJ9.",
                "define('KEY', '",
                "<password>",
                "--token ",
                "\n",
                "E  ",
                "\u001b]",
                "\u009d\n",
                "x-api-key:",
                "{",
                "token\t",
                "a.",
                "password=\n"
            })
    void hostileRepetitionIsReadToTheEnd(String piece) {
        String text = piece.repeat(200_000 / piece.length());

        for (Redactor.Mode mode : Redactor.Mode.values()) {
            assertThat(Redactor.on().redact(TerminalText.clean(text), mode)).isNotNull();
        }
    }
}
