package dev.talaria.engine.toolcalls;

import java.io.IOException;
import java.nio.channels.Channel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open connections of scripts. Their number is limited for each session, so that none takes all,
/// and in total. Only the first request shows which session a connection belongs to. When there are
/// too many, the oldest connection without a request is closed.
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final int most;
    private final int mostEach;
    private final Set<Channel> strangers = new LinkedHashSet<>(); // this and below: guarded by this
    private final Map<Channel, String> known = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    Connections(int most, int mostEach) {
        this.most = most;
        this.mostEach = mostEach;
    }

    /// Adds a connection. Returns false if there is no room.
    synchronized boolean add(Channel channel) {
        if (strangers.size() + known.size() >= most) {
            Iterator<Channel> oldest = strangers.iterator();
            if (!oldest.hasNext()) {
                return false;
            }
            close(oldest.next());
            oldest.remove();
        }
        return strangers.add(channel);
    }

    static void close(Channel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closing a script's connection", e);
        }
    }

    /// Notes the session of a connection. Returns false if that session has too many, or if the
    /// connection was closed meanwhile.
    synchronized boolean claim(Channel channel, String session) {
        if (known.containsKey(channel)) {
            return true; // two requests came at once
        }
        if (counts.getOrDefault(session, 0) >= mostEach || !strangers.remove(channel)) {
            return false;
        }
        known.put(channel, session);
        counts.merge(session, 1, Integer::sum);
        return true;
    }

    synchronized void remove(Channel channel) {
        strangers.remove(channel);
        String session = known.remove(channel);
        if (session != null) {
            counts.computeIfPresent(session, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    synchronized List<Channel> all() {
        List<Channel> all = new ArrayList<>(strangers);
        all.addAll(known.keySet());
        return all;
    }
}
