package dev.talaria.engine.copy;

/// The header of one entry in a tar archive.
///
/// @param name the path inside the archive; it is not checked
/// @param size the number of bytes that follow
/// @param mode the permission bits
/// @param time the time of the last change, in seconds since 1970
/// @param link the target of a link; empty for anything else
record TarEntry(String name, Kind kind, long size, int mode, long time, String link) {

    enum Kind {
        FILE,
        FOLDER,
        LINK,
        /// A hard link, a device, a pipe or an unknown kind.
        OTHER
    }
}
