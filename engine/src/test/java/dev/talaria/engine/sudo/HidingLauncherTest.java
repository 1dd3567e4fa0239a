package dev.talaria.engine.sudo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.job.Job;
import java.lang.reflect.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class HidingLauncherTest {
    static Method[] methods() {
        return Job.class.getMethods();
    }

    /// What `Job` does by default would be done instead of what the hidden job does.
    @ParameterizedTest
    @MethodSource("methods")
    void nothingOfAJobIsForgotten(Method method) throws Exception {
        Method own = HidingLauncher.HidingJob.class.getMethod(method.getName(), method.getParameterTypes());

        assertThat(own.getDeclaringClass()).isEqualTo(HidingLauncher.HidingJob.class);
    }
}
