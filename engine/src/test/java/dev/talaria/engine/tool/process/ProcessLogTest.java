package dev.talaria.engine.tool.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.output.Redactor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessLogTest {
    private static final int LINE = 100;

    @TempDir
    private Path folder;

    private static void write(LogFile log, long from, long to) {
        StringBuilder text = new StringBuilder();
        for (long i = from; i < to; i++) {
            text.append("%099d\n".formatted(i));
        }
        log.accept(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)));
    }

    private static ProcessLog.Page page(ProcessLog log, long offset, int limit) {
        return log.page(offset, limit, Redactor.on(), Redactor.Mode.CODE);
    }

    private static long number(String line) {
        return Long.parseLong(line);
    }

    @Test
    void linesKeepTheirNumbersWhenTheOldestAreDropped() {
        try (LogFile file = new LogFile(folder.resolve("log"))) {
            long lines = 3 * LogFile.HALF / LINE;
            for (long i = 0; i < lines; i += 1000) {
                write(file, i, Math.min(lines, i + 1000));
            }
            ProcessLog log = new ProcessLog(folder.resolve("log"));

            ProcessLog.Page head = page(log, 0, 2);
            ProcessLog.Page last = log.lastPage(3, Redactor.on(), Redactor.Mode.CODE);

            assertThat(head.dropped()).isPositive().isEqualTo(head.first());
            assertThat(number(head.lines().getFirst())).isEqualTo(head.first());
            assertThat(head.total()).isEqualTo(lines);
            assertThat(last.lines()).hasSize(3);
            assertThat(number(last.lines().getLast())).isEqualTo(lines - 1);
            assertThat(page(log, lines - 5, 1).lines())
                    .singleElement()
                    .satisfies(line -> assertThat(number(line)).isEqualTo(lines - 5));
            assertThat(page(log, lines + 5, 1).lines()).isEmpty();
        }
    }

    @Test
    void whatIsPrintedWithoutEndIsKeptAcrossBothFiles() {
        try (LogFile file = new LogFile(folder.resolve("log"))) {
            ByteBuffer spin = ByteBuffer.wrap("x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 9; i++) {
                file.accept(spin.duplicate());
            }
            assertThat(new ProcessLog(folder.resolve("log")).last(20 << 20)).hasSize(9 << 20);
        }
    }

    @Test
    void aLogThatNobodyHasWrittenIsEmpty() throws Exception {
        Path log = folder.resolve("log");
        assertThat(page(new ProcessLog(log), 0, 5).lines()).isEmpty();

        Files.createFile(log);

        assertThat(page(new ProcessLog(log), 0, 5).total()).isZero();
    }
}
