package dev.talaria.engine.output;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Masks known secrets in a stream before any part of it is stored, however the stream is split into
/// pieces.
public final class SecretFilter {
    private static final byte[] MASK = Masks.STARS.getBytes(StandardCharsets.UTF_8);

    private final KnownSecrets secrets;
    private final Consumer<ByteBuffer> target;
    private byte[] held = {}; // guarded by this; a possible beginning of a secret

    public SecretFilter(KnownSecrets secrets, Consumer<ByteBuffer> target) {
        this.secrets = secrets;
        this.target = target;
    }

    public synchronized void accept(ByteBuffer chunk) {
        List<byte[]> hidden = secrets.bytes();
        if (hidden.isEmpty()) {
            target.accept(chunk);
            return;
        }
        byte[] text = new byte[held.length + chunk.remaining()];
        System.arraycopy(held, 0, text, 0, held.length);
        chunk.get(text, held.length, chunk.remaining());
        pass(text, hidden, false);
    }

    /// Passes on the masked text. Holds back a possible beginning of a secret unless the stream is
    /// over.
    private void pass(byte[] text, List<byte[]> hidden, boolean over) {
        ByteArrayOutputStream shown = new ByteArrayOutputStream(text.length);
        int at = 0;
        int from = 0; // the begin of the part that is not yet shown
        while (at < text.length) {
            int found = matching(text, at, hidden, over);
            if (found < 0) {
                break;
            }
            if (found > 0) {
                shown.write(text, from, at - from);
                shown.writeBytes(MASK);
                from = at + found;
            }
            at += Math.max(1, found);
        }
        shown.write(text, from, at - from);
        held = Arrays.copyOfRange(text, at, text.length);
        if (shown.size() > 0) {
            target.accept(ByteBuffer.wrap(shown.toByteArray()));
        }
    }

    /// Ends the stream: passes on the part that was held back.
    public synchronized void finish() {
        if (held.length > 0) {
            pass(held, secrets.bytes(), true);
        }
    }

    /// Returns the length of the longest secret that begins at `at`; 0 if none does; -1 if one may,
    /// but the text ends too early.
    private static int matching(byte[] text, int at, List<byte[]> hidden, boolean over) {
        for (byte[] secret : hidden) {
            int length = Math.min(secret.length, text.length - at);
            boolean begins = text[at] == secret[0] && Arrays.equals(text, at, at + length, secret, 0, length);
            if (begins && length == secret.length) {
                return length;
            }
            if (begins && !over) {
                return -1;
            }
        }
        return 0;
    }
}
