package dev.talaria.backends.options;

import dev.talaria.api.SandboxSpec;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Makes names of folders from names that people choose freely.
public final class FolderNames {
    private FolderNames() {}

    /// Returns the name of the session that a sandbox is for.
    public static String session(SandboxSpec spec) {
        return spec.labels().getOrDefault("talaria.session", "default");
    }

    /// Returns a name that no other text has: the text itself if that is a valid name.
    public static String of(String text) {
        String plain = text.replaceAll("[^A-Za-z0-9_.-]", "_");
        boolean same = plain.equals(text) && !plain.startsWith(".") && plain.length() <= 100 && !plain.isEmpty();
        return same
                ? plain
                : plain.substring(0, Math.min(40, plain.length())).replaceFirst("^\\.", "_") + "-"
                        + UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
