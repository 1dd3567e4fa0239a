"""Frames between the host and the mux, split at any byte."""
import json
import marshal
import os
import signal
import struct
import subprocess

from host import HEADER, SOURCE, Case, Host, SharedHost, eventually, exists, python


class FramesTest(SharedHost):
    def test_a_frame_that_comes_byte_by_byte_is_answered_once(self):
        for byte in HEADER.pack(0, b"P", 71):
            self.host.write_alone(bytes((byte,)))
        self.host.send(b"P", 72)

        self.assertEqual(self.host.receive(), (b"p", 71, b""))
        self.assertEqual(self.host.receive(), (b"p", 72, b""))

    def test_frames_that_come_in_one_piece_are_answered_in_order(self):
        self.host.write(b"".join(HEADER.pack(0, b"P", number) for number in range(1000, 1500)))

        self.assertEqual([self.host.receive() for _ in range(500)], [(b"p", number, b"") for number in range(1000, 1500)])

    def test_a_payload_may_come_in_pieces_and_with_the_next_header(self):
        payload = json.dumps({"path": self.path("a", b"first"), "limit": 9}).encode()
        frame = HEADER.pack(len(payload), b"F", 81) + payload + HEADER.pack(0, b"P", 82)
        cuts = [0, 8, 9, 10, 8 + len(payload), 13 + len(payload), len(frame)]
        for start, end in zip(cuts, cuts[1:]):
            self.host.write_alone(frame[start:end])

        self.assertEqual(self.host.receive(), (b"f", 81, b"first"))
        self.assertEqual(self.host.receive()[:2], (b"g", 81))
        self.assertEqual(self.host.receive(), (b"p", 82, b""))

    def test_the_header_is_length_kind_and_number_in_network_order(self):
        self.host.write(b"\0\0\0\0P\xfe\xdc\xba\x98")

        self.assertEqual(self.host.receive().number, 0xfedcba98)

    def test_an_unknown_kind_is_refused_and_the_channel_goes_on(self):
        number = self.host.ask(b"?", b"whatever")
        frame = self.host.of(number)

        self.assertEqual(frame.kind, b"!")
        self.assertIn("KeyError", json.loads(frame.payload)["error"])
        self.host.ping()

    def test_what_is_no_json_is_refused_and_the_running_job_goes_on(self):
        running = self.host.program(["cat"], stdin=True)
        refused = self.host.ask(b"R", b"{not json")

        self.assertEqual(self.host.of(refused).kind, b"!")
        self.host.send(b"I", running, b"still here")
        self.host.send(b"i", running)
        self.assertEqual(self.host.result(running).output, b"still here")

    def test_frames_for_numbers_that_are_not_there_are_passed_over(self):
        for kind, payload in ((b"I", b"input"), (b"i", b""), (b"K", b'{"grace": 1}'), (b"D", b"answer"), (b"d", b""),
                              (b"A", b"O\0\0\0\1"), (b"A", b"d\0\0\0\1"), (b"Z", b'{"rows": 1, "columns": 1}')):
            self.host.send(kind, 999, payload)

        self.host.send(b"P", 91)
        self.assertEqual(self.host.receive(), (b"p", 91, b""))

    def test_input_is_passed_on_before_its_frame_is_whole(self):
        job = self.host.program(python("import os; os.write(1, os.read(0, 4)); os.write(1, os.read(0, 9))"), stdin=True)
        self.host.write(HEADER.pack(8, b"I", job) + b"half")

        self.assertEqual(self.host.output(job, 4), b"half")
        self.host.write(b"rest" + HEADER.pack(0, b"i", job))
        self.assertEqual(self.host.result(job).output, b"rest")

    def test_input_of_some_megabytes_arrives_whole_and_is_acknowledged(self):
        data = bytes(range(256)) * (3 << 12)  # 3 MiB
        job = self.host.program(["cksum"], stdin=True)
        self.host.send(b"I", job, data)
        self.host.send(b"i", job)
        taken, said = [], b""
        while True:
            frame = self.host.of(job)
            if frame.kind == b"x":
                break
            if frame.kind == b"w":
                taken.append(struct.unpack(">I", frame.payload)[0])
            else:
                said += frame.payload

        self.assertEqual(said.split()[1], b"%d" % len(data))
        self.assertEqual(said.split()[0], self.cksum(data))
        self.assertGreaterEqual(min(taken), 1 << 20)
        self.assertLessEqual(sum(taken), len(data))
        self.assertGreater(sum(taken), len(data) - (1 << 20))

    @staticmethod
    def cksum(data):
        return subprocess.run(["cksum"], input=data, stdout=subprocess.PIPE, check=True).stdout.split()[0]

    def test_the_program_can_be_asked_for_compiled(self):
        frame, data = self.host.answer(self.host.ask(b"C"))

        self.assertEqual(frame.kind, b"g")
        code, _child, source = marshal.loads(data)
        self.assertEqual(source, SOURCE)
        self.assertEqual(code.co_filename, "relay.py")


