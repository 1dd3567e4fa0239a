package dev.talaria.engine.gate;

import dev.talaria.engine.gate.reading.ShellContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// Tracks the values that earlier commands of a session may have exported. The gate cannot know
/// whether a shell got to its end: a killed shell exports nothing. So a variable may have any value
/// that it was given, or none.
final class SessionExports {
    private static final int MOST_VALUES = 4; // with more values of a variable, it is unknown
    private static final int MOST_WAYS = 16;

    /// Names that no shell of a session exports to the next one; the relay has the same list.
    private static final Pattern NEVER = Pattern.compile("(?:HERMES_RPC_|BASH_|TALARIA_|SUDO_ASKPASS).*|"
            + "PWD|OLDPWD|SHLVL|_|SHELLOPTS|BASHOPTS|PPID|E?UID|IFS|LINENO|RANDOM");

    private final Map<String, Map<String, Set<String>>> sessions = new ConcurrentHashMap<>();

    /// Notes the exports of a command that is about to run.
    void add(String session, Map<String, String> values) {
        if (!values.isEmpty()) {
            sessions.merge(session, sets(values), SessionExports::union);
        }
    }

    private static Map<String, Set<String>> sets(Map<String, String> values) {
        Map<String, Set<String>> sets = new HashMap<>();
        values.forEach((name, value) -> {
            if (!NEVER.matcher(name).matches()) {
                sets.put(name, Set.of(value));
            }
        });
        return Map.copyOf(sets);
    }

    private static Map<String, Set<String>> union(Map<String, Set<String>> one, Map<String, Set<String>> other) {
        Map<String, Set<String>> all = new HashMap<>(one);
        other.forEach((name, values) -> all.merge(name, values, SessionExports::both));
        return Map.copyOf(all);
    }

    /// Returns the values of both sets. The last one is the most likely.
    private static Set<String> both(Set<String> one, Set<String> other) {
        Set<String> all = new LinkedHashSet<>(one);
        all.removeAll(other);
        all.addAll(other);
        return all.size() > MOST_VALUES ? Set.of(ShellContext.UNTOLD) : all;
    }

    private Map<String, Set<String>> of(String session) {
        return sessions.getOrDefault(session, Map.of());
    }

    /// Returns everything that a session may have exported, to compare it with another time.
    Map<String, String> told(String session) {
        Map<String, String> all = new HashMap<>();
        of(session).forEach((name, values) -> all.put(name, String.join("\0", values)));
        return all;
    }

    /// Returns the sets of variables that a text may find, as far as they matter to it: with all
    /// exports, with none, and with each possible value of the variables that it names.
    List<Map<String, String>> ways(String session, String text) {
        Map<String, Set<String>> known = of(session);
        if (known.isEmpty()) {
            return List.of(Map.of());
        }
        Map<String, String> last = new HashMap<>();
        known.forEach((name, values) -> last.put(name, List.copyOf(values).getLast()));
        Map<String, Set<String>> used = used(known, text);
        if (used.isEmpty()) {
            return List.of(last, Map.of());
        }
        long count = used.values().stream()
                .mapToLong(values -> values.size() + 1)
                .reduce(1, (one, other) -> Math.min(one * other, 2L * MOST_WAYS));
        return count <= MOST_WAYS ? all(last, used) : List.of(last, unknown(last, used), Map.of());
    }

    private static List<Map<String, String>> all(Map<String, String> last, Map<String, Set<String>> used) {
        List<Map<String, String>> ways = new ArrayList<>(List.of(last));
        used.forEach((name, values) -> {
            List<Map<String, String>> more = new ArrayList<>();
            for (Map<String, String> way : ways) {
                more.add(without(way, name));
                values.forEach(value -> more.add(with(way, name, value)));
            }
            ways.clear();
            ways.addAll(more.reversed());
        });
        ways.add(Map.of());
        return ways;
    }

    private static Map<String, String> unknown(Map<String, String> last, Map<String, Set<String>> used) {
        Map<String, String> way = new HashMap<>(last);
        used.keySet().forEach(name -> way.put(name, ShellContext.UNTOLD));
        return way;
    }

    private static Map<String, String> with(Map<String, String> way, String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(way);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> way, String name) {
        Map<String, String> changed = new LinkedHashMap<>(way);
        changed.remove(name);
        return changed;
    }

    /// Returns the variables that a text names, and those that their values name.
    private static Map<String, Set<String>> used(Map<String, Set<String>> known, String text) {
        Map<String, Set<String>> used = new TreeMap<>();
        StringBuilder all = new StringBuilder(text);
        int before = -1;
        while (used.size() > before) {
            before = used.size();
            known.forEach((name, values) -> {
                if (!used.containsKey(name) && all.indexOf(name) >= 0) {
                    used.put(name, values);
                    values.forEach(value -> all.append('\n').append(value));
                }
            });
        }
        return used;
    }
}
