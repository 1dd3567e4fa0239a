package dev.talaria.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.testkit.JavaCommand;
import dev.talaria.testkit.Testbed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A script on `local` has the same user as its JVM. It must not answer its own approval there.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NotDumpableTest {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private static final String SCRIPT = """
            import ctypes, os
            pid = os.getppid()
            while open("/proc/%d/comm" % pid).read().strip() != "java":
                pid = int(open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[1])
            for name in ("fd/0", "fd/1", "fd/2", "mem", "environ", "maps"):
                for mode in ("rb", "r+b"):
                    try:
                        open("/proc/%d/%s" % (pid, name), mode)
                        print("OPENED", name, mode)
                    except PermissionError:
                        pass
            libc = ctypes.CDLL(None, use_errno=True)
            libc.ptrace.argtypes = [ctypes.c_long] * 4
            print(os.getuid() != 0, libc.ptrace(16, pid, 0, 0), ctypes.get_errno())
            """;

    @Test
    void theCommandLineIsClosedToItsScripts(@TempDir Path folder) throws Exception {
        Optional<String> user = ROOT ? Testbed.value("USER") : Optional.empty();
        Assumptions.assumeTrue(!ROOT || user.isPresent(), Testbed.whyMissing("user"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path script = Files.writeString(folder.resolve("script.py"), SCRIPT);
        List<String> command = new ArrayList<>();
        user.ifPresent(
                name -> command.addAll(List.of("setpriv", "--reuid", name, "--regid", name, "--init-groups", "--")));
        command.addAll(List.of("env", "-i", "HOME=" + folder, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"));
        command.addAll(JavaCommand.of(
                JavaCommand.copied(folder), Main.class.getName(), "run", "--backend", "local", script.toString()));

        Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String complained = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said).as(complained).isEqualTo("True -1 1\n");
        assertThat(complained).doesNotContain("WARNING");
    }
}
