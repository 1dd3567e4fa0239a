package dev.talaria.engine.output;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Texts that are known to be secret, since we passed them on ourselves. They are masked wherever
/// they appear.
public final class KnownSecrets {
    /// The shortest secret that is masked. A shorter one occurs in every other text, so masking would
    /// tell more than it hides.
    private static final int SHORTEST = 4;

    private final List<String> all = new CopyOnWriteArrayList<>();

    /// Masks this text from now on. A longer secret is masked before a shorter one that is its
    /// beginning.
    public synchronized void add(String secret) {
        if (secret.length() >= SHORTEST && !all.contains(secret)) {
            int at = 0;
            while (at < all.size() && all.get(at).length() >= secret.length()) {
                at++;
            }
            all.add(at, secret);
        }
    }

    /// Returns the text without the secrets.
    String mask(String text, Redactor.Mode mode) {
        String masked = text;
        for (String secret : all) {
            masked = masked.replace(secret, Masks.hidden(mode));
        }
        return masked;
    }

    List<byte[]> bytes() {
        return all.stream()
                .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
