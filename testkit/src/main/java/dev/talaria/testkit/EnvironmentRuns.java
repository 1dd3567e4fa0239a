package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What a script sees of the host's environment, and which interpreter runs it.
interface EnvironmentRuns extends RunSubject {

    @Test
    default void noSecretOfTheHostReachesAScriptOrItsCommands() {
        Ran ran = runs().run("""
                import os
                from hermes_tools import terminal
                names = sorted(os.environ) + terminal("env")["output"].split()
                print([n for n in names if "PLANTED" in n and "PLAIN" not in n], %s in str(os.environ))
                everything = open("/proc/self/environ", "rb").read()
                print(b"PLANTED_API" in everything)
                """.formatted(Python.text(Runs.PLANTED_SECRET)));

        assertThat(ran.succeeded()).isEqualTo("[] False\nFalse\n");
    }

    @Test
    default void namesThatAreLetThroughArrive() {
        try (Engine engine = runs().another(
                settings -> settings.withEnvironment(settings.environment().plus(List.of("TALARIA_PASSED_TOKEN"))))) {
            Ran ran = Runs.run(engine, "import os; print(os.environ.get('TALARIA_PASSED_TOKEN'))", Map.of());

            assertThat(ran.succeeded()).isEqualTo("passed through\n");
        }
        assertThat(runs().run("import os; print(os.environ.get('TALARIA_PASSED_TOKEN'))").succeeded())
                .isEqualTo("None\n");
    }

    @Test
    default void harmlessNamesArriveAndOthersDoNot() {
        Ran ran = runs().run("""
                import os
                print(os.environ.get("LC_TALARIA"), os.environ.get("TALARIA_PLANTED_PLAIN"))
                print(os.environ["PYTHONDONTWRITEBYTECODE"], os.environ["PYTHONUTF8"], os.environ["PYTHONIOENCODING"])
                """);

        assertThat(ran.succeeded())
                .isEqualTo((has(Behaviour.HOST_ENVIRONMENT) ? "harmless" : "None") + " None\n1 1 utf-8\n");
    }

    @Test
    default void theTimeZoneIsTheConfiguredOne() {
        try (Engine engine = runs().another(settings ->
                settings.withEnvironment(settings.environment().withTimezone("TALARIA-05:30")))) {
            Ran ran = Runs.run(engine, """
                    import os, subprocess, time
                    print(time.strftime("%Z %z"), os.environ["TZ"])
                    print(subprocess.run(["date", "+%z"], stdout=subprocess.PIPE, text=True).stdout.strip())
                    """, Map.of());

            assertThat(ran.succeeded()).isEqualTo("TALARIA +0530 TALARIA-05:30\n+0530\n");
        }
    }

    @Test
    default void theHomeFolderIsTheConfiguredOneWhereTheHostsCounts() {
        try (Engine engine = runs().another(settings ->
                settings.withEnvironment(settings.environment().withHome("/configured/home")))) {
            Ran ran = Runs.run(engine, "import os; print(os.path.expanduser('~'))", Map.of());

            if (has(Behaviour.HOST_ENVIRONMENT)) {
                assertThat(ran.succeeded()).isEqualTo("/configured/home\n");
            } else {
                assertThat(ran.succeeded()).isNotEqualTo("/configured/home\n").startsWith("/");
            }
        }
    }

    @Test
    default void theActiveVirtualEnvironmentsInterpreterRunsTheScript() throws Exception {
        assumeTrue(has(Behaviour.HOST_ENVIRONMENT), "VIRTUAL_ENV of the host means nothing there");
        Path venv = virtualEnvironment();
        try (Engine engine = with("VIRTUAL_ENV", venv.toString())) {
            Ran ran = Runs.run(engine, "import sys; print(sys.prefix, sys.executable)", Map.of());

            assertThat(ran.succeeded()).isEqualTo(venv + " " + venv.resolve("bin/python") + "\n");
        }
    }

    @Test
    default void aPackageThatWasInstalledAMinuteAgoCanBeImported() throws Exception {
        assumeTrue(has(Behaviour.HOST_ENVIRONMENT), "VIRTUAL_ENV of the host means nothing there");
        Path venv = virtualEnvironment();
        try (Engine engine = with("VIRTUAL_ENV", venv.toString())) {
            assertThat(Runs.run(engine, "import site_plain", Map.of()).failed()).contains("ModuleNotFoundError");
            Ran site = Runs.run(engine, "import sysconfig; print(sysconfig.get_paths()['purelib'])", Map.of());
            Path packages = Path.of(site.succeeded().strip());
            Path source = Files.createDirectories(runs().sharedFolder().resolve("editable-source"));
            Files.writeString(source.resolve("editable_one.py"), "value = 'editable'");
            Files.writeString(packages.resolve("site_plain.py"), "value = 'plain'");
            Files.writeString(packages.resolve("__editable__.one.pth"), source + "\n");

            assertThat(Runs.run(engine, "import editable_one, site_plain; print(editable_one.value, site_plain.value)", Map.of())
                            .succeeded())
                    .isEqualTo("editable plain\n");
        }
    }

    @Test
    default void aVirtualEnvironmentThatIsBrokenIsNotUsed() throws Exception {
        assumeTrue(has(Behaviour.HOST_ENVIRONMENT), "VIRTUAL_ENV of the host means nothing there");
        Path broken = runs().sharedFolder().resolve("broken");
        Path bin = Files.createDirectories(broken.resolve("bin"));
        Path python = Files.writeString(bin.resolve("python"), "#!/bin/sh\nexit 1\n");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        try (Engine engine = with("VIRTUAL_ENV", broken.toString())) {
            assertThat(Runs.run(engine, "print('fine')", Map.of()).succeeded()).isEqualTo("fine\n");
        }
    }

    private Path virtualEnvironment() throws Exception {
        Path venv = runs().sharedFolder().resolve("venv");
        if (!Files.exists(venv)) {
            Process process = new ProcessBuilder("/usr/bin/python3", "-m", "venv", "--without-pip", venv.toString())
                    .inheritIO()
                    .start();
            assertThat(process.waitFor()).isZero();
        }
        return venv;
    }

    private Engine with(String name, String value) {
        Map<String, String> environment = new HashMap<>(Runs.hostEnvironment());
        environment.put(name, value);
        return runs().builder(UnaryOperator.identity()).environment(environment).build();
    }
}
