package dev.talaria.engine.tool.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.job.Exit;
import dev.talaria.engine.shell.ForegroundAdvice;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What results say about exit codes, failures and what belongs into the background.
final class AdviceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "grep x f               ! 1   ! Nothing matched",
                "cat f | grep x         ! 1   ! Nothing matched",
                "cd d && /usr/bin/diff a b ! 1 ! differ",
                "X=1 rg y               ! 1   ! Nothing matched",
                "[ -f x ]               ! 1   ! condition",
                "curl -s u              ! 22  ! HTTP",
                "git diff --exit-code   ! 1   ! git",
                "make                   ! 137 ! Usually",
                "make                   ! 141 ! SIGPIPE",
            })
    void exitCodesThatNeedAWord(String command, int code, String word) {
        assertThat(ExitMeaning.of(command.strip(), exited(code)).orElse("")).contains(word);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {"grep x f ! 2", "make ! 1", "make ! 130", "make ! 129", "grep x f; make ! 1", "true ! 0"})
    void exitCodesThatDoNot(String command, int code) {
        assertThat(ExitMeaning.of(command, exited(code))).isEmpty();
    }

    @Test
    void aSignalIsDefinite() {
        assertThat(ExitMeaning.of("make", killed(9)).orElse("")).startsWith("Killed by signal 9");
        assertThat(ExitMeaning.of("make", killed(64)).orElse("")).contains("64");
        assertThat(ExitMeaning.of("make", killed(2))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "bash: line 1: python: command not found ! 127 ! python3",
                "sh: 1: frob: not found                  ! 127 ! frob",
                "/bin/sh: frob: not found                ! 127 ! frob",
                "./run.sh: 3: frob: not found            ! 127 ! frob",
                "Unknown JSON field: \"nope\"            ! 1   ! gh",
                "ModuleNotFoundError: No module named 'requests' ! 1 ! requests",
                "fatal: destination path 'x' already exists      ! 128 ! 'x'",
                "mkdir: Permission denied                ! 1   ! ls -l",
                "CONFLICT (content): Merge conflict      ! 1   ! resolve",
                "nothing known                           ! 126 ! chmod",
                "nothing known                           ! 124 ! timeout",
            })
    void failuresThatHaveAWayOut(String output, int code, String word) {
        assertThat(RecoveryAdvice.hint(output.strip(), code).orElse("")).contains(word);
    }

    @Test
    void otherFailuresGetNoAdvice() {
        assertThat(RecoveryAdvice.hint("something else", 1)).isEmpty();
        assertThat(RecoveryAdvice.hint("HTTP 404: not found", 1)).isEmpty();
        assertThat(RecoveryAdvice.hint("x".repeat(5000) + "Permission denied", 1))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nohup make",
                "cd x && setsid y",
                "sleep 5 &",
                "a & b",
                "sleep 9 & # later",
                "npm run dev",
                "python3 -m http.server 8000",
                "docker compose up",
            })
    void whatBelongsIntoTheBackground(String command) {
        assertThat(ForegroundAdvice.of(command, true).orElse("")).contains("background=true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'a & b'",
                "echo \"npm run dev\"",
                "a && b",
                "make 2>&1",
                "uvicorn --help",
                "cat > f <<'X'\nserver & more\nX",
                "npm run build",
            })
    void whatDoesNot(String command) {
        assertThat(ForegroundAdvice.of(command, true)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"grep -rn vite .", "pip install uvicorn fastapi", "npm run dev"})
    void whatEndedByItselfIsNoServer(String command) {
        assertThat(ForegroundAdvice.of(command, false)).isEmpty();
    }

    @Test
    void failuresBehindAPipe() {
        String failed = "make: *** [all] Error 1\n";
        assertThat(MaskedFailure.warning("make | tail -5", failed).orElse("")).contains("pipe");
        assertThat(MaskedFailure.warning("make || true", failed).orElse("")).contains("||");
        assertThat(MaskedFailure.warning("make", failed)).isEmpty();
        assertThat(MaskedFailure.warning("grep Error log | head", failed)).isEmpty();
        assertThat(MaskedFailure.warning("make | tail -5", "all good\n")).isEmpty();
    }

    @Test
    void blankLinesAroundOutputGoAndIndentationStays() {
        assertThat(TerminalReport.trimmed("hi\n")).isEqualTo("hi");
        assertThat(TerminalReport.trimmed("\n \n M one\n?? two\n\n")).isEqualTo(" M one\n?? two");
        assertThat(TerminalReport.trimmed("\n[Command timed out after 1s]")).isEqualTo("[Command timed out after 1s]");
        assertThat(TerminalReport.trimmed(" \n\t")).isEmpty();
        assertThat(TerminalReport.trimmed("")).isEmpty();
    }

    private static Exit exited(int code) {
        return Exit.of(Map.of("code", code));
    }

    private static Exit killed(int signal) {
        return Exit.of(Map.of("signal", signal));
    }
}
