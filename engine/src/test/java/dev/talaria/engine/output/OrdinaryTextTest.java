package dev.talaria.engine.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ordinary text stays as it is: of source trees at most one word in a thousand changes.
class OrdinaryTextTest {

    private static final double GREATEST_SHARE = 0.001;
    private static final long LARGEST_FILE = 1 << 20;
    private static final long MOST_BYTES = 16 << 20;

    @ParameterizedTest
    @EnumSource(names = {"CODE", "FILE_READ"})
    void theProjectsOwnTreeStays(Redactor.Mode mode) throws IOException {
        assertStays(projectRoot(), mode);
    }

    @ParameterizedTest
    @EnumSource(names = {"CODE", "FILE_READ"})
    void pythonsLibraryStays(Redactor.Mode mode) throws IOException, InterruptedException {
        Process python = new ProcessBuilder(
                        "python3", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'], end='')")
                .redirectErrorStream(true)
                .start();
        String library = new String(python.getInputStream().readAllBytes(), UTF_8);
        assumeTrue(python.waitFor() == 0 && Files.isDirectory(Path.of(library)), "no Python with its library here");

        assertStays(Path.of(library), mode);
    }

    private static Path projectRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("dev/build"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    private record Words(long all, long changed) {}

    private static void assertStays(Path root, Redactor.Mode mode) throws IOException {
        long all = 0;
        long changed = 0;
        long bytes = 0;
        for (Path file : texts(root)) {
            byte[] content = Files.readAllBytes(file);
            if (bytes < MOST_BYTES && isText(content)) {
                bytes += content.length;
                Words words = words(new String(content, UTF_8), mode);
                all += words.all;
                changed += words.changed;
            }
        }
        System.out.printf(
                "Of %,d words in %s %,d changed in mode %s: %.4f %%%n",
                all, root.getFileName(), changed, mode, 100.0 * changed / all);

        assertThat(all).isGreaterThan(100_000);
        assertThat((double) changed / all).isLessThan(GREATEST_SHARE);
    }

    private static List<Path> texts(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .filter(file -> Stream.of("/.git/", "/target/", "/site-packages/", "/clean/secrets.txt")
                            .noneMatch(file.toString()::contains))
                    .filter(file -> file.toFile().length() <= LARGEST_FILE && Files.isReadable(file))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isText(byte[] content) {
        for (byte b : content) {
            if (b == 0) {
                return false;
            }
        }
        return true;
    }

    private static Words words(String text, Redactor.Mode mode) {
        String[] before = text.split("\n", -1);
        String[] after = Redactor.on().redact(text, mode).split("\n", -1);
        assertThat(after).hasSameSizeAs(before);
        long all = 0;
        long changed = 0;
        for (int i = 0; i < before.length; i++) {
            List<String> words = List.of(before[i].strip().split("\\s+", -1));
            List<String> shown = List.of(after[i].strip().split("\\s+", -1));
            all += words.size();
            changed += before[i].equals(after[i])
                    ? 0
                    : words.size() - words.stream().filter(shown::contains).count();
        }
        return new Words(all, changed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
                "index 83db48f..bf269f4 100644",
                "id: 123e4567-e89b-12d3-a456-426614174000",
                "  \"integrity\": \"sha512-NpqbYyWFO7KwCDrJfbKmP9vxmJhwR0Ky3gzN3DnTzXHHR4yy+yPTMrgkkPDjsF1VtOPrTsBuBJ9HFKvBbMzzzw==\",",
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  file.tar.gz",
                "<img src=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\">",
                "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEuanMiXX0=",
                "h1:bcdfghjk4WJgZ0mSHwZ1VLcL3kQTnxB+Zl8ROyyhf0A=",
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFVtYXJpYW5hVHJlbmNoMTIzNDU2Nzg5MDEyMzQ1 bob@host",
                "def token_from_request(request, key=None, password=password):",
                "self.password = password1",
                "password = getpass.getpass()",
                "String apiKey = config.apiKey();",
                "token = tokenizer.next_token(pos2)",
                "connect(host=host, password=passwd2, timeout=3)",
                "if (token == null || secret != other) {",
                "password: \"Please enter your password\"",
                "\"password\": \"Passwort\",",
                "\"token\": {\"type\": \"string\"},",
                "key: sha256WithRSAEncryption",
                "cache-key: linux-node-20-0f3c9a1b2c3d4e5f60718293",
                "primary_key=order_item_2024_id",
                "public_key = \"9fceb02d0ae598e95dc970b74767f19372d61af8\"",
                "PWD=/home/user/Work2/project OLDPWD=/tmp",
                "user ALL=(ALL) NOPASSWD: /usr/bin/systemctl",
                "cat /etc/passwd > /dev/null",
                "https://example.org/search?q=token&page=2&key=name",
                "https://example.org:8443/a@b/c?code=404",
                "see user@example.org:22 and git@github.com:o/r.git",
                "ssh://deployer@host.example.org/srv/repo.git",
                "Authorization: `Bearer ${process.env.TOKEN}`",
                "https://{user}:{password}@{host}/x",
                "https://$USER:$PASS@host/x",
                "napi_create_string_utf8 live_stream_handler_2 test_something_long_enough_2",
                "secret_manager_client_v2 pat_to_path re_compile_1",
                "kubectl get secret my-secret-name -o yaml",
                "mysql -u root -p app",
                "curl -u user: https://example.org",
                "Cookie: theme=dark; lang=en-US",
                "AGE=42 MONKEY=banana2banana KEYBOARD=us",
                "00:11:22:33:44:55 12:30:45 2026-11-15T22:53:20Z"
            })
    void harmlessTextStays(String text) {
        assertThat(Redactor.on().redact(text, Redactor.Mode.CODE)).isEqualTo(text);
    }

    @Test
    void aBase64TextOfAnySizeStays() {
        var random = new java.util.Random(4);
        byte[] image = new byte[300_000];
        random.nextBytes(image);
        String text = "data:image/png;base64," + java.util.Base64.getEncoder().encodeToString(image);

        assertThat(Redactor.on().redact(text, Redactor.Mode.CODE)).isEqualTo(text);
    }
}
