package dev.talaria.engine.copy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Writes a tar archive: ustar, with extended headers of POSIX for values that do not fit.
final class TarWriter implements AutoCloseable {
    private static final long MOST_OCTAL = (1L << 33) - 1;
    private static final int LONGEST_NAME = 100;

    private final OutputStream out;
    private final byte[] buffer = new byte[1 << 18];

    TarWriter(OutputStream out) {
        this.out = out;
    }

    /// Writes an entry without content.
    void add(TarEntry entry) throws IOException {
        extended(entry);
        out.write(header(entry, type(entry), entry.size(), entry.name()));
    }

    /// Writes a file with exactly as many bytes as its entry says. If the source is shorter, zeros follow.
    ///
    /// @return whether the source had enough bytes
    boolean add(TarEntry entry, InputStream source) throws IOException {
        add(entry);
        long left = entry.size();
        boolean whole = true;
        while (left > 0) {
            int count = source.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                whole = false;
                count = (int) Math.min(left, buffer.length);
                Arrays.fill(buffer, 0, count, (byte) 0);
            }
            out.write(buffer, 0, count);
            left -= count;
        }
        pad(entry.size());
        return whole;
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) ((TarReader.BLOCK - size % TarReader.BLOCK) % TarReader.BLOCK)]);
    }

    private void extended(TarEntry entry) throws IOException {
        Map<String, String> more = new LinkedHashMap<>();
        if (!fits(entry.name())) {
            more.put("path", entry.name());
        }
        if (!fits(entry.link())) {
            more.put("linkpath", entry.link());
        }
        if (entry.size() > MOST_OCTAL) {
            more.put("size", String.valueOf(entry.size()));
        }
        if (more.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        more.forEach((key, value) -> text.append(line(key, value)));
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        out.write(header(entry, (byte) 'x', bytes.length, "PaxHeader"));
        out.write(bytes);
        pad(bytes.length);
    }

    private static boolean fits(String name) {
        return name.length() <= LONGEST_NAME
                && StandardCharsets.US_ASCII.newEncoder().canEncode(name);
    }

    private static String line(String key, String value) {
        int rest = (" " + key + "=" + value + "\n").getBytes(StandardCharsets.UTF_8).length;
        int length = rest + String.valueOf(rest).length();
        length = rest + String.valueOf(length).length();
        return length + " " + key + "=" + value + "\n";
    }

    private static byte type(TarEntry entry) {
        return switch (entry.kind()) {
            case FILE -> '0';
            case FOLDER -> '5';
            case LINK -> '2';
            case OTHER -> throw new IllegalArgumentException(entry.name() + " cannot be copied");
        };
    }

    private static byte[] header(TarEntry entry, byte type, long size, String name) {
        byte[] header = new byte[TarReader.BLOCK];
        put(header, 0, fits(name) ? name : "long", LONGEST_NAME);
        put(header, 100, String.format("%07o", entry.mode()), 8);
        put(header, 108, "0000000", 8);
        put(header, 116, "0000000", 8);
        put(header, 124, String.format("%011o", size > MOST_OCTAL ? 0 : size), 12);
        put(header, 136, String.format("%011o", Math.clamp(entry.time(), 0, MOST_OCTAL)), 12);
        put(header, 148, "        ", 8);
        header[156] = type;
        put(header, 157, type != 'x' && fits(entry.link()) ? entry.link() : "", LONGEST_NAME);
        put(header, 257, "ustar\00000", 8);
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        put(header, 148, String.format("%06o\0 ", sum), 8);
        return header;
    }

    private static void put(byte[] header, int at, String text, int room) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, Math.min(room, bytes.length));
    }

    /// Ends the archive. The stream stays open.
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * TarReader.BLOCK]);
        out.flush();
    }
}
