package dev.talaria.engine.tool.process;

import dev.talaria.engine.json.JsonFields;
import dev.talaria.engine.util.StateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Remembers which notices of a process were sent. For a surviving process the state is on disk: an engine that
/// finds the process again continues from there, so no notice is sent twice and none is left out.
final class NoticeState {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeState.class);

    private final Optional<Path> file;
    private long watched; // this and below: guarded by this; bytes of output whose matches were reported
    private int matches;
    private boolean watchOver;
    private long beaten; // bytes of output that heartbeats have shown
    private int beats;
    private boolean end;
    private int expected; // this and the next: in memory only
    private boolean claimed;

    private NoticeState() {
        this.file = Optional.empty();
    }

    private NoticeState(Path file) {
        this.file = Optional.of(file);
    }

    /// Returns the state of a process that ends with this engine.
    static NoticeState nothing() {
        return new NoticeState();
    }

    /// Reads the state that an earlier engine left.
    static NoticeState in(Path folder) {
        Path file = folder.resolve("told.json");
        NoticeState told = new NoticeState(file);
        try {
            Map<String, Object> fields = StateFile.read(file);
            told.watched = JsonFields.longNumber(fields, "watched").orElse(0);
            told.matches = JsonFields.number(fields, "matches").orElse(0);
            told.watchOver = JsonFields.isTrue(fields, "watch_over");
            told.beaten = JsonFields.longNumber(fields, "beaten").orElse(0);
            told.beats = JsonFields.number(fields, "beats").orElse(0);
            told.end = JsonFields.isTrue(fields, "end");
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("Nothing was told yet: {}", file);
        }
        return told;
    }

    synchronized long watched() {
        return watched;
    }

    synchronized int matches() {
        return matches;
    }

    synchronized boolean watchOver() {
        return watchOver;
    }

    synchronized long beaten() {
        return beaten;
    }

    synchronized int beats() {
        return beats;
    }

    synchronized boolean end() {
        return end;
    }

    /// Notes that a match was reported. The output up to `position` need not be searched again.
    synchronized void match(long position) {
        watched = Math.max(watched, position);
        matches++;
        write();
    }

    synchronized void noMoreMatches() {
        watchOver = true;
        write();
    }

    synchronized void beat(int number, long position) {
        beats = Math.max(beats, number);
        beaten = Math.max(beaten, position);
        write();
    }

    /// Notes that a caller waits for the end, and will learn of it in its result.
    synchronized void expect() {
        expected++;
    }

    synchronized void expectNoMore() {
        expected--;
    }

    /// Returns whether the caller must send the notice of the end: nobody has seen the end, waits for it or has
    /// claimed the notice before.
    synchronized boolean claimEnd() {
        boolean mine = !end && !claimed && expected == 0;
        claimed |= mine;
        return mine;
    }

    synchronized void ended() {
        if (!end) {
            end = true;
            write();
        }
    }

    private void write() {
        if (file.isEmpty()) {
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("watched", watched);
        fields.put("matches", matches);
        fields.put("watch_over", watchOver);
        fields.put("beaten", beaten);
        fields.put("beats", beats);
        fields.put("end", end);
        try {
            StateFile.write(file.get(), fields);
        } catch (IOException e) {
            LOG.debug("It may be told again: {}", file.get(), e); // usually the folder was removed
        }
    }
}
