package dev.talaria.tests.copy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import dev.talaria.engine.admin.CopyProgress;
import dev.talaria.engine.admin.CopyResult;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.testkit.RunTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The common part of the tests of copies.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class CopyTests {
    static final String SESSION = "default";
    static final long MUCH = 1L << 40;

    @TempDir
    Path folder;

    Engine open(RunTarget target) {
        target.missing().ifPresent(why -> assumeTrue(false, why));
        return Engine.builder()
                .settings(Settings.defaults(Folders.below(folder.resolve("home")))
                        .withBackend(target.backend(), target.options())
                        .withTransport(target.transport())
                        .withApprovals(ApprovalSettings.defaults().withMode(ApprovalMode.ALLOW))
                        .withCwd(
                                target.backend().equals("local")
                                                || target.backend().equals("bubblewrap")
                                        ? work()
                                        : "/tmp"))
                .build();
    }

    private String work() {
        try {
            return Files.createDirectories(folder.resolve("work")).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name, int size) throws IOException {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return Files.write(folder.resolve(name), content);
    }

    static CopyResult up(Engine engine, Path from, String to) {
        return engine.copies().up(SESSION, from, to, CopyProgress.NONE, new Cancellation());
    }

    static CopyResult down(Engine engine, String from, Path to) {
        return engine.copies().down(SESSION, from, to, MUCH, CopyProgress.NONE, new Cancellation());
    }

    static String sh(Engine engine, String command) {
        return String.valueOf(engine.call(ToolCall.of("terminal", Map.of("command", command)))
                .value()
                .get("output"));
    }

    /// Returns a new folder in the sandbox.
    static String there(Engine engine) {
        return sh(engine, "d=/tmp/talaria-copies-$$-$(date +%s%N); mkdir $d && printf %s $d");
    }
}
