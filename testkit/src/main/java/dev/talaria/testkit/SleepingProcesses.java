package dev.talaria.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/// Processes that sleep for very long. This machine's process list shows them even if they run in a sandbox of the
/// testbed.
public final class SleepingProcesses {
    private final String seconds = String.valueOf(ThreadLocalRandom.current().nextLong(1_000_000_000L, 9_000_000_000L));

    public String command() {
        return "sleep " + seconds;
    }

    public long living() {
        return ProcessHandle.allProcesses()
                .filter(process -> commandLine(process.pid()).equals("sleep\0" + seconds + "\0"))
                .count();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it ended while we were looking
        }
    }
}
