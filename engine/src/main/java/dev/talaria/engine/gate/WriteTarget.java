package dev.talaria.engine.gate;

import java.util.List;

/// The file that a call would change, resolved where it would be changed. It stays the same file
/// until the call has ended: the call changes the judged file, or nothing.
public interface WriteTarget {

    /// Returns the path that is really changed, without links.
    String path();

    /// Returns the home folders of the user who changes it, without links.
    List<String> homes();

    /// Returns the path in the form that rules use: from the home folder (`~`) if it lies below one,
    /// else from the root.
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
