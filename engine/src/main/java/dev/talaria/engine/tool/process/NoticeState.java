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

/// What has been told of a process. For one that outlives us it is on disk: whoever finds the process again goes on
/// from there, so that nothing is told twice and nothing is left out.
final class NoticeState {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeState.class);

    private final Optional<Path> file;
    private long watched; // this and below: guarded by this; bytes of output whose matches have been told
    private int matches;
    private boolean watchOver;
    private long beaten; // bytes of output that heartbeats have shown
    private int beats;
    private boolean end;
    private int expected; // this and the next: only while we are here
    private boolean claimed;

    private NoticeState() {
        this.file = Optional.empty();
    }

    private NoticeState(Path file) {
        this.file = Optional.of(file);
    }

    /// For a process that ends with us.
    static NoticeState nothing() {
        return new NoticeState();
    }

    /// Reads what was told of a process by whoever showed it before.
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

    /// A match was told; what was printed up to `position` need not be looked at again.
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

    /// Somebody waits for the end and will hear of it by that.
    synchronized void expect() {
        expected++;
    }

    synchronized void expectNoMore() {
        expected--;
    }

    /// Returns whether the end is to be told: if nobody has seen it, waits for it or has been told to tell it. Whoever
    /// gets a yes has to.
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
            LOG.debug("It may be told again: {}", file.get(), e); // its folder was removed, as a rule
        }
    }
}
