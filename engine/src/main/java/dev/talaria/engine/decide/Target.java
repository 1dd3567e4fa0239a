package dev.talaria.engine.decide;

import java.util.List;
import java.util.stream.Stream;

/// The file that a call would change, found where it would be changed. It stays the same file until the call has ended:
/// what was judged is what is changed, or nothing is.
public interface Target {

    /// Returns the path that is really changed, without a link in it.
    String path();

    /// Returns the home folders of whoever changes it, likewise.
    List<String> homes();

    /// Returns the path in the forms that rules are written in: from the home folder (`~`), if it is there, and from
    /// the root.
    default List<String> names() {
        String path = path();
        Stream<String> fromHome = homes().stream()
                .filter(home -> home.length() > 1 && path.startsWith(home + "/"))
                .map(home -> "~" + path.substring(home.length()));
        return Stream.concat(fromHome, Stream.of(path)).distinct().toList();
    }
}
