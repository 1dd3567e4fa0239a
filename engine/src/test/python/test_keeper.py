"""A keeper with its commands and scripts, and the processes that they leave."""
import os
import signal

from host import Case, Zygote, eventually, exists, keepers, lives, python, read_all, read_line, read_some

# Forks twice and starts a session, as a daemon does. It prints its process id.
DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(1, b"%d\\n" % os.getpid())
        while True:
            time.sleep(1000)
    os._exit(0)
os.wait()
"""


class KeeperCase(Case):
    @classmethod
    def setUpClass(cls):
        cls.zygote = Zygote()
        cls.addClassCleanup(cls.zygote.close)

    def setUp(self):
        super().setUp()
        self.keeper = self.zygote.keeper()
        self.addCleanup(self.keeper.close)

    def spawn(self, argv, **how):
        out = self.keeper.spawn(argv, **how)
        self.addCleanup(self.close, out)
        self.child = self.keeper.began()
        return out

    def run_folder(self):
        place = self.path("place")
        os.mkdir(place, 0o700)
        os.mkdir(place + "/run", 0o700)
        return place + "/run"


class CommandTest(KeeperCase):
    def test_a_keeper_says_its_number_first(self):
        self.assertTrue(lives(self.keeper.pid))
        self.assertEqual(keepers.parents()[self.keeper.pid][0], self.zygote.pid)

    def test_an_exit_code_is_reported(self):
        self.spawn(["/bin/sh", "-c", "exit 7"])
        report = self.keeper.report()

        self.assertEqual(report["code"], 7)
        self.assertNotIn("signal", report)
        self.assertEqual((report["left"], report["survivors"]), (0, []))

    def test_a_signal_is_reported(self):
        self.spawn(["/bin/sh", "-c", "kill -USR1 $$"])
        report = self.keeper.report()

        self.assertEqual(report["signal"], signal.SIGUSR1)
        self.assertNotIn("code", report)

    def test_what_it_used_is_reported(self):
        self.spawn(python("b'x' * (64 << 20)"))
        report = self.keeper.report()

        self.assertGreater(report["maxrss"], 64 << 20)
        self.assertGreater(report["cpu"], 0)

    def test_a_daemon_is_dead_and_reaped_when_the_report_comes(self):
        out = self.spawn(python(DAEMON))
        daemon = int(read_line(out))
        report = self.keeper.report()

        self.assertFalse(exists(daemon))
        self.assertEqual(report["code"], 0)
        self.assertEqual(report["left"], 1)
        self.assertEqual(report["survivors"], [])
        self.assertEqual(read_some(out), b"", "nobody holds its output")

    def test_a_whole_family_is_dead_when_the_report_comes(self):
        out = self.spawn(["/bin/sh", "-c", "for i in 1 2 3 4 5; do (sleep 1000 & setsid sleep 1000 & echo $!; exec sleep 1000) &"
                                           " done; sleep 1000 & exit 3"])
        report = self.keeper.report()
        below = [int(line) for line in read_all(out).split()]

        self.assertEqual(report["code"], 3)
        self.assertEqual([pid for pid in below if exists(pid)], [])
        self.assertEqual(keepers.descendants(self.keeper.pid), [])

    def test_a_child_that_was_killed_is_reported_and_the_keeper_goes_on(self):
        self.spawn(["/bin/sleep", "1000"])
        os.kill(self.child, signal.SIGKILL)

        self.assertEqual(self.keeper.report()["signal"], signal.SIGKILL)
        self.spawn(["/bin/sh", "-c", "exit 5"])
        self.assertEqual(self.keeper.report()["code"], 5)

    def test_who_ends_when_asked_to_reports_as_it_likes(self):
        out = self.spawn(["/bin/sh", "-c", "trap 'exit 3' TERM; echo ready; while :; do sleep 1000 & wait; done"])
        read_line(out)
        self.keeper.tell(b"T1000")

        self.assertEqual(self.keeper.report()["code"], 3)

    def test_who_does_not_end_when_asked_to_is_killed_with_all_it_has(self):
        out = self.spawn(["/bin/sh", "-c", "trap '' TERM; setsid sleep 1000 & echo $!; exec sleep 1000"])
        below = int(read_line(out))
        self.keeper.tell(b"T0.01")
        report = self.keeper.report()

        self.assertEqual(report["signal"], signal.SIGKILL)
        self.assertFalse(exists(below))

    def test_who_stands_still_is_asked_to_end_and_hears_it(self):
        out = self.spawn(["/bin/sh", "-c", "trap 'exit 4' TERM; echo ready; kill -STOP $$; while :; do :; done"])
        read_line(out)
        eventually(lambda: keepers.parents()[self.child][1] == b"T", "it stands still")
        self.keeper.tell(b"T1000")

        self.assertEqual(self.keeper.report()["code"], 4)

    def test_the_end_of_the_channel_kills_the_tree_and_the_keeper_leaves(self):
        folder = self.run_folder()
        out = self.spawn(["/bin/sh", "-c", "trap '' TERM HUP; setsid sleep 1000 & echo $!; exec sleep 1000"], folder=folder)
        below = int(read_line(out))
        self.keeper.sock.close()

        self.assertEqual(read_all(out), b"", "nobody holds its output any more")
        eventually(lambda: not any(map(exists, (self.child, below, self.keeper.pid))), "all of them are gone")
        self.assertFalse(os.path.exists(folder))

    def test_the_end_of_the_channel_ends_a_keeper_that_has_nothing_to_do(self):
        self.keeper.sock.close()

        eventually(lambda: not exists(self.keeper.pid), "it leaves")

    def test_what_cannot_be_started_is_reported_with_its_reason(self):
        self.addCleanup(self.close, self.keeper.spawn(["nothing"], program="/nowhere/at/all"))
        report = self.keeper.report()
        self.assertEqual(report["code"], 126)
        self.assertEqual(report["not_started"], "No such file or directory: /nowhere/at/all")

        self.addCleanup(self.close, self.keeper.spawn(["/bin/true"], cwd="/not/here"))
        self.assertEqual(self.keeper.report()["not_started"], "No such file or directory: /not/here")
        self.spawn(["/bin/true"])
        self.assertEqual(self.keeper.report()["code"], 0)

    def test_a_command_has_three_descriptors_and_a_group_of_its_own(self):
        out = self.spawn(python("import os; print(*[fd for fd in os.listdir('/proc/self/fd') if "
                                "os.path.exists('/proc/self/fd/' + fd)], os.getpgrp() == os.getpid(), os.getppid())"))

        self.assertEqual(read_all(out).split(), [b"0", b"1", b"2", b"True", b"%d" % self.keeper.pid])
        self.keeper.report()

    def test_a_command_finds_signals_as_usual(self):
        out = self.spawn(["/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"])
        _, blocked, _, ignored = read_all(out).split()
        self.keeper.report()

        self.assertEqual(int(blocked, 16), 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGURG, signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
            self.assertFalse(int(ignored, 16) & 1 << number - 1, number)

    def test_signals_for_others_do_not_end_a_keeper(self):
        out = self.spawn(["/bin/sh", "-c", "echo ready; read line < /dev/null; exec sleep 1000"])
        read_line(out)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM):
            os.kill(self.keeper.pid, number)
        os.kill(self.child, signal.SIGKILL)

        self.assertEqual(self.keeper.report()["signal"], signal.SIGKILL)

    def test_a_keeper_tells_whom_it_started_last(self):
        self.spawn(["/bin/true"])
        self.keeper.report()
        self.keeper.tell(b"P")

        self.assertEqual(self.keeper.began(), self.child)


class ScriptTest(KeeperCase):
    def script(self, code, *args, **more):
        folder = self.run_folder() if not os.path.exists(self.path("place")) else self.path("place/run")
        out = self.keeper.script(folder, code, *args, **more)
        try:
            return read_all(out).decode(), self.keeper.report()
        finally:
            os.close(out)

    def test_a_script_runs_as_the_main_program_with_its_arguments(self):
        said, report = self.script("import sys; print(__name__, sys.argv[1:], __file__ == sys.argv[0])", "a", "b c")

        self.assertEqual(said, "__main__ ['a', 'b c'] True\n")
        self.assertEqual(report["code"], 0)

    def test_an_exception_is_shown_from_the_script_on(self):
        said, report = self.script("def f():\n    raise ValueError('odd')\nf()\n")

        self.assertEqual(report["code"], 1)
        self.assertTrue(said.endswith("ValueError: odd\n"), said)
        self.assertEqual(said.count("  File "), 2, said)
        self.assertNotIn("relay.py", said)

    def test_ways_to_exit(self):
        for code, expected in (("import sys; sys.exit(9)", {"code": 9}), ("import sys; sys.exit()", {"code": 0}),
                               ("import sys; sys.exit('words')", {"code": 1}), ("raise KeyboardInterrupt", {"signal": 2}),
                               ("import os; os._exit(4)", {"code": 4}), ("import os; os.abort()", {"signal": 6}),
                               ("this is no Python", {"code": 1})):
            with self.subTest(code):
                _said, report = self.script(code)
                self.assertEqual({k: v for k, v in report.items() if k in ("code", "signal")}, expected)

    def test_what_was_printed_is_there_whatever_the_end(self):
        self.assertEqual(self.script("print('before', end=''); import sys; sys.exit(1)")[0], "before")
        self.assertEqual(self.script("import atexit; atexit.register(print, 'last'); print('first')")[0], "first\nlast\n")

    def test_one_script_leaves_nothing_to_the_next(self):
        self.script("import sys, os, json; sys.path.append('/trace'); os.environ['TRACE'] = '1'; json.trace = 1; trace = 1\n"
                    "open('left.txt', 'w').write('trace'); os.umask(0o777); os.chdir('/')")
        said, _report = self.script("import sys, os, json; print('/trace' in sys.path, 'TRACE' in os.environ, "
                                    "hasattr(json, 'trace'), 'trace' in globals(), os.listdir('.'))")

        self.assertEqual(said, "False False False False ['script.py']\n")

    def test_a_folder_that_a_script_has_swapped_is_a_folder_again_and_nobody_elses_was_emptied(self):
        os.mkdir(self.path("precious"))
        self.path("precious/file", b"kept")
        self.script("import os, shutil; here = os.getcwd(); shutil.rmtree(here); os.symlink(%r, here)" % self.path("precious"))

        self.assertEqual(self.content(self.path("precious/file")), b"kept")
        self.assertFalse(os.path.islink(self.path("place/run")))
        self.assertEqual(os.stat(self.path("place/run")).st_mode & 0o777, 0o700)
        self.assertEqual(os.listdir(self.path("place/run")), [])

    def test_a_folder_is_emptied_however_deep_and_closed_it_was_left(self):
        self.script("import os\nfor _ in range(80): os.mkdir('d'); os.chdir('d')\nopen('f', 'w'); os.chmod('.', 0)")

        self.assertEqual(os.listdir(self.path("place/run")), [])

    def test_a_daemon_of_a_script_is_dead_when_the_report_comes(self):
        folder = self.run_folder()
        out = self.keeper.script(folder, DAEMON)
        self.addCleanup(os.close, out)
        daemon = int(read_line(out))
        self.assertEqual(self.keeper.report()["code"], 0)

        self.assertFalse(exists(daemon))

    def test_variables_are_set_and_unset(self):
        said, _report = self.script("import os; print(os.environ.get('NEW'), os.environ.get('PATH'))",
                                    **{"set": {"NEW": "value"}, "unset": ["PATH"]})

        self.assertEqual(said, "value None\n")

    def test_memory_has_a_bound(self):
        said, report = self.script("b = b'x' * (1 << 30)", memory=512 << 20)

        self.assertIn("MemoryError", said)
        self.assertEqual(report["code"], 1)

    def test_a_run_with_more_processes_than_it_may_have_is_ended(self):
        _said, report = self.script("import subprocess as s\n"
                                    "for _ in range(6): s.Popen(['sleep', '1000'], stdout=s.DEVNULL, stderr=s.DEVNULL).pid\n"
                                    "while True: s.run(['sleep', '1000'])", limit=3)

        self.assertEqual(report["over_limit"], "processes")
        self.assertGreater(report["processes"], 3)
        self.assertIn(report["bound"], ("counted", "approximate"))
        self.assertEqual(keepers.descendants(self.keeper.pid), [])

    def test_a_limit_is_of_one_run_alone(self):
        _said, report = self.script("pass", limit=1)
        self.assertIn("bound", report)

        _said, report = self.script("import subprocess as s\nall = [s.Popen(['sleep', '0.3']) for _ in range(6)]\n"
                                    "for one in all: one.wait()")
        self.assertNotIn("over_limit", report)
        self.assertNotIn("bound", report)

    def test_a_child_that_waits_ends_when_its_gate_closes(self):
        gate = self.keeper.fork(self.run_folder())
        gate.close()

        self.assertEqual(self.keeper.report()["code"], 0)

    def test_a_nudge_has_a_script_show_what_it_printed(self):
        out = self.keeper.script(self.run_folder(), "import os, time\nprint('half', end='')\nos.write(2, b'x')\n"
                                                    "while True: time.sleep(1000)")
        self.addCleanup(os.close, out)
        self.assertEqual(read_some(out), b"x", "what was printed is in a buffer")
        self.keeper.tell(b"N")

        self.assertEqual(read_some(out), b"half")
