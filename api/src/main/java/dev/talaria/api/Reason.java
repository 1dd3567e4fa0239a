package dev.talaria.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.util.Locale;
import java.util.Optional;

/// Describes why something failed. Java's own messages often consist of a file name alone, or are missing.
public final class Reason {
    private Reason() {}

    /// Returns the reason in a few words, with the file's name if there is one; never empty.
    public static String of(Throwable e) {
        return switch (e) {
            case UncheckedIOException unchecked when unchecked.getCause() != null -> of(unchecked.getCause());
            case FileSystemException about ->
                Optional.ofNullable(about.getFile()).map(file -> file + ": ").orElse("") + why(about);
            case IOException plain -> said(plain).orElseGet(() -> kind(plain));
            default -> said(e).map(text -> kind(e) + ": " + text).orElseGet(() -> kind(e));
        };
    }

    private static String why(FileSystemException e) {
        String standard = switch (e) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "it is there already";
            case NotDirectoryException _ -> "it is no folder";
            case DirectoryNotEmptyException _ -> "the folder is not empty";
            case FileSystemLoopException _ -> "its links lead in a circle";
            case NotLinkException _ -> "it is no link";
            default -> kind(e);
        };
        return Optional.ofNullable(e.getReason())
                .filter(text -> !text.isBlank())
                .map(String::strip)
                .orElse(standard);
    }

    private static Optional<String> said(Throwable e) {
        return Optional.ofNullable(e.getMessage()).map(String::strip).filter(text -> !text.isEmpty());
    }

    /// Returns `closed channel` for a `ClosedChannelException`.
    private static String kind(Throwable e) {
        return e.getClass()
                .getSimpleName()
                .replaceFirst("(Exception|Error)$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT)
                .replaceFirst("^$", "unknown reason")
                .replaceFirst("^io$", "input or output failed");
    }
}
