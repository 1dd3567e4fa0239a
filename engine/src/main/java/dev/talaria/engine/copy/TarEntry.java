package dev.talaria.engine.copy;

/// One thing in a tar archive, as the archive says it.
///
/// @param name path inside the archive; nobody has checked it
/// @param size how many bytes follow
/// @param mode permission bits
/// @param time when it was changed, in seconds since 1970
/// @param link where a link leads, empty for anything else
record TarEntry(String name, Kind kind, long size, int mode, long time, String link) {

    enum Kind {
        FILE,
        FOLDER,
        LINK,
        /// A hard link, a device, a pipe or what nobody knows.
        OTHER
    }
}
