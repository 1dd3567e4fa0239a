"""Credit limits the bytes of a stream on their way, so that an unread stream stalls no other."""
import os
import socket
import time

from host import WAIT, SharedHost, eventually, exists, python, relay


class CreditTest(SharedHost):
    WINDOW = 4096

    def test_output_never_exceeds_what_was_granted_and_arrives_whole(self):
        job = self.host.program(python("import sys; sys.stdout.write('0123456789' * 6000)"))
        granted, got, grants = self.WINDOW, b"", iter([1, 5000, 4095, 7, 30000, 20000, 10000])
        while True:
            frame = self.host.of(job)
            if frame.kind == b"x":
                break
            got += frame.payload
            self.assertLessEqual(len(got), granted)
            if len(got) == granted:
                amount = next(grants)
                self.host.credit(job, b"O", amount)
                granted += amount

        self.assertEqual(got, b"0123456789" * 6000)

    def test_each_stream_has_credit_of_its_own(self):
        job = self.host.program(python("import os; os.write(1, b'o' * 9000); os.write(2, b'e' * 4000)"))
        got = {b"O": 0, b"E": 0}
        while got != {b"O": 4096, b"E": 4000}:
            frame = self.host.of(job)
            got[frame.kind] += len(frame.payload)
            self.assertLessEqual(got[b"O"], 4096)

        self.host.credit(job, b"O", 4096)
        rest = self.host.result(job)
        self.assertEqual(rest.output, b"o" * (9000 - 4096))
        self.assertEqual(rest.errors, b"")

    def test_a_run_has_not_ended_before_its_output_was_taken(self):
        job = self.host.program(python("import os; os.write(1, b'o' * 5000)"), background=True)
        pid = self.host.started(job)["pid"]
        self.assertEqual(len(self.host.output(job, 4096)), 4096)
        eventually(lambda: not exists(pid), "the run ends")
        self.host.ping()

        self.assertEqual(list(self.host.aside), [], "it has ended, but its output has not come")
        self.host.credit(job, b"O", 5000)
        result = self.host.result(job)
        self.assertEqual(len(result.output), 5000 - 4096)
        self.assertEqual(result.report["code"], 0)

    def test_grants_add_up(self):
        job = self.host.program(python("import os; os.write(1, b'o' * 7000)"))
        self.host.credit(job, b"O", 1000)
        self.host.credit(job, b"O", 1000)

        self.assertEqual(len(self.host.output(job, 6096)), 6096)
        self.host.credit(job, b"O", 1000)
        self.assertEqual(len(self.host.result(job).output), 7000 - 6096)

    def test_a_host_that_takes_its_time_loses_nothing(self):
        job = self.host.program(python("import os; os.write(1, b'o' * 5000)"), background=True)
        pid = self.host.started(job)["pid"]
        self.host.output(job, 4096)
        eventually(lambda: not exists(pid), "the run ends")
        time.sleep(relay.DRAIN + 0.3)  # longer than the wait for output that another process holds back

        self.host.credit(job, b"O", 5000)
        result = self.host.result(job)
        self.assertEqual(len(result.output), 5000 - 4096)
        self.assertNotIn("drain_incomplete", result.report)

    def test_a_stalled_run_stalls_no_other(self):
        stalled = self.host.program(["yes"])
        self.assertEqual(len(self.host.output(stalled, 4096)), 4096)

        self.assertEqual(self.host.result(self.host.program(["echo", "other"])).output, b"other\n")
        self.host.send(b"K", stalled, {"grace": 1000})
        self.host.credit(stalled, b"O", 1 << 20)  # the content of its pipe is still to come
        self.assertEqual(self.host.result(stalled).report["signal"], 15)

    def test_a_flood_is_moved_whole(self):
        """So much output that the kernel moves it for the relay."""
        count = 8 << 20
        job = self.host.program(["sh", "-c", "yes 0123456 | head -c %d" % count])
        self.host.credit(job, b"O", count)

        self.assertEqual(self.host.result(job).output, b"0123456\n" * (count // 8))


class ToolConnectionTest(SharedHost):
    """Tool calls of scripts through the relay's socket, and their answers."""
    WINDOW = 4096

    def connect(self):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.addCleanup(connection.close)
        connection.settimeout(WAIT)
        connection.connect(self.host.info["socket"])
        opened = self.host.receive()
        self.assertEqual(opened.kind, b"o")
        return connection, opened.number

    def test_requests_and_answers_are_passed_on_byte_by_byte(self):
        connection, number = self.connect()
        connection.sendall(b"request\0\xff")
        self.assertEqual(self.host.receive(), (b"d", number, b"request\0\xff"))

        self.host.send(b"D", number, b"answer\0\xfe")
        self.assertEqual(connection.recv(100), b"answer\0\xfe")
        connection.close()
        self.assertEqual(self.host.receive(), (b"c", number, b""))

    def test_connections_have_credit_of_their_own(self):
        (one, first), (two, second) = self.connect(), self.connect()
        one.sendall(b"x" * 6000)
        got = 0
        while got < 4096:
            frame = self.host.receive()
            self.assertEqual((frame.kind, frame.number), (b"d", first))
            got += len(frame.payload)
        self.assertEqual(got, 4096)
        two.sendall(b"y")
        self.assertEqual(self.host.receive(), (b"d", second, b"y"))

        self.host.credit(first, b"d", 5000)
        self.assertEqual(self.host.receive(), (b"d", first, b"x" * (6000 - 4096)))
        for connection, number in ((one, first), (two, second)):
            connection.close()
            self.assertEqual(self.host.receive(), (b"c", number, b""))

    def test_the_host_can_hang_up(self):
        connection, number = self.connect()
        self.host.send(b"D", number, b"last words")
        self.host.send(b"d", number)

        self.assertEqual(connection.recv(100), b"last words")
        self.assertEqual(connection.recv(100), b"")

    def test_an_answer_that_nobody_reads_yet_waits(self):
        connection, number = self.connect()
        answer = os.urandom(1 << 20)
        self.host.send(b"D", number, answer)
        self.host.ping()  # even while the socket is full
        got = b""
        while len(got) < len(answer):
            got += connection.recv(1 << 16)

        self.assertEqual(got, answer)
        connection.close()
        self.assertEqual(self.host.receive(), (b"c", number, b""))

    def test_only_our_user_can_connect(self):
        self.assertEqual(os.stat(self.host.info["socket"]).st_mode & 0o777, 0o600)
        self.assertEqual(os.stat(os.path.dirname(self.host.info["socket"])).st_mode & 0o777, 0o700)
