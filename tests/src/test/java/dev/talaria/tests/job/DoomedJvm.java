package dev.talaria.tests.job;

import static org.awaitility.Awaitility.await;

import dev.talaria.api.Sandbox;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.direct.DirectLauncher;
import dev.talaria.testkit.TestSandbox;
import java.util.List;

/// A program that starts a job and waits until it is killed: BACKEND program|script SLEEPER.
final class DoomedJvm {
    private DoomedJvm() {}

    public static void main(String[] args) throws Exception {
        TestSandbox target = DirectLauncherTest.targets()
                .filter(found -> found.backend().equals(args[0]))
                .findFirst()
                .orElseThrow();
        String children = args[2] + " & (setsid " + args[2] + " &) ; " + args[2];
        try (Sandbox sandbox = target.open()) {
            RecordedOutput job = args[1].equals("program")
                    ? RecordedOutput.start(
                            new DirectLauncher(sandbox), JobSpec.Program.of(List.of("sh", "-c", children)))
                    : FileRuns.start(
                            sandbox,
                            new Echo(),
                            "import os; print(os.getcwd(), flush=True); os.system('" + children + "')");
            if (args[1].equals("script")) {
                await().until(() -> job.out().endsWith("\n"));
            }
            System.out.println(job.out().strip());
            job.exit();
        }
    }
}
