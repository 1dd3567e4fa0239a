package dev.talaria.testkit;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A contract that runs at a target, with one engine for all its tests.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class RunTargetContract implements RunSubject {
    private @Nullable Runs runs;

    /// Returns the target of the runs.
    protected abstract RunTarget target();

    @BeforeAll
    void open(@TempDir Path scratch) {
        RunTarget target = target();
        target.missing().ifPresent(why -> {
            System.out.println("SKIPPED " + getClass().getSimpleName() + ": " + why);
            Assumptions.abort(why);
        });
        runs = Runs.open(target, scratch);
    }

    @AfterAll
    void close() {
        if (runs != null) {
            runs.close();
        }
    }

    @Override
    public Runs runs() {
        if (runs == null) {
            throw new IllegalStateException("not open");
        }
        return runs;
    }
}
