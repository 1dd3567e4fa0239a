"""A zygote: a warm interpreter that only forks keepers."""
import marshal
import os
import resource
import signal
import socket
import sys

from host import (KEEPERS_SOURCE, Case, Keeper, Zygote, children, eventually, exists, keepers, lives, plain_environment,
                  python, read_all, read_line)


class ZygoteTest(Case):
    def start(self, **how):
        zygote = Zygote(**how)
        self.addCleanup(zygote.close)
        return zygote

    def keeper(self, zygote):
        keeper = zygote.keeper()
        self.addCleanup(keeper.close)
        return keeper

    def output(self, keeper, argv):
        out = keeper.spawn(argv)
        try:
            keeper.began()
            return read_all(out)
        finally:
            os.close(out)

    def test_every_request_gets_a_keeper_of_its_own(self):
        zygote = self.start()
        several = [self.keeper(zygote) for _ in range(3)]

        self.assertEqual(len({keeper.pid for keeper in several}), 3)
        self.assertEqual(sorted(children(zygote.pid)), sorted(keeper.pid for keeper in several))

    def test_a_keeper_leads_a_session_of_its_own(self):
        zygote = self.start()
        keeper = self.keeper(zygote)

        self.assertEqual(os.getsid(keeper.pid), keeper.pid)
        self.assertNotEqual(os.getsid(zygote.pid), keeper.pid)

    def test_the_death_of_a_keeper_is_no_other_keepers_and_leaves_no_zombie(self):
        zygote = self.start()
        dying, living = self.keeper(zygote), self.keeper(zygote)
        os.kill(dying.pid, signal.SIGKILL)
        eventually(lambda: not exists(dying.pid), "the keeper is reaped")

        self.assertEqual(dying.sock.recv(100), b"", "the mux hears of it")
        self.assertEqual(self.output(living, ["/bin/echo", "one"]), b"one\n")
        self.assertEqual(self.output(self.keeper(zygote), ["/bin/echo", "two"]), b"two\n")

    def test_the_death_of_a_script_is_neither_the_keepers_nor_the_zygotes(self):
        zygote = self.start()
        keeper = self.keeper(zygote)
        os.mkdir(self.path("run"), 0o700)
        out = keeper.script(self.path("run"), "import os; os.write(1, b'%d\\n' % os.getpid()); os.kill(os.getpid(), 11)")
        self.addCleanup(os.close, out)
        child = int(read_line(out))

        self.assertEqual(keeper.report()["signal"], signal.SIGSEGV)
        self.assertFalse(exists(child))
        self.assertTrue(lives(keeper.pid) and lives(zygote.pid))
        self.assertEqual(self.output(self.keeper(zygote), ["/bin/echo", "on"]), b"on\n")

    def test_a_zygote_that_is_killed_leaves_its_keepers_to_their_runs(self):
        zygote = self.start()
        keeper = self.keeper(zygote)
        out = keeper.spawn(["/bin/sh", "-c", "echo ready; exec cat /proc/self/stat"])
        self.addCleanup(os.close, out)
        keeper.began()
        read_line(out)
        os.kill(zygote.pid, signal.SIGKILL)
        self.assertEqual(os.WTERMSIG(zygote.wait()), signal.SIGKILL)

        self.assertEqual(keeper.report()["code"], 0)
        self.assertEqual(self.output(keeper, ["/bin/echo", "still"]), b"still\n")

    def test_the_end_of_its_channel_ends_a_zygote_well(self):
        zygote = self.start()
        keeper = self.keeper(zygote)
        zygote.sock.close()

        self.assertEqual(zygote.wait(), 0)
        self.assertEqual(self.output(keeper, ["/bin/echo", "still"]), b"still\n")

    def test_signals_for_others_do_not_end_a_zygote(self):
        zygote = self.start()
        self.keeper(zygote)  # it has started
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM):
            os.kill(zygote.pid, number)

        self.assertEqual(self.output(self.keeper(zygote), ["/bin/echo", "on"]), b"on\n")

    def test_who_runs_has_the_file_limit_that_was_given_not_the_muxs(self):
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        zygote = self.start(files=(200, hard))

        self.assertEqual(self.output(self.keeper(zygote), ["/bin/sh", "-c", "ulimit -Sn"]), b"200\n")

    def test_nothing_of_ours_is_inherited(self):
        _out, into = self.pipe()
        os.set_inheritable(into, True)  # as a careless host might do
        zygote = self.start()
        said = self.output(self.keeper(zygote), python(
            "import os\nfor fd in range(100):\n try: print(os.readlink('/proc/self/fd/%d' % fd))\n except OSError: pass"))
        open_files = said.decode().splitlines()

        self.assertEqual(len(open_files), 3)
        self.assertEqual(open_files[0], "/dev/null")
        self.assertNotIn(os.readlink("/proc/self/fd/%d" % into), open_files)

    def test_an_interpreter_of_another_version_is_given_the_source(self):
        """The compiled program has the mux's Python version. A zygote of another version has to compile it itself."""
        pid, ours, errors = keepers.start_python(sys.executable, plain_environment())
        self.addCleanup(os.close, errors)
        self.addCleanup(os.waitpid, pid, 0)
        with socket.socket(fileno=ours) as sock:
            program = marshal.dumps(("2.7", b"not for you", KEEPERS_SOURCE, (256, 256)), 2)
            sock.sendall(b"%08d" % len(program) + program)
            mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            keepers.send_with_fds(sock, b"K", [theirs.fileno()])
            theirs.close()
            keeper = Keeper(mine)
            self.addCleanup(keeper.close)

            self.assertEqual(self.output(keeper, ["/bin/echo", "compiled"]), b"compiled\n")

    def test_a_zygote_that_gets_half_a_program_leaves(self):
        pid, ours, errors = keepers.start_python(sys.executable, plain_environment())
        self.addCleanup(os.close, errors)
        with socket.socket(fileno=ours) as sock:
            sock.sendall(b"00001000half")

        self.assertEqual(os.WEXITSTATUS(os.waitpid(pid, 0)[1]), 3)
