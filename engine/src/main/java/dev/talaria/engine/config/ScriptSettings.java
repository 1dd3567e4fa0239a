package dev.talaria.engine.config;

import static dev.talaria.engine.config.ConfigKey.InProject.IN_SANDBOX;
import static dev.talaria.engine.config.ConfigKey.InProject.NARROW;

import java.time.Duration;
import java.util.Optional;

/// How scripts run and how much they may use.
///
/// @param mode working folder and interpreter of scripts
/// @param python the interpreter to use instead of the one that `mode` finds
/// @param pythonInside the interpreter that a project's file names; it counts only in sandboxes that isolate
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

    /// The largest value of `stdoutBytes` and `stderrBytes`, since windows of the output are kept in memory.
    public static final int MAX_OUTPUT_BYTES = 10_000_000;

    /// The smallest value of `stdoutBytes` and `stderrBytes`: an error message has to fit.
    public static final int MIN_OUTPUT_BYTES = 100;

    static final DeclaredKeys KEYS = new DeclaredKeys();

    static final ConfigKey<ScriptMode> MODE = KEYS.add(
            "script.mode",
            ValueKind.mode(),
            ScriptMode.PROJECT,
            NARROW,
            "Whether scripts run in the session's folder with the project's Python (project) or in an empty folder"
                    + " with Talaria's (strict).");
    static final ConfigKey<Optional<String>> PYTHON = KEYS.add(
            "script.python",
            ValueKind.text("the path or name of a Python"),
            Optional.empty(),
            IN_SANDBOX,
            "The interpreter to use instead of the one that the mode finds; that of a project's file counts only in"
                    + " sandboxes that isolate.");
    static final ConfigKey<Duration> TIMEOUT = KEYS.add(
            "script.timeout",
            ValueKind.limitedDuration(),
            Duration.ofMinutes(5),
            NARROW,
            "How long a script may run if its call does not say.");
    static final ConfigKey<Duration> TIMEOUT_CEILING = KEYS.add(
            "script.timeout-ceiling",
            ValueKind.limitedDuration(),
            Duration.ofHours(1),
            NARROW,
            "The longest time that a call can ask for.");
    static final ConfigKey<Integer> TOOL_CALLS = KEYS.add(
            "script.tool-calls",
            ValueKind.limitedCount(),
            50,
            NARROW,
            "How many tool calls a script may make if its call does not say.");
    static final ConfigKey<Integer> TOOL_CALLS_CEILING = KEYS.add(
            "script.tool-calls-ceiling",
            ValueKind.limitedCount(),
            1000,
            NARROW,
            "The most tool calls that a call can ask for.");
    static final ConfigKey<Integer> STDOUT_BYTES = KEYS.add(
            "script.stdout-bytes",
            ValueKind.intSize(MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES),
            50_000,
            NARROW,
            "How much of a script's standard output the model sees; the rest goes to a spill file.");
    static final ConfigKey<Integer> STDERR_BYTES = KEYS.add(
            "script.stderr-bytes",
            ValueKind.intSize(MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES),
            10_000,
            NARROW,
            "How much of a script's standard error the model sees.");
    static final ConfigKey<Optional<Long>> MEMORY_BYTES = KEYS.add(
            "script.memory-bytes",
            ValueKind.optionalSize(),
            Optional.empty(),
            NARROW,
            "The address space that each process of a script may use.");
    static final ConfigKey<Optional<Integer>> PROCESSES = KEYS.add(
            "script.processes",
            ValueKind.optionalCount(),
            Optional.empty(),
            NARROW,
            "How many processes a script may have at a time.");

    public ScriptSettings {
        Require.positive(TIMEOUT, timeout.standard());
        Require.atLeast(TOOL_CALLS, toolCalls.standard(), 0);
        Require.between(STDOUT_BYTES, stdoutBytes, MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
        Require.between(STDERR_BYTES, stderrBytes, MIN_OUTPUT_BYTES, MAX_OUTPUT_BYTES);
        memoryBytes.ifPresent(bytes -> Require.atLeast(MEMORY_BYTES, bytes, 1));
        processes.ifPresent(count -> Require.atLeast(PROCESSES, count, 1));
    }

    static ScriptSettings from(Choices choices) {
        return new ScriptSettings(
                choices.value(MODE),
                choices.valueOfUser(PYTHON),
                choices.isOfProject(PYTHON) ? choices.value(PYTHON) : Optional.empty(),
                new Limit<>(choices.value(TIMEOUT), choices.value(TIMEOUT_CEILING)),
                new Limit<>(choices.value(TOOL_CALLS), choices.value(TOOL_CALLS_CEILING)),
                choices.value(STDOUT_BYTES),
                choices.value(STDERR_BYTES),
                choices.value(MEMORY_BYTES),
                choices.value(PROCESSES));
    }

    public ScriptSettings withMode(ScriptMode newMode) {
        return new ScriptSettings(
                newMode, python, pythonInside, timeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withPython(String newPython) {
        Optional<String> own = Optional.of(newPython);
        return new ScriptSettings(
                mode, own, Optional.empty(), timeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withTimeout(Limit<Duration> newTimeout) {
        return new ScriptSettings(
                mode, python, pythonInside, newTimeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withToolCalls(Limit<Integer> newToolCalls) {
        return new ScriptSettings(
                mode, python, pythonInside, timeout, newToolCalls, stdoutBytes, stderrBytes, memoryBytes, processes);
    }

    /// Returns the same settings with other sizes of the output that the model sees.
    public ScriptSettings withOutputBytes(int newStdoutBytes, int newStderrBytes) {
        return new ScriptSettings(
                mode, python, pythonInside, timeout, toolCalls, newStdoutBytes, newStderrBytes, memoryBytes, processes);
    }

    public ScriptSettings withMemoryBytes(long newMemoryBytes) {
        Optional<Long> bytes = Optional.of(newMemoryBytes);
        return new ScriptSettings(
                mode, python, pythonInside, timeout, toolCalls, stdoutBytes, stderrBytes, bytes, processes);
    }

    public ScriptSettings withProcesses(int newProcesses) {
        Optional<Integer> count = Optional.of(newProcesses);
        return new ScriptSettings(
                mode, python, pythonInside, timeout, toolCalls, stdoutBytes, stderrBytes, memoryBytes, count);
    }
}
