package dev.talaria.engine.output;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Texts that we know to be secret, since we handed them out ourselves. They are masked wherever they show.
public final class KnownSecrets {
    /// A shorter one is found in every other text, which would tell more than it hides.
    private static final int SHORTEST = 4;

    private final List<String> all = new CopyOnWriteArrayList<>();

    /// Masks this text from now on. A longer secret is masked before one that is its beginning.
    public synchronized void add(String secret) {
        if (secret.length() >= SHORTEST && !all.contains(secret)) {
            int at = 0;
            while (at < all.size() && all.get(at).length() >= secret.length()) {
                at++;
            }
            all.add(at, secret);
        }
    }

    /// Returns the text without what is secret.
    String mask(String text, Redactor.Mode mode) {
        String masked = text;
        for (String secret : all) {
            masked = masked.replace(secret, mode.isFile() ? Masks.sentinel("") : Masks.STARS);
        }
        return masked;
    }

    List<byte[]> bytes() {
        return all.stream()
                .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
