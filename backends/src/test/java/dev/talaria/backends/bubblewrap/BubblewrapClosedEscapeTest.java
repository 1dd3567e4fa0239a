package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.testkit.EscapeContract;
import dev.talaria.testkit.RunTarget;
import dev.talaria.testkit.RunTargets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BubblewrapClosedEscapeTest extends EscapeContract {
    @Override
    protected RunTarget target() {
        return RunTargets.bubblewrapBounded("closed");
    }

    @Override
    protected boolean sharesNetwork() {
        return false;
    }

    /// A read-only mount does not prevent connections to a socket in it, and no namespace contains some of the
    /// kernel's sockets.
    @Test
    void noSocketOfTheHostCanBeReachedWhereverItIs() throws Exception {
        Path stream = top().resolve("project/stream.sock");
        Path datagram = top().resolve("project/datagram.sock");
        Process listening = new ProcessBuilder("python3", "-c", """
                import os, socket, sys
                stream, datagram = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                stream.bind(sys.argv[1])
                stream.listen()
                datagram.bind(sys.argv[2])
                os.chmod(sys.argv[1], 0o777)
                os.chmod(sys.argv[2], 0o777)
                print("up", flush=True)
                sys.stdin.read()
                """, stream.toString(), datagram.toString()).start();
        try {
            assertThat(listening.inputReader().readLine()).isEqualTo("up");
            assertThat(run("""
                    import os, socket
                    print(os.path.exists(TOP + "/project/stream.sock"))
                    def attempt(what, act):
                        try:
                            print(what, act())
                        except OSError as e:
                            assert e.errno in (97, 111, 19, 110), (what, e)
                    def connect(family, address):
                        with socket.socket(family) as s:
                            s.settimeout(2)
                            s.connect(address)
                            return "connected"
                    def send_by_pair():
                        one, _two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
                        return one.sendto(b"x", TOP + "/project/datagram.sock")
                    def reconnect_pair():
                        one, two = socket.socketpair()
                        two.close()
                        one.connect(TOP + "/project/stream.sock")
                        return "connected"
                    attempt("path", lambda: connect(socket.AF_UNIX, TOP + "/project/stream.sock"))
                    attempt("abstract", lambda: connect(socket.AF_UNIX, "\\0x"))
                    attempt("datagrams of a pair", send_by_pair)
                    for family in range(60):
                        try:
                            socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW).close()
                            print(family)
                        except OSError as e:
                            assert e.errno == 97 or e.errno == 22 and family in (0, 16), (family, e)
                    try:
                        print(reconnect_pair())
                    except OSError as e:
                        print(e.errno)
                    """)).isEqualTo("True\n2\n10\n16\n106\n");
        } finally {
            listening.destroyForcibly().waitFor();
            Files.deleteIfExists(stream);
            Files.deleteIfExists(datagram);
        }
    }
}
