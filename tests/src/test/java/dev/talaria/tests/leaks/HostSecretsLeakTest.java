package dev.talaria.tests.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.testkit.Behaviour;
import dev.talaria.testkit.ChildJvm;
import dev.talaria.testkit.RunTarget;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Secrets in the environment of Talaria's process stay there, even if a sandbox's client inherits it.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostSecretsLeakTest {
    private static final String SECRET = "planted-0815-secret";

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.talaria.testkit.RunTargets#oneOfEachKind")
    void noSecretOfTheHostIsVisibleInside(RunTarget target, @TempDir Path folder) throws Exception {
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED HostSecretsLeakTest: " + why);
            Assumptions.abort(why);
        });
        String work = target.behaviours().contains(Behaviour.SHARES_WORKING_FOLDER) ? folder.toString() : "/tmp";
        Map<String, String> environment =
                Map.of("PLANTED_API_KEY", SECRET, "PLANTED_DSN", SECRET, "SUDO_PASSWORD", "PLANTED");
        try (ChildJvm jvm = ChildJvm.start(target, folder, work, Optional.empty(), environment)) {
            Map<String, Object> result = jvm.run("""
                    import os, subprocess
                    from hermes_tools import terminal
                    seen = {"script": str(os.environ), "terminal": terminal("env; cat /proc/self/environ")["output"],
                            "child": subprocess.run(["env"], stdout=subprocess.PIPE, text=True).stdout,
                            "process": open("/proc/self/environ", "rb").read().decode("utf-8", "replace")}
                    print([where for where, text in seen.items() if "PLANTED" in text], len(seen["terminal"]) > 20)
                    """);

            assertThat(result).containsEntry("status", "success").containsEntry("output", "[] True\n");
        }
    }
}
