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

/// What a model's script can rely on, wherever it runs and however its tool calls travel. Every backend and transport
/// inherits one of its two kinds, {@link SocketRunContract} or {@link FileRunContract}, with a class of ten lines. Real
/// processes only.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class RunContract
        implements BasicRuns,
                PythonRuns,
                EnvironmentRuns,
                ToolCallRuns,
                OutputRuns,
                LimitRuns,
                HintRuns,
                TreeRuns,
                HostileRuns,
                LeakRuns {
    private @Nullable Runs runs;

    /// Returns where the runs happen.
    protected abstract RunPlace place();

    @BeforeAll
    void open(@TempDir Path scratch) {
        RunPlace place = place();
        place.missing().ifPresent(why -> {
            System.out.println("SKIPPED " + getClass().getSimpleName() + ": " + why);
            Assumptions.abort(why);
        });
        runs = Runs.open(place, scratch);
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
