package dev.talaria.engine.sandbox;

import dev.talaria.api.Backend;
import dev.talaria.api.Usage;
import dev.talaria.engine.util.Waits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks sandboxes of any Talaria for the memory and disk space they use, all at once and for a limited time.
public final class SandboxUsages {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxUsages.class);

    private SandboxUsages() {}

    /// Returns the usage of each sandbox by its id; unknown for one that did not answer in time.
    ///
    /// @param backends finds a backend by its name
    /// @param limit how long to wait for answers
    public static Map<String, Usage> of(
            List<SandboxRecord> records, Function<String, Optional<Backend>> backends, Duration limit) {
        Map<String, Usage> answers = new ConcurrentHashMap<>();
        // platform: asking may read a client's pipe, which blocks a carrier
        List<Thread> asked = records.stream()
                .map(record ->
                        Thread.ofPlatform().daemon().name("sandbox-usage").start(() -> ask(record, backends, answers)))
                .toList();
        Waits.untilEnd(asked, limit);
        Map<String, Usage> inTime = Map.copyOf(answers);
        asked.forEach(Thread::interrupt); // ends the clients that did not answer in time
        Map<String, Usage> known = new LinkedHashMap<>();
        records.forEach(record -> known.put(record.id(), inTime.getOrDefault(record.id(), Usage.UNKNOWN)));
        return known;
    }

    private static void ask(
            SandboxRecord record, Function<String, Optional<Backend>> backends, Map<String, Usage> answers) {
        try {
            backends.apply(record.backend())
                    .ifPresent(backend -> answers.put(record.id(), backend.usage(record.spec())));
        } catch (RuntimeException e) { // whatever a backend throws, the others are listed
            LOG.debug("What sandbox {} takes up is not known", record.id(), e);
        }
    }
}
