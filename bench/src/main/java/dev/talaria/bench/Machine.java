package dev.talaria.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Collects facts about the machine that a reader needs to understand the numbers.
final class Machine {

    private Machine() {}

    static Map<String, Object> facts(BenchContext context) throws IOException, InterruptedException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        facts.put("cores", Runtime.getRuntime().availableProcessors());
        facts.put("cpu", cpu());
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vendor") + " " + System.getProperty("java.runtime.version"));
        facts.put(
                "python",
                Child.run(List.of(context.python().toString(), "-VV"), context, "")
                        .strip());
        facts.put("pairs", context.pairs());
        facts.put("load_before", load());
        return facts;
    }

    /// Returns how many programs wanted a core in the last minute. If it is more than a few tenths
    /// before the start, other programs distort the numbers.
    static String load() {
        return String.format(
                Locale.ROOT,
                "%.2f",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String cpu() throws IOException {
        return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .orElse(System.getProperty("os.arch"));
    }
}
