package dev.talaria.engine.gate.reading;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The home of the user who runs commands. Rules know it as `~`. They know a folder that somebody has
/// moved elsewhere by its default path.
public final class HomeFolder {
    /// A home that is not known.
    public static final HomeFolder UNKNOWN = new HomeFolder("/home/user", Map.of());

    private final String path;
    private final List<Map.Entry<String, String>> usual; // longest first: folders stand in folders

    /// Describes a home.
    ///
    /// @param path where it really is
    /// @param usual the default path (`~/.config/talaria`) of each folder that is elsewhere, by its
    ///     real path
    public HomeFolder(String path, Map<String, String> usual) {
        this.path = path;
        this.usual = usual.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> -entry.getKey().length()))
                .map(entry -> Map.entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    String path() {
        return path;
    }

    /// Returns a path in the form that rules use.
    String shown(String found) {
        if (found.isEmpty() || found.charAt(0) != '/') {
            return found;
        }
        for (Map.Entry<String, String> entry : usual) {
            if (below(found, entry.getKey())) {
                return entry.getValue() + found.substring(entry.getKey().length());
            }
        }
        return path.length() > 1 && below(found, path) ? "~" + found.substring(path.length()) : found;
    }

    private static boolean below(String found, String folder) {
        return found.startsWith(folder) && (found.length() == folder.length() || found.charAt(folder.length()) == '/');
    }
}