class EndOfChannelTest(Case):
    def start(self, **how):
        host = Host(**how)
        self.addCleanup(host.close)
        return host

    def test_the_first_frame_says_who_is_there(self):
        host = self.start()

        self.assertEqual(host.info["pid"], host.process.pid)
        self.assertEqual(host.info["cwd"], os.getcwd())
        self.assertEqual(host.info["socket"], host.staging + "/tools.sock")
        self.assertEqual(os.stat(host.staging).st_mode & 0o777, 0o700)

    def test_the_program_may_come_as_source(self):
        host = self.start(program=SOURCE)

        self.assertEqual(host.result(host.script("print('there')")).output, b"there\n")

    def test_frames_may_go_through_a_socket(self):
        host = self.start(by_socket=True)

        self.assertEqual(host.result(host.program(["echo", "there"])).output, b"there\n")
        self.assertEqual(host.hang_up(), 0)

    def test_a_frame_that_is_too_long_ends_the_relay(self):
        host = self.start()
        host.write(HEADER.pack((64 << 20) + 1, b"F", 1))

        self.assertRaises(EOFError, host.receive)
        self.assertEqual(host.process.wait(60), 0)

    def test_a_frame_as_long_as_may_be_does_not_end_it(self):
        host = self.start()
        host.write(HEADER.pack(64 << 20, b"?", 1))
        for _ in range(64):
            host.write(bytes(1 << 20))

        self.assertEqual(host.receive()[:2], (b"!", 1))
        host.ping()

    def test_the_end_in_the_middle_of_a_frame_ends_the_relay_and_its_folder(self):
        host = self.start()
        host.write(HEADER.pack(100, b"R", 1) + b"{")

        self.assertTrue(os.path.isdir(host.staging))
        self.assertEqual(host.hang_up(), 0)
        self.assertFalse(os.path.exists(host.staging))

    def test_the_end_of_the_channel_ends_all_that_runs(self):
        host = self.start()
        job = host.program(["sh", "-c", "setsid sleep 1000 & echo $!; exec sleep 1000"], background=True)
        above = host.started(job)["pid"]
        below = int(host.line_of(job))

        self.assertEqual(host.hang_up(), 0)
        eventually(lambda: not exists(above) and not exists(below), "the run and what it started are gone")

    def test_a_host_that_says_nothing_for_too_long_counts_as_gone(self):
        host = self.start(silence_limit=0.5)
        host.program(["sleep", "1000"])  # a busy relay checks its clock often

        self.assertEqual(host.process.wait(60), 0)

    def test_signals_that_a_terminal_sends_do_not_end_the_relay(self):
        host = self.start()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(host.pid, number)

        host.ping()

    def test_the_folder_of_a_relay_that_was_killed_is_swept_by_the_next(self):
        dead = self.start()
        os.kill(dead.pid, signal.SIGKILL)
        dead.process.wait()
        self.assertTrue(os.path.isdir(dead.staging))
        living = self.start()
        left = os.path.join(living.folder, os.path.basename(dead.staging))
        os.rename(dead.staging, left)

        self.assertEqual(living.hang_up(), 0)
        self.assertFalse(os.path.exists(left))
