package dev.talaria.engine.job.relay;

/// The kinds of frames, as in `relay.py`.
final class FrameKind {
    /// The longest payload that the host accepts: the relay sends at most 1 MiB of data at a time.
    static final int MAX_PAYLOAD = 2 << 20;

    // host to relay
    static final byte CONFIG = 'c';
    static final byte RUN = 'R';
    static final byte WARM = 'W';
    static final byte INPUT = 'I';
    static final byte INPUT_END = 'i';
    static final byte KILL = 'K';
    static final byte CREDIT = 'A';
    static final byte ANSWER = 'D';
    static final byte HANG_UP = 'd';
    static final byte PING = 'P';
    static final byte READ = 'F';
    static final byte WRITE = 'G';
    static final byte COMPILED = 'C';
    static final byte RESIZE = 'Z';
    static final byte APART = 'Y';
    static final byte LINE = 'L';
    static final byte PASSWORD = 'S';

    // relay to host
    static final byte STDOUT = 'O';
    static final byte STDERR = 'E';
    static final byte STARTED = 's';
    static final byte EXIT = 'x';
    static final byte ERROR = '!';
    static final byte WRITTEN = 'w';
    static final byte CONNECTED = 'o';
    static final byte REQUEST = 'd';
    static final byte DISCONNECTED = 'c';
    static final byte PONG = 'p';
    static final byte FILE_DATA = 'f';
    static final byte FILE_END = 'g';
    static final byte ASKED = 'a';

    private FrameKind() {}

    /// Returns whether a frame's payload is a piece of a stream, which can be passed on in parts.
    static boolean streams(byte kind) {
        return kind == STDOUT || kind == STDERR || kind == FILE_DATA || kind == REQUEST;
    }
}
