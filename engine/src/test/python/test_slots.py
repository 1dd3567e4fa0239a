"""Slots: keepers that wait for a run; and jobs, as the mux sees them."""
import json
import os
import signal
import socket
import sys

from host import HEADER, WAIT, Case, Host, SharedHost, children, eventually, exists, keepers, python

KEEPER = "import os; print(os.getppid())"


class SlotsTest(SharedHost):
    def zygote(self):
        """Waits until there is one zygote, and returns its process id. Those of another test may still be ending."""
        eventually(lambda: len(children(self.host.pid)) == 1, "there is one zygote")
        return children(self.host.pid)[0]

    def test_a_run_that_ends_leaves_its_keeper_to_the_next(self):
        first = self.host.result(self.host.script(KEEPER))
        second = self.host.result(self.host.script(KEEPER))

        self.assertEqual(first.output, second.output)
        self.assertEqual((first.report["code"], second.report["code"]), (0, 0))

    def test_runs_at_the_same_time_have_keepers_of_their_own(self):
        jobs = [self.host.script(KEEPER + "\nimport sys; sys.stdout.flush(); sys.stdin.read()", stdin=True) for _ in range(3)]
        pids = {self.host.line_of(job) for job in jobs}
        for job in jobs:
            self.host.send(b"i", job)
            self.assertEqual(self.host.result(job).report["code"], 0)

        self.assertEqual(len(pids), 3)

    def test_all_of_many_runs_that_begin_at_once_end(self):
        jobs = [self.host.script("print(%d)" % number) for number in range(40)]

        for number, job in enumerate(jobs):
            result = self.host.result(job)
            self.assertEqual((result.output, result.report["code"]), (b"%d\n" % number, 0))

    def test_a_run_that_is_killed_before_it_began_never_begins(self):
        frames, first = b"", self.host.count + 1
        late = first + 2 * os.cpu_count() + 2  # more than may begin at once
        for number in range(first, late + 1):
            p = json.dumps({"kind": "program", "argv": ["touch", self.path(str(number))], "env": dict(os.environ),
                            "env_hash": "ours"} if number == first else
                           {"kind": "program", "argv": ["touch", self.path(str(number))], "env_hash": "ours"}).encode()
            frames += HEADER.pack(len(p), b"R", number) + p
        kill = b'{"grace": 1000}'
        self.host.count = late
        self.host.write(frames + HEADER.pack(len(kill), b"K", late) + kill)  # in one write, so that none can end before the last

        self.assertEqual(self.host.result(late).report, {"signal": signal.SIGTERM})
        for number in range(first, late):
            self.assertEqual(self.host.result(number).report["code"], 0)
        self.assertEqual(sorted(map(int, os.listdir(self.folder))), list(range(first, late)))

    def test_warming_up_has_keepers_and_their_children_wait(self):
        self.host.send(b"W", 0, {"env": {"PATH": os.environ["PATH"]}, "env_hash": "warm"})
        self.host.ping()
        eventually(lambda: sum(len(children(keeper)) for keeper in children(self.zygote())) >= 2, "two wait")

        self.assertEqual(self.host.result(self.host.script("print('warm')")).output, b"warm\n")

    def test_a_child_that_is_killed_while_it_waits_is_replaced(self):
        self.host.send(b"W", 0, {"env": {"PATH": os.environ["PATH"]}, "env_hash": "warm"})
        self.host.ping()
        eventually(lambda: sum(len(children(keeper)) for keeper in children(self.zygote())) >= 2, "two wait")
        waiting = [keeper for keeper in children(self.zygote()) if children(keeper)]
        for keeper in waiting:
            os.kill(children(keeper)[0], signal.SIGKILL)
        eventually(lambda: not any(map(exists, waiting)), "the mux has let their keepers go")

        self.assertEqual(self.host.result(self.host.script("print('on')")).output, b"on\n")

    def test_a_stopped_keeper_is_woken(self):
        job = self.host.program(["sh", "-c", "kill -STOP $PPID; exit 6"])

        self.assertEqual(self.host.result(job).report["code"], 6)

    def test_a_run_whose_keeper_is_killed_is_ended_with_all_it_has(self):
        job = self.host.program(["sh", "-c", "setsid sleep 1000 & echo $! $PPID; exec sleep 1000"], background=True)
        run = self.host.started(job)["pid"]
        below, keeper = map(int, self.host.line_of(job).split())
        os.kill(keeper, signal.SIGKILL)
        report = self.host.result(job).report

        self.assertEqual(report["signal"], signal.SIGKILL)
        self.assertIn("was killed", report["lost"])
        self.assertEqual(report["survivors"], [])
        self.assertFalse(exists(run) or exists(below) or exists(keeper))
        self.assertEqual(self.host.result(self.host.script("print('on')")).output, b"on\n")

    def test_a_zygote_that_is_killed_is_replaced_and_its_run_goes_on(self):
        running = self.host.script("import sys; print('in', flush=True); print(sys.stdin.read())", stdin=True)
        self.assertEqual(self.host.line_of(running), b"in")
        zygote = self.zygote()
        os.kill(zygote, signal.SIGKILL)
        eventually(lambda: not exists(zygote), "it is reaped")
        self.host.ping()

        self.assertEqual(self.host.result(self.host.script("print('new')")).output, b"new\n")
        self.host.send(b"I", running, b"old")
        self.host.send(b"i", running)
        self.assertEqual(self.host.result(running).output, b"old\n")

    def test_an_interpreter_that_does_not_work_is_said_with_its_own_words(self):
        broken = self.path("python", b"""#!%s -S
import os
program = int(os.read(3, 8))
while program:
    program -= len(os.read(3, program))
os.read(3, 1)  # the first request for a keeper
os.write(2, b"no such luck")
""" % sys.executable.encode())
        os.chmod(broken, 0o700)
        report = self.host.result(self.host.script("pass", python=broken)).report

        self.assertEqual(report["code"], 126)
        self.assertEqual(report["not_started"], "The interpreter %s could not be started. no such luck" % broken)

    def test_an_interpreter_that_is_not_there_is_refused(self):
        frame = self.host.of(self.host.script("pass", python="/not/here/python"))

        self.assertEqual(frame.kind, b"!")
        self.assertEqual(json.loads(frame.payload)["errno"], "ENOENT")

    def test_a_program_that_is_not_there_ends_like_in_a_shell(self):
        result = self.host.result(self.host.program(["not-a-program"]))

        self.assertEqual(result.report["code"], 127)
        self.assertEqual(result.errors, b"not-a-program: No such file or directory\n")

    def test_a_folder_that_is_not_there_keeps_a_run_from_beginning(self):
        report = self.host.result(self.host.program(["true"], cwd="/not/here")).report

        self.assertEqual(report["code"], 126)
        self.assertEqual(report["not_started"], "No such file or directory: /not/here")

    def test_a_killed_run_is_asked_first_and_its_output_is_kept(self):
        job = self.host.program(["sh", "-c", "trap 'echo bye; exit 8' TERM; echo up; while :; do sleep 1000 & wait; done"])
        self.assertEqual(self.host.line_of(job), b"up")
        self.host.send(b"K", job, {"grace": 1000})
        result = self.host.result(job)

        self.assertEqual((result.output, result.report["code"]), (b"bye\n", 8))

    def test_a_script_that_is_killed_shows_what_it_had_printed(self):
        job = self.host.script("import os, time\nprint('half', end='')\nos.write(2, b'!')\nwhile True: time.sleep(1000)")
        self.assertEqual(self.host.of(job)[::2], (b"E", b"!"))
        self.host.send(b"K", job, {"grace": 1000})
        result = self.host.result(job)

        self.assertEqual((result.output, result.report["signal"]), (b"half", 15))

    def test_what_a_live_script_prints_is_shown_while_it_runs(self):
        job = self.host.script("print('half', end='')\nwhile True: __import__('time').sleep(1000)", live=True)

        self.assertEqual(self.host.output(job, 4), b"half")
        self.host.send(b"K", job, {"grace": 0})
        self.host.result(job)

    def test_long_parameters_arrive(self):
        value = "x" * (100 << 10)
        job = self.host.program(["sh", "-c", "echo ${#LONG} ${#ALSO}"], env_own={"LONG": value, "ALSO": value})

        self.assertEqual(self.host.result(job).output, b"102400 102400\n")
        self.assertEqual([name for name in os.listdir(self.host.staging) if name.startswith("p")], [])

    def test_an_environment_is_sent_once_and_then_named(self):
        show = ["sh", "-c", "echo $A $B"]
        self.host.result(self.host.program(show, env={"PATH": os.environ["PATH"], "A": "kept"}, env_hash="named"))
        self.host.count += 1
        self.host.send(b"R", self.host.count, {"kind": "program", "argv": show, "env_hash": "named", "env_own": {"B": "own"}})

        self.assertEqual(self.host.result(self.host.count).output, b"kept own\n")

    def test_a_terminal_is_one_and_has_its_size(self):
        job = self.host.program(["sh", "-c", "test -t 0 && test -t 1 && stty size; read line; stty size"], pty=[31, 97],
                                background=True)
        self.host.started(job)
        self.assertEqual(self.host.line_of(job), b"31 97\r")
        self.host.send(b"Z", job, {"rows": 20, "columns": 50})
        self.host.send(b"I", job, b"\n")
        result = self.host.result(job)

        self.assertEqual(result.output.split(b"\r\n")[-2], b"20 50")
        self.assertEqual(result.report["code"], 0)

    def test_the_end_of_input_reaches_whoever_reads_a_terminal(self):
        job = self.host.program(python("import sys; print(repr(sys.stdin.readline()), flush=True);"
                                       "print(repr(sys.stdin.readline()))"), pty=[24, 80], background=True)
        self.host.started(job)
        self.host.send(b"I", job, b"typed\n")
        while b"'typed\\n'" not in self.host.line_of(job):
            pass
        self.host.send(b"i", job)

        self.assertIn(b"''", self.host.result(job).output)

    def test_output_that_somebody_else_holds_is_not_awaited_for_ever(self):
        """A pipe can be passed to a process outside of our tree."""
        job = self.host.program(python(
            "import os, socket, sys\n"
            "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.sendall(b'%d\\n' % os.getpid()); s.recv(1)",
            self.listen()))
        connection, _ = self.listener.accept()
        pid = int(connection.makefile().readline())
        held = os.open("/proc/%d/fd/1" % pid, os.O_WRONLY)
        self.addCleanup(os.close, held)
        connection.close()
        report = self.host.result(job).report

        self.assertEqual(report["code"], 0)
        self.assertIs(report["drain_incomplete"], True)

    def listen(self):
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.addCleanup(self.listener.close)
        self.listener.settimeout(WAIT)
        self.listener.bind(self.path("socket"))
        self.listener.listen(1)
        return self.path("socket")


class MarkTest(Case):
    def test_nothing_with_the_relays_mark_is_left(self):
        host = Host()
        self.addCleanup(host.close)
        job = host.program(["sh", "-c", "setsid setsid sleep 1000 & sleep 1000 & wait"], background=True)
        host.started(job)
        host.result(host.script("pass"))
        eventually(lambda: len(self.marked(host.mark)) >= 3, "all of it runs")

        self.assertEqual(host.hang_up(), 0)
        eventually(lambda: not self.marked(host.mark), "all with its mark are gone")

    @staticmethod
    def marked(mark):
        found = []
        for pid in keepers.parents():
            try:
                with open("/proc/%d/environ" % pid, "rb") as f:
                    if b"TALARIA_JOB=" + mark.encode() in f.read():
                        found.append(pid)
            except OSError:
                pass
        return found
