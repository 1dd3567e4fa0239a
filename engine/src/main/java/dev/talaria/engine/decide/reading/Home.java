package dev.talaria.engine.decide.reading;

import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The home of whoever runs commands. Rules know it as `~`, and folders that somebody has put elsewhere by the place
/// where they are by default.
///
/// @param path where it really is
/// @param usual by folders that are elsewhere, where those would be by default (`~/.config/talaria`)
public record Home(String path, Map<String, String> usual) {

    /// A home of which nothing is known.
    public static final Home UNKNOWN = new Home("/home/user", Map.of());

    public Home {
        usual = Map.copyOf(usual);
    }

    /// Returns a path as rules know it.
    public String shown(String found) {
        List<Map.Entry<String, String>> longestFirst = usual.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> -entry.getKey().length()))
                .toList();
        for (Map.Entry<String, String> entry : longestFirst) {
            if (below(found, entry.getKey())) {
                return entry.getValue() + found.substring(entry.getKey().length());
            }
        }
        return path.length() > 1 && below(found, path) ? "~" + found.substring(path.length()) : found;
    }

    private static boolean below(String found, String folder) {
        return found.equals(folder) || found.startsWith(folder + "/");
    }
}
