package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.engine.Engine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Tests which part of the host's environment a script sees, and which interpreter runs it.
interface EnvironmentRuns extends RunSubject {

    @Test
    default void noSecretOfTheHostReachesAScriptOrItsCommands() {
        RunResult ran = runs().run("""
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
        try (Engine engine = runs().another(settings ->
                settings.withEnvironment(settings.environment().plus(List.of("TALARIA_PASSED_TOKEN"))))) {
            RunResult ran = Runs.run(engine, "import os; print(os.environ.get('TALARIA_PASSED_TOKEN'))", Map.of());

            assertThat(ran.succeeded()).isEqualTo("passed through\n");
        }
        assertThat(runs().run("import os; print(os.environ.get('TALARIA_PASSED_TOKEN'))")
                        .succeeded())
                .isEqualTo("None\n");
    }

    @Test
    default void harmlessNamesArriveAndOthersDoNot() {
        RunResult ran = runs().run("""
                import os
                print(os.environ.get("LC_TALARIA"), os.environ.get("TALARIA_PLANTED_PLAIN"))
                print(os.environ["PYTHONDONTWRITEBYTECODE"], os.environ["PYTHONUTF8"], os.environ["PYTHONIOENCODING"])
                """);

        assertThat(ran.succeeded())
                .isEqualTo((has(Behaviour.HOST_VARIABLES) ? "harmless" : "None") + " None\n1 1 utf-8\n");
    }

    @Test
    default void theTimeZoneIsTheConfiguredOne() {
        try (Engine engine = runs().another(settings ->
                settings.withEnvironment(settings.environment().withTimezone("TALARIA-05:30")))) {
            RunResult ran = Runs.run(engine, """
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
            RunResult ran = Runs.run(engine, "import os; print(os.path.expanduser('~'))", Map.of());

            if (has(Behaviour.HOST_VARIABLES)) {
                assertThat(ran.succeeded()).isEqualTo("/configured/home\n");
            } else {
                assertThat(ran.succeeded()).isNotEqualTo("/configured/home\n").startsWith("/");
            }
        }
    }

    @Test
    default void theActiveVirtualEnvironmentsInterpreterRunsTheScriptWhereTheHostsCounts() {
        if (!writes()) {
            return;
        }
        String venv = virtualEnvironment();
        try (Engine engine = with("VIRTUAL_ENV", venv)) {
            RunResult ran = Runs.run(engine, "import sys; print(sys.prefix, sys.executable)", Map.of());

            if (has(Behaviour.HOST_INTERPRETER)) {
                assertThat(ran.succeeded()).isEqualTo(venv + " " + venv + "/bin/python\n");
            } else {
                assertThat(ran.succeeded()).doesNotContain(venv);
            }
        }
    }

    @Test
    default void aPackageThatWasInstalledAMinuteAgoCanBeImported() {
        if (!writes()) {
            return;
        }
        String python = runs().folder() + "/venv/bin/python";
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withPython(python)))) {
            Terminal terminal = new Terminal(engine, Caller.java());
            terminal.output("[ -e venv ] || python3 -m venv --without-pip venv");
            assertThat(Runs.run(engine, "import site_plain", Map.of()).failed()).contains("ModuleNotFoundError");
            terminal.output("""
                    packages=$(echo venv/lib/python3*/site-packages)
                    mkdir editable-source
                    echo "value = 'editable'" > editable-source/editable_one.py
                    echo "value = 'plain'" > "$packages/site_plain.py"
                    echo "$PWD/editable-source" > "$packages/__editable__.one.pth"
                    """);

            assertThat(Runs.run(
                                    engine,
                                    "import editable_one, site_plain; print(editable_one.value, site_plain.value)",
                                    Map.of())
                            .succeeded())
                    .isEqualTo("editable plain\n");
        }
    }

    @Test
    default void anInterpreterThatIsNotThereIsNamed() {
        try (Engine engine =
                runs().another(settings -> settings.withScript(settings.script().withPython("/no/such/python3")))) {
            RunResult ran = Runs.run(engine, "print('never')", Map.of());

            assertThat(ran.value()).doesNotContainEntry("status", "success");
            assertThat(ran.error()).contains("/no/such/python3");
        }
    }

    @Test
    default void aVirtualEnvironmentThatIsBrokenIsNotUsed() {
        if (!writes()) {
            return;
        }
        runs().run("""
                import os
                os.makedirs("broken/bin", exist_ok=True)
                open("broken/bin/python", "w").write("#!/bin/sh\\nexit 1\\n")
                os.chmod("broken/bin/python", 0o755)
                """).succeeded();
        try (Engine engine = with("VIRTUAL_ENV", runs().folder() + "/broken")) {
            assertThat(Runs.run(engine, "print('fine')", Map.of()).succeeded()).isEqualTo("fine\n");
        }
    }

    /// Makes a virtual environment in the working folder, once.
    private String virtualEnvironment() {
        runs().run("""
                import os, subprocess, sys
                if not os.path.exists("venv"):
                    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "venv"], check=True)
                """).succeeded();
        return runs().folder() + "/venv";
    }

    private Engine with(String name, String value) {
        Map<String, String> environment = new HashMap<>(Runs.hostEnvironment());
        environment.put(name, value);
        return runs().builder(UnaryOperator.identity()).environment(environment).build();
    }
}
