package dev.talaria.engine.copy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Reads a tar archive as it arrives, in pieces of any size: ustar with the long names of POSIX and GNU.
final class TarReader {
    static final int BLOCK = 512;
    private static final byte[] END = new byte[BLOCK];
    private static final int MOST_EXTRA = 1 << 20;
    private static final Set<String> EXTRAS = Set.of("path", "linkpath", "size"); // the other keys are ignored

    /// Receives the entries of an archive.
    interface Handler {
        void begin(TarEntry entry);

        void data(ByteBuffer part);

        void end();
    }

    private final Handler handler;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);
    private final Map<String, String> extra = new HashMap<>(); // the extended header of the next entry
    private final ByteArrayOutputStream extraText = new ByteArrayOutputStream();
    private byte extraKind;
    private boolean inEntry;
    private long left; // the bytes of the entry that are still to come
    private int padding; // bytes to skip after them
    private boolean over;

    TarReader(Handler handler) {
        this.handler = handler;
    }

    /// Returns whether the end of the archive was read.
    boolean over() {
        return over;
    }

    /// Takes the next bytes.
    ///
    /// @throws IllegalArgumentException if the bytes are not a tar archive
    void accept(ByteBuffer bytes) {
        while (bytes.hasRemaining() && !over) {
            if (left > 0) {
                int count = (int) Math.min(left, bytes.remaining());
                ByteBuffer part = bytes.slice(bytes.position(), count);
                bytes.position(bytes.position() + count);
                left -= count;
                part(part);
            } else if (padding > 0) {
                int count = Math.min(padding, bytes.remaining());
                bytes.position(bytes.position() + count);
                padding -= count;
            } else {
                int count = Math.min(block.remaining(), bytes.remaining());
                block.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                if (!block.hasRemaining()) {
                    header(block.array());
                    block.clear();
                }
            }
        }
    }

    private void part(ByteBuffer part) {
        if (inEntry) {
            handler.data(part);
        } else {
            byte[] text = new byte[part.remaining()];
            part.get(text);
            extraText.writeBytes(text);
        }
        if (left == 0) {
            finish();
        }
    }

    private void finish() {
        if (inEntry) {
            handler.end();
        } else {
            switch (extraKind) {
                case 'x' -> pax(extraText.toByteArray());
                case 'L' -> extra.put("path", text(extraText.toByteArray(), 0, extraText.size()));
                case 'K' -> extra.put("linkpath", text(extraText.toByteArray(), 0, extraText.size()));
                default -> {} // 'g': global headers are ignored
            }
            extraText.reset();
        }
        inEntry = false;
    }

    private void header(byte[] header) {
        if (Arrays.equals(header, END)) {
            over = true;
            return;
        }
        check(header);
        byte kind = header[156];
        long size = number(header, 124, 12);
        if (kind == 'x' || kind == 'g' || kind == 'L' || kind == 'K') {
            if (size > MOST_EXTRA) {
                throw new IllegalArgumentException("a name of " + size + " bytes");
            }
            extraKind = kind;
            expect(size);
            return;
        }
        size = extra.containsKey("size") ? Long.parseLong(extra.getOrDefault("size", "")) : size;
        boolean file = kind == '0' || kind == 0 || kind == '7';
        String prefix = text(header, 345, 155);
        String name = extra.getOrDefault("path", (prefix.isEmpty() ? "" : prefix + "/") + text(header, 0, 100));
        TarEntry.Kind what = switch (kind) {
            case '0', 0, '7' -> name.endsWith("/") ? TarEntry.Kind.FOLDER : TarEntry.Kind.FILE;
            case '5' -> TarEntry.Kind.FOLDER;
            case '2' -> TarEntry.Kind.LINK;
            default -> TarEntry.Kind.OTHER;
        };
        handler.begin(new TarEntry(
                name,
                what,
                file ? size : 0,
                (int) number(header, 100, 8) & 0777,
                number(header, 136, 12),
                extra.getOrDefault("linkpath", text(header, 157, 100))));
        extra.clear();
        inEntry = true;
        expect(file ? size : 0);
    }

    private void expect(long size) {
        if (size < 0) {
            throw new IllegalArgumentException("a negative size");
        }
        left = size;
        padding = (int) ((BLOCK - size % BLOCK) % BLOCK);
        if (size == 0) {
            finish();
        }
    }

    /// Reads an extended header: lines of `LENGTH KEY=VALUE`.
    private void pax(byte[] text) {
        int at = 0;
        while (at < text.length) {
            int space = at;
            while (space < text.length && text[space] != ' ') {
                space++;
            }
            int length = Integer.parseInt(new String(text, at, space - at, StandardCharsets.US_ASCII));
            if (length <= space - at + 1 || at + length > text.length) {
                throw new IllegalArgumentException("a wrong extended header");
            }
            String line = new String(text, space + 1, at + length - space - 2, StandardCharsets.UTF_8);
            int equals = line.indexOf('=');
            if (equals > 0 && EXTRAS.contains(line.substring(0, equals))) {
                extra.put(line.substring(0, equals), line.substring(equals + 1));
            }
            at += length;
        }
    }

    private static void check(byte[] header) {
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
        }
        if (sum != number(header, 148, 8)) {
            throw new IllegalArgumentException("no tar archive");
        }
    }

    private static String text(byte[] header, int from, int length) {
        int end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, StandardCharsets.UTF_8);
    }

    private static long number(byte[] header, int from, int length) {
        if ((header[from] & 0x80) != 0) { // GNU's form for sizes over 8 GiB
            long value = 0;
            for (int i = from + Math.max(1, length - 8); i < from + length; i++) {
                value = (value << 8) | (header[i] & 0xff);
            }
            return value;
        }
        long value = 0;
        for (int i = from; i < from + length; i++) {
            if (header[i] >= '0' && header[i] <= '7') {
                value = value * 8 + header[i] - '0';
            } else if (header[i] != ' ' && header[i] != 0) {
                throw new IllegalArgumentException("a wrong number");
            }
        }
        return value;
    }
}
