package dev.talaria.engine.config;

import java.time.Duration;
import java.util.Optional;

/// How scripts run and how much they may use.
///
/// @param mode working folder and interpreter of scripts
/// @param python interpreter to use instead of the one that `mode` finds
/// @param pythonInside the interpreter that a project's file names: it counts only in sandboxes that isolate
/// @param timeout how long a script may run
/// @param toolCalls how many tool calls a script may make
/// @param stdoutBytes how much of a script's standard output the model sees
/// @param stderrBytes how much of a script's standard error the model sees
/// @param memoryBytes address space of each of the script's processes (RLIMIT_AS); absent means unlimited
/// @param processes how many processes a script may have at a time; absent means unlimited
public record ScriptSettings(
        ScriptMode mode,
        Optional<String> python,
        Optional<String> pythonInside,
        Limit<Duration> timeout,
        Limit<Integer> toolCalls,
        int stdoutBytes,
        int stderrBytes,
        Optional<Long> memoryBytes,
        Optional<Integer> processes) {

    /// The most that `stdoutBytes` and `stderrBytes` can be: windows of the output are kept in memory.
    public static final int MAX_OUTPUT_BYTES = 10_000_000;

    /// The least that they can be: room for an error message.
    public static final int MIN_OUTPUT_BYTES = 100;

    public ScriptSettings {
        Require.positive("script.timeout", timeout.standard());
        Require.atLeast("script.tool-calls", toolCalls.standard(), 0);
        Require.between("script.stdout-bytes", stdoutBytes, MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
        Require.between("script.stderr-bytes", stderrBytes, MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
        memoryBytes.ifPresent(bytes -> Require.atLeast("script.memory-bytes", bytes, 1));
        processes.ifPresent(count -> Require.atLeast("script.processes", count, 1));
    }

    public static ScriptSettings defaults() {
        return new ScriptSettings(
                ScriptMode.PROJECT,
                Optional.empty(),
                Optional.empty(),
                new Limit<>(Duration.ofMinutes(5), Duration.ofHours(1)),
                new Limit<>(50, 1000),
                50_000,
                10_000,
                Optional.empty(),
                Optional.empty());
    }

    public ScriptSettings withMode(ScriptMode newMode) {
        return new ScriptSettings(
                newMode, python, pythonInside, timeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withPython(String newPython) {
        return new ScriptSettings(
                mode,
                Optional.of(newPython),
                Optional.empty(),
                timeout,
                toolCalls,
                stdoutBytes,
                stderrBytes,
                memoryBytes,
                processes);
    }

    public ScriptSettings withTimeout(Limit<Duration> newTimeout) {
        return new ScriptSettings(
                mode, python, pythonInside, newTimeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withToolCalls(Limit<Integer> newToolCalls) {
        return new ScriptSettings(
                mode, python, pythonInside, timeout, newToolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    /// Returns the same settings with other shares of the output for the model.
    public ScriptSettings withOutputBytes(int newStdoutBytes, int newStderrBytes) {
        return new ScriptSettings(
                mode, python, pythonInside, timeout, toolCalls, newStdoutBytes, newStderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withMemoryBytes(long newMemoryBytes) {
        return new ScriptSettings(
                mode,
                python,
                pythonInside,
                timeout,
                toolCalls,
                stdoutBytes,
                stderrBytes,
                Optional.of(newMemoryBytes),
                processes);
    }

    public ScriptSettings withProcesses(int newProcesses) {
        return new ScriptSettings(
                mode,
                python,
                pythonInside,
                timeout,
                toolCalls,
                stdoutBytes,
                stderrBytes,
                memoryBytes,
                Optional.of(newProcesses));
    }
}
