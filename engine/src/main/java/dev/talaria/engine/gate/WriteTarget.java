package dev.talaria.engine.gate;

import java.util.List;

/// The file that a call would change, found where it would be changed. It stays the same file until the call has ended:
/// what was judged is what is changed, or nothing is.
public interface WriteTarget {

    /// Returns the path that is really changed, without a link in it.
    String path();

    /// Returns the home folders of whoever changes it, likewise.
    List<String> homes();

    /// Returns the path as rules are written: from the home folder (`~`) if it is below one, else from the root.
    default List<String> names() {
        String path = path();
        List<String> fromHome = homes().stream()
                .filter(home -> home.length() > 1 && path.startsWith(home + "/"))
                .map(home -> "~" + path.substring(home.length()))
                .distinct()
                .toList();
        return fromHome.isEmpty() ? List.of(path) : fromHome;
    }
}
