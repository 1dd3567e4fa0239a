"""Talaria's relay: the one live channel between a sandbox and its host.

Sent over stdin, never installed. Python >= 3.8, standard library only. Three roles, see ARCHITECTURE.md:

  mux     talks to the host in frames; owns pipes, files and the tool-call socket; forks no script
  zygote  one per interpreter: a warm, clean Python that forks keepers and knows nothing else
  keeper  parent of one run at a time: forks the script, kills and reaps all it leaves, reports

A frame is: payload length (4 bytes), kind (1 byte), id (4 bytes), payload. Nothing but JSON is parsed.
The part above the line "# ==== mux ====" is all that zygotes and keepers are given.
"""
import os


def start_python(python, environment):
    """Starts an interpreter that waits for its program on descriptor 3; returns pid, our end, and where it complains."""
    import _signal
    import _socket
    import fcntl
    ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    errors, errors_in = os.pipe()
    os.set_blocking(errors, False)
    fd = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 10)  # never 3 itself: dup2 onto itself keeps CLOEXEC
    try:
        pid = os.posix_spawn(
            python, [python, "-c", ZYGOTE_LOADER], environment,
            file_actions=[(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                          (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                          (os.POSIX_SPAWN_DUP2, errors_in, 2), (os.POSIX_SPAWN_DUP2, fd, 3)],
            setsigdef=[_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGPIPE])
    finally:
        os.close(fd)
        theirs.close()
        os.close(errors_in)
    return pid, ours.detach(), errors


ZYGOTE_LOADER = ('import os,sys,marshal;b=b"";exec("while len(b)<8 or len(b)<8+int(b[:8]): '
                 'b+=os.read(3,(8 if len(b)<8 else 8+int(b[:8]))-len(b)) or os._exit(3)");'
                 'version,code,source,files=marshal.loads(b[8:]);'
                 'exec(marshal.loads(code) if version==sys.version else compile(source,"relay.py","exec"));'
                 'zygote(socket.socket(fileno=3),files)')
STARTED = {}  # interpreters that start while we load: path -> (environment, what start_python returned)
if globals().get("EARLY"):  # the loader left it: the interpreter's path, then variables
    _words = os.fsdecode(EARLY).split("\0")  # noqa: F821
    _environment = dict(word.split("=", 1) for word in _words[1:])
    START = os.getcwd() if os.path.exists(".") else "/"
    os.chdir("/")  # an interpreter looks for modules where it starts, and a project may have its own json.py
    try:
        STARTED[_words[0]] = _environment, start_python(_words[0], _environment)
    except (OSError, ValueError):
        pass  # the first run will say why

import atexit
import builtins
import errno
import gc
import io
import json
import marshal
import select
import signal
import socket
import stat
import struct
import sys
import threading
import time

import _signal  # the plain calls: the wrappers in `signal` cost more than what they wrap

try:
    import ctypes
    _prctl = ctypes.CDLL(None, use_errno=True).prctl
except Exception:  # no ctypes, no subreaper: results say so
    _prctl = None

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
NOT_FOR_KEEPERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT,
                   signal.SIGURG, signal.SIGALRM)
NOT_FOR_COMMANDS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGURG)  # the interpreter's; a command finds them as usual
# pause, rt_sigsuspend, rt_sigtimedwait
SIGNAL_WAITS = {"x86_64": (b"34", b"130", b"128"), "aarch64": (b"133", b"137")}.get(os.uname().machine, ())
FLUSH = 0.05  # what a script has to write out its output before it is asked to end
KILL = 'kill -9 "$@"'  # as root, through sudo
MESSAGE = 1 << 17  # largest message between mux and its children; longer parameters go through a file


def prctl(option, value):
    return _prctl is not None and _prctl(option, value, 0, 0, 0) == 0


def send_with_fds(sock, data, fds=()):
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("%di" % len(fds), *fds))] if fds else []
    sock.sendmsg([data], extra)


def receive_with_fds(sock, flags=0):
    data, extra, _flags, _address = sock.recvmsg(MESSAGE, socket.CMSG_SPACE(32), flags | socket.MSG_CMSG_CLOEXEC)
    fds = []
    for level, kind, value in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.extend(struct.unpack("%di" % (len(value) // 4), value[:len(value) // 4 * 4]))
    return data, fds


def close_from(first):
    if sys.version_info >= (3, 10):
        os.closerange(first, 1 << 30)  # one close_range call
        return
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= first:
            try:
                os.close(int(name))
            except OSError:
                pass


def parents():
    """Returns {pid: (parent pid, state)} of every process we can see."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/" + name + "/stat", "rb") as f:
                    fields = f.read().rpartition(b")")[2].split(None, 2)
                found[int(name)] = (int(fields[1]), fields[0])
            except (OSError, ValueError, IndexError):
                pass
    return found


def descendants(root, known=None):
    children = {}
    for pid, (parent, _state) in (known or parents()).items():
        children.setdefault(parent, []).append(pid)
    found, todo = [], [root]
    while todo:
        below = children.get(todo.pop(), ())
        found.extend(below)
        todo.extend(below)
    return found


def alive(root):
    known = parents()
    return [pid for pid in descendants(root, known) if known[pid][1] != b"Z"]


def send_signal(pids, number):
    """Signals each pid; returns those that we are not allowed to signal."""
    refused = []
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
        except PermissionError:
            refused.append(pid)
    return refused


def reap(usage=None, first=0):
    """Reaps what has ended. Returns (no child is left, status of `first` or None)."""
    status = None
    while True:
        try:
            pid, state, spent = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return True, status
        if pid == 0:
            return False, status
        if pid == first:
            status = state
            if usage is not None:
                usage["maxrss"] = spent.ru_maxrss * 1024
                usage["cpu"] = round(spent.ru_utime + spent.ru_stime, 4)


def kill_all(find, wait, seconds=5.0, strike=None):
    """Kills and reaps until `find()` shows nobody; returns the pids that could not be ended.

    Every orphan below a subreaper becomes its child, so nothing escapes by forking twice or by setsid. A tree that
    keeps growing is stopped first and killed when it stands still.
    """
    give_up, rounds, survivors = time.monotonic() + seconds, 0, []
    while True:
        pids = find()
        if not pids:
            return []
        if rounds >= 3 or len(pids) > 64:
            seen = set()
            while set(pids) - seen and time.monotonic() < give_up:
                seen |= set(pids)
                send_signal(pids, signal.SIGSTOP)
                pids = find()
        survivors = send_signal(pids, signal.SIGKILL)
        if rounds >= 3 and strike:
            strike()
        if len(survivors) == len(pids) or time.monotonic() > give_up:
            return pids
        rounds += 1
        wait(0.02)


def name_of(pid):
    try:
        with open("/proc/%d/comm" % pid, "rb") as f:
            return "%s (%d)" % (f.read().decode("utf-8", "replace").strip(), pid)
    except OSError:
        return "process %d" % pid


# ---- the script's own process -------------------------------------------------------------------------------------

def become_child(sock, standby):
    """Runs in the freshly forked child: waits for its parameters, then becomes the script or command."""
    _signal.set_wakeup_fd(-1)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
    for fd in standby:
        os.close(fd)
    os.setpgid(0, 0)
    try:
        data, fds = receive_with_fds(sock, socket.MSG_DONTWAIT)
    except BlockingIOError:
        rehearse()
        data, fds = receive_with_fds(sock)
    if not data:
        os._exit(0)
    p = parameters(data)
    for target, fd in enumerate(fds[:3]):
        os.dup2(fd, target)
    try:
        if p.get("pty"):
            take_terminal()
        prepare(p)
    except (OSError, ValueError) as e:
        sock.send(obstacle(e, p).encode("utf-8", "replace"))
        os._exit(126)
    wanted = p.get("fds", ())  # a shell's own, ascending; they are higher than any that came, or all the same file
    for target, fd in zip(wanted, fds[3:]):
        os.dup2(fd, target)
    first = 3
    for fd in wanted:
        os.closerange(first, fd)
        first = fd + 1
    close_from(first)
    if "argv0" in p:
        run_command(p)
    else:
        run_script(p)


def parameters(data):
    p = marshal.loads(data)  # from the mux, which runs on this machine and made it of JSON
    if "file" in p:
        with open(p["file"], "rb") as f:
            os.unlink(p["file"])
            p = marshal.loads(f.read())
    return p


def obstacle(error, p):
    """Says why a run could not begin."""
    return "%s: %s" % (error.strerror, error.filename or p.get("cwd")) if isinstance(error, OSError) else str(error)


def take_terminal():
    """Makes descriptor 0 this process's terminal, as a login would."""
    import fcntl
    import termios
    os.setpgid(0, os.getppid())  # a group's leader, which we are, can lead no session; our keeper leads its own group
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


REHEARSAL = marshal.dumps({"set": {"HERMES_RPC_TOKEN": ""}, "unset": [], "cwd": "/", "folder": "/", "args": []}, 2)


def warm_up():
    """Runs our own code until the interpreter has settled on how to: it writes that into the code, and every page
    written to after a fork is copied once more."""
    for name in ("types", "re", "shlex", "traceback", "linecache", "collections", "subprocess", "functools", "datetime"):
        __import__(name)
    for _ in range(20):
        rehearse()
    gc.collect()
    gc.freeze()


def rehearse():
    """Goes through the motions while idle: memory pages shared with the keeper are copied now, not during the run."""
    p = marshal.loads(REHEARSAL)
    prepare(p)
    renew_paths(p)
    sys.argv[:] = ["/"] + p["args"]
    main = fresh_main("/")
    fd = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    execute(b"".join(iter(lambda: os.read(fd, 1 << 20), b"")) or b"print(end='')", "/", main)
    os.close(fd)
    os.listdir("/proc/self/fd")
    gc.get_count()
    sys.stdout.flush()
    sys.stderr.flush()
    del os.environ["HERMES_RPC_TOKEN"]


def prepare(p):
    for name in p["unset"]:
        os.environ.pop(name, None)
    for name, value in p["set"].items():
        os.environ[name] = value
    if "TZ" in p["set"] or "TZ" in p["unset"]:
        time.tzset()
    if p.get("memory"):
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (p["memory"], p["memory"]))
    os.chdir(p["cwd"])


def run_command(p):
    for number in NOT_FOR_COMMANDS:
        _signal.signal(number, _signal.SIG_DFL)
    try:
        os.execvpe(p.get("program") or p["argv0"][0], p["argv0"], os.environ)
    except OSError as e:
        os.write(2, ("%s: %s\n" % (p["argv0"][0], e.strerror)).encode("utf-8", "replace"))
        os._exit(127 if e.errno == errno.ENOENT else 126)


def flush_quietly(*_):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # a print was interrupted half-way, or the reader has gone
            pass


def renew_paths(p):
    """Gives the script the path `python3 script.py` would have now, new .pth files included."""
    sys.path[:] = [p["folder"]] + [e for e in os.environ.get("PYTHONPATH", "").split(os.pathsep) if e] + BASE_PATH
    for folder, (changed, known) in SITE_FOLDERS.items():
        try:
            if os.stat(folder).st_mtime_ns != changed:
                renew_site(folder, known)
        except OSError:
            pass


def renew_site(folder, known):
    """Takes in what was installed since the zygote started."""
    import site
    sys.path_importer_cache.pop(folder, None)
    if folder not in sys.path:
        sys.path.append(folder)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".pth") and known.get(name) != os.stat(os.path.join(folder, name)).st_mtime_ns:
            site.addpackage(folder, name, None)


def run_script(p):
    path = p["folder"] + "/script.py"
    renew_paths(p)
    if p["stubs"]:
        compile_stubs(p["stubs"])
    sys.argv[:] = [path] + p["args"]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = [sys.executable] + sys.argv
    if os.environ.get("PYTHONUNBUFFERED"):
        sys.stdout.reconfigure(write_through=True)
    main = fresh_main(path)
    sys.modules["__main__"] = main
    plain = len(main.__dict__)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    source = b"".join(iter(lambda: os.read(fd, 1 << 20), b""))
    os.close(fd)
    status = execute(source, path, main)
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        sys.excepthook(*sys.exc_info())
    if len(os.listdir("/proc/self/fd")) > 4:  # more than stdin, stdout, stderr and the listing itself
        flush_files()
    if len(main.__dict__) > plain or gc.get_count() > (200, 0, 0):
        sys.modules.pop("__main__", None)
        del main
        gc.collect()  # finalisers run, and still see their globals
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        status = status or 120
    if status < 0:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    os._exit(status & 0xff)


def fresh_main(path):
    main = type(sys)("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None)
    return main


def flush_files():
    """Has files that were left open reach the disk; the collector may close a file below its own buffer."""
    files = [o for o in gc.get_objects() if isinstance(o, (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom))]
    for file in sorted(files, key=lambda o: not isinstance(o, io.TextIOWrapper)):
        try:
            file.flush()
        except Exception:
            pass


def execute(source, path, main):
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except BaseException as e:
        sys.excepthook(type(e), e.with_traceback(None), None)
        return 1
    try:
        exec(code, main.__dict__)
        return 0
    except SystemExit as e:
        if e.code is None or isinstance(e.code, int):
            return (e.code or 0) & 0xff
        flush_quietly()
        print(e.code, file=sys.stderr)
        return 1
    except BaseException as e:
        flush_quietly()
        # The hook shows the value's own traceback: it must begin in the script, not here.
        e.with_traceback(e.__traceback__.tb_next if e.__traceback__ else None)
        sys.excepthook(type(e), e, e.__traceback__)
        return -1 if isinstance(e, KeyboardInterrupt) else 1


def compile_stubs(folder):
    """Keeps the compiled stub module beside its source, so that only the first run pays for it."""
    cached = os.path.join(folder, "__pycache__", "hermes_tools." + sys.implementation.cache_tag + ".pyc")
    if not os.path.exists(cached):
        try:
            import py_compile
            py_compile.compile(os.path.join(folder, "hermes_tools.py"), cached, doraise=True)
        except Exception:
            pass


# ---- keeper -------------------------------------------------------------------------------------------------------

class Keeper:
    def __init__(self, sock, warm):
        self.sock, self.me = sock, os.getpid()
        self.child = self.term_at = self.kill_at = self.limit = self.latest = 0
        self.folder = self.status = None  # status: how the child ended, if that was seen while killing its tree
        self.over_limit = False
        self.sudo = None  # where sudo and its helper are, if the command may use them
        self.warm = warm
        self.usage = {}
        os.setsid()
        self.subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1)
        prctl(PR_SET_DUMPABLE, 0)
        signal.pthread_sigmask(signal.SIG_BLOCK, NOT_FOR_KEEPERS)
        self.wake, wake_in = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(wake_in, False)
        self.own = (self.wake, wake_in, sock.fileno())
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
        self.poll = select.poll()
        self.poll.register(sock, select.POLLIN)
        self.poll.register(self.wake, select.POLLIN)
        self.poll_wake = select.poll()
        self.poll_wake.register(self.wake, select.POLLIN)
        sock.send(b"K%d" % self.me)

    def loop(self):
        while True:
            ready = [fd for fd, _events in self.poll.poll(self.pause())]
            if not ready and not self.warm:
                self.warm = True
                warm_up()
            if self.wake in ready:
                self.drain_wake()
            if self.sock.fileno() in ready:
                self.order()
            if self.child:
                nobody_left, status = reap(self.usage, self.child)
                if status is None and not nobody_left:
                    self.watch()
                    status = self.status
                if status is not None:
                    self.end(nobody_left, status)

    def pause(self):
        if self.kill_at:
            return max(0, ((self.term_at or self.kill_at) - time.monotonic()) * 1000) + 1
        if not self.warm:
            return 10
        return 50 if self.limit and self.child else None

    def drain_wake(self):
        try:
            os.read(self.wake, 4096)
        except BlockingIOError:
            pass

    def order(self):
        data, fds = receive_with_fds(self.sock)
        kind = data[:1]
        if kind == b"F":
            self.folder = data[1:].decode()
            self.fork(fds[0])
        elif kind == b"S":
            self.spawn(parameters(data[1:]), fds)
        elif kind == b"L":
            self.limit = int(data[1:])
        elif kind == b"A":
            self.sudo = json.loads(data[1:])
        elif kind == b"N":
            self.nudge()
        elif kind == b"P":
            self.sock.send(b"P%d" % self.latest)
        elif kind == b"T" and self.child:
            self.nudge()
            self.term_at = time.monotonic() + FLUSH
            self.kill_at = self.term_at + json.loads(data[1:])
        elif not data:  # the mux, and with it the host, is gone
            if self.child:
                send_signal([self.child], signal.SIGKILL)  # often there is nobody else, and no need to search for them
                self.wait(0.02)
            self.kill_tree("-n")
            if self.folder:
                remove_tree(self.folder)
            os._exit(0)

    def fork(self, fd):
        prctl(PR_SET_DUMPABLE, 1)  # for the child: it is the user's own, unlike us
        pid = os.fork()
        if pid == 0:
            try:
                become_child(socket.socket(fileno=fd), self.own)
            finally:
                os._exit(1)
        prctl(PR_SET_DUMPABLE, 0)
        os.close(fd)
        self.began(pid)

    def spawn(self, p, fds):
        """Starts a command without a copy of the interpreter on its way: that would have to be made and taken down."""
        targets = [0, 1, 2] + p["fds"]  # a shell's own are higher than any that came, or all the same file
        self.folder, pid = p["folder"], 0
        try:
            os.chdir(p["cwd"])
            pid = os.posix_spawn(p["program"], p["argv0"], p["env"], setpgroup=0, setsigmask=(), setsigdef=NOT_FOR_COMMANDS,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, *pair) for pair in zip(fds, targets)])
        except (OSError, ValueError) as e:
            self.sock.send(b"E" + json.dumps({"code": 126, "not_started": obstacle(e, p)}).encode())
        for fd in fds:
            os.close(fd)
        os.chdir("/")
        if pid:
            self.began(pid)
            if p["announced"]:
                self.sock.send(b"P%d" % pid)

    def began(self, pid):
        self.child, self.term_at, self.kill_at = pid, 0, 0
        self.latest = pid  # outlives the child, for whoever asks late
        self.over_limit, self.usage, self.status = False, {}, None

    def nudge(self):
        """Has the script write out what it has printed."""
        if self.child and not waits_for_a_signal(self.child):
            send_signal([self.child], signal.SIGURG)

    def watch(self):
        if self.term_at and time.monotonic() >= self.term_at:
            self.term_at = 0
            tree = descendants(self.me)
            send_signal(tree, signal.SIGTERM)
            send_signal(tree, signal.SIGCONT)
        elif self.kill_at and time.monotonic() >= self.kill_at:
            self.kill_at = 0
            self.kill_tree()
        elif self.limit:
            count = len(alive(self.me))
            self.usage["processes"] = max(count, self.usage.get("processes", 0))
            if count > self.limit:
                self.over_limit, self.limit = True, 0
                self.kill_tree()

    def kill_tree(self, way="-A"):
        """Kills and reaps all below us; returns the pids that live on."""
        left = kill_all(self.living, self.wait, strike=self.strike)
        if left and self.sudo:  # what runs as root is not ours to kill, but whoever started it may
            self.kill_as_root(left, way)
            left = kill_all(self.living, self.wait, strike=self.strike)
        return left

    def kill_as_root(self, pids, way):
        program, helper = self.sudo
        try:
            pid = os.posix_spawn(
                program, [program, way, "--", "/bin/sh", "-c", KILL, "sh"] + [str(pid) for pid in pids],
                {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "SUDO_ASKPASS": helper}, setsigmask=(),
                setsigdef=(_signal.SIGPIPE, _signal.SIGCHLD),
                file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)])
        except OSError:
            return
        give_up = time.monotonic() + 10
        try:
            while not os.waitpid(pid, os.WNOHANG)[0] and time.monotonic() < give_up:
                self.wait(0.02)
        except ChildProcessError:
            pass

    def living(self):
        nobody_left, status = reap(self.usage, self.child)
        if status is not None:
            self.status = status
        return [] if nobody_left else descendants(self.me)

    def strike(self):
        """Kills our children as they come. Whoever forks and exits in a loop lives too short for a look at everybody,
        but becomes our child each time."""
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            nobody_left, status = reap(self.usage, self.child)
            if status is not None:
                self.status = status
            if nobody_left:
                return
            try:
                with open("/proc/self/task/%d/children" % self.me, "rb") as f:
                    send_signal([int(pid) for pid in f.read().split()], signal.SIGKILL)
            except (OSError, ValueError):
                return

    def wait(self, seconds):
        self.poll_wake.poll(seconds * 1000)
        self.drain_wake()

    def end(self, nobody_left, status):
        left = 0 if nobody_left else len(alive(self.me))
        survivors = [] if nobody_left else self.kill_tree()
        if self.folder:
            self.empty_folder()
        report = {"left": left, "survivors": [name_of(pid) for pid in survivors], "subreaper": self.subreaper}
        if os.WIFSIGNALED(status):
            report["signal"] = os.WTERMSIG(status)
        else:
            report["code"] = os.WEXITSTATUS(status)
        if self.over_limit:
            report["over_limit"] = "processes"
        report.update(self.usage)
        self.child = self.term_at = self.kill_at = self.limit = 0
        self.sudo = None
        self.sock.send(b"E" + json.dumps(report).encode())

    def empty_folder(self):
        """Leaves the run's folder as the next run expects it: there, ours, no link, and empty."""
        try:
            state = os.lstat(self.folder)
            if stat.S_ISDIR(state.st_mode) and state.st_uid == os.geteuid():
                try:
                    os.unlink(self.folder + "/script.py")
                except OSError:
                    pass  # a command has none; or the script removed it
                if not os.listdir(self.folder):
                    return
        except OSError:
            pass
        remove_tree(self.folder)
        try:
            os.mkdir(self.folder, 0o700)
        except OSError:
            pass  # the next run will say so


def waits_for_a_signal(pid):
    """pause() and its kin return after any handled signal, so a nudge would be noticed; all other calls go on."""
    try:
        with open("/proc/%d/syscall" % pid, "rb") as f:
            return f.read(8).split(None, 1)[0] in SIGNAL_WAITS
    except (OSError, IndexError):
        return False


def remove_tree(path, deep=2):
    """Removes a folder, or whatever was put in its place, whatever modes its owner gave to what is in it."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            return
        if deep:
            for name in os.listdir(path):
                remove_tree(path + "/" + name, deep - 1)
        os.rmdir(path)
        return
    except OSError:
        pass  # not ours to read, or deeper than usual: the thorough way
    import shutil

    def open_up(_function, inner, _error):
        try:
            os.chmod(os.path.dirname(inner), 0o700)
            if os.path.isdir(inner) and not os.path.islink(inner):
                os.chmod(inner, 0o700)
                shutil.rmtree(inner, ignore_errors=True)
            else:
                os.unlink(inner)
        except OSError:
            pass
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, onerror=open_up)


# ---- zygote -------------------------------------------------------------------------------------------------------

BASE_PATH = []
SITE_FOLDERS = {}


def zygote(sock, files):
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, files)  # the mux has raised its own
    except (ImportError, ValueError, OSError):
        pass
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and os.path.exists("/proc/self/fd/" + name):
            os.set_inheritable(int(name), False)  # what a keeper spawns gets what it is given, and nothing of ours
    BASE_PATH.extend(p for p in sys.path if p)
    folders = [p for p in BASE_PATH if os.path.basename(p) in ("site-packages", "dist-packages")]
    site = sys.modules.get("site")
    if site is not None and site.ENABLE_USER_SITE and site.getusersitepackages() not in folders:
        folders.append(site.getusersitepackages())  # it may be made later
    for folder in folders:
        try:
            names = [n for n in os.listdir(folder) if n.endswith(".pth")]
            SITE_FOLDERS[folder] = (os.stat(folder).st_mtime_ns,
                                    {n: os.stat(os.path.join(folder, n)).st_mtime_ns for n in names})
        except OSError:
            SITE_FOLDERS[folder] = (0, {})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # keepers are reaped by the kernel; the mux hears of their end
    prctl(PR_SET_DUMPABLE, 0)  # whoever could write to our memory would own every later run
    # Our "show what you have": nobody else sends it, and after an exec it is ignored. TERM keeps its default: a child
    # that is between fork and its own first step would swallow it.
    signal.signal(signal.SIGURG, flush_quietly)
    signal.pthread_sigmask(signal.SIG_BLOCK, NOT_FOR_KEEPERS)
    gc.collect()
    gc.freeze()
    warm, waiting = False, select.poll()
    waiting.register(sock, select.POLLIN)
    while True:
        if not warm and not waiting.poll(10):  # the first runs do not wait for this
            warm = True
            warm_up()
        data, fds = receive_with_fds(sock)
        if not data:
            os._exit(0)
        if os.fork() == 0:
            try:
                sock.close()
                Keeper(socket.socket(fileno=fds[0]), warm).loop()
            finally:
                os._exit(1)
        os.close(fds[0])


# ==== mux ====
import collections
import fcntl
import re
import termios

VERSION = 1
HEADER = struct.Struct(">IcI")
CREDIT = struct.Struct(">cI")
CHUNK = 1 << 16
BIG_PIPE = 1 << 20
MAX_FRAME = 64 << 20
F_SETPIPE_SZ = 1031
YOUNG, YOUTH = 2 * (os.cpu_count() or 2), 0.005  # how many may begin at the same time, and how long that takes
DRAIN = 0.5  # how long output is awaited once the run's tree is dead but somebody else holds the pipe


def pair():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    a.setblocking(False)
    for end in (a, b):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE * 2)
    return a, b


class Slot:
    """A keeper with the pipes its next child will write to, and that child, forked ahead, unless it will be spawned."""

    def __init__(self, mux, zyg):
        self.mux, self.zygote = mux, zyg
        self.keeper = 0
        self.spawns = False
        self.job = self.gate = self.folder = None
        self.pipes = {}
        self.sock, theirs = pair()
        try:
            send_with_fds(zyg.sock, b"K", [theirs.fileno()])
        finally:
            theirs.close()
        mux.watch(self.sock.fileno(), self.on_keeper)

    def load(self, spawns):
        """Has the next child forked and its pipes made, so that a run finds both ready."""
        self.pipes[b"O"] = os.pipe()
        self.spawns = spawns
        if spawns:
            return
        self.pipes[b"E"] = os.pipe()
        if self.mux.staging and not self.folder:
            self.mux.folders += 1
            self.folder = "%s/r%d" % (self.mux.staging, self.mux.folders)
            os.mkdir(self.folder, 0o700)
        self.gate, theirs = pair()
        try:
            send_with_fds(self.sock, b"F" + (self.folder or "").encode(), [theirs.fileno()])
        finally:
            theirs.close()

    def tell(self, message):
        try:
            self.sock.send(message)
        except OSError:
            pass  # its end is on its way to us

    def on_keeper(self, _events):
        try:
            data = self.sock.recv(MESSAGE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        kind = data[:1]
        if kind == b"E":
            self.ended(data[1:])
        elif kind == b"K":
            self.keeper = int(data[1:])
        elif kind == b"P":
            if self.job:
                self.job.pid = int(data[1:])
                self.job.announce()
        else:
            self.lost()

    def on_gate(self, _events):
        """The child closes its end when it becomes the command; before that it may say what is in the way."""
        try:
            problem = self.gate.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            problem = b""
        self.mux.forget(self.gate.fileno())
        if self.job and not problem:
            self.job.begun = True
            self.job.announce()

    def ended(self, report):
        job, self.job = self.job, None
        if not job:  # somebody killed the child before it had anything to do
            self.zygote.drop(self)
            self.close()
            return
        try:
            problem = self.gate.recv(4096).decode("utf-8", "replace") if self.gate else ""
        except OSError:
            problem = ""
        self.unload()
        job.ended(report, {"not_started": problem} if problem else {})
        if b'"survivors": ["' in report:  # they would count as the next run's
            self.zygote.drop(self)
            self.close()
        else:
            self.zygote.back(self)

    def lost(self):
        """The keeper was killed: what it kept has become ours."""
        job, self.job = self.job, None
        if not job:
            self.zygote.drop(self)
            self.close()
            return
        self.await_death()
        self.mux.kill_strays()
        self.zygote.drop(self)
        self.close()
        if self.keeper:
            job.ended(b'{"signal": 9}', {
                "lost": "The process that kept this run was killed, so the run was ended."})
        else:
            job.ended(b'{"code": 126}', {"not_started": self.zygote.complaint()})

    def await_death(self):
        """Its socket closes before its children become ours; they have when it is no more, or a zombie."""
        give_up = time.monotonic() + 1
        while self.keeper and time.monotonic() < give_up:
            try:
                with open("/proc/%d/stat" % self.keeper, "rb") as f:
                    if f.read().rpartition(b")")[2].split(None, 1)[0] in (b"Z", b"X"):
                        return
            except OSError:
                return
            time.sleep(0.001)

    def unload(self):
        if self.gate:
            self.mux.forget(self.gate.fileno())
            self.gate.close()
            self.gate = None
        self.drop_pipes()

    def drop_pipes(self):
        for ends in self.pipes.values():
            for fd in ends:
                os.close(fd)
        self.pipes = {}

    def close(self):
        self.unload()
        if self.sock.fileno() >= 0:
            self.mux.forget(self.sock.fileno())
            self.sock.close()
        self.remove_folder()

    def remove_folder(self):
        if self.folder:
            try:
                os.rmdir(self.folder)
            except OSError:
                remove_tree(self.folder)
            self.folder = None


class Zygote:
    """A warm interpreter and the slots forked from it."""
    READY, SPARE = 2, 64

    def __init__(self, mux, python, environment):
        self.mux, self.python = mux, python
        self.identity = self.look(python)
        self.ready = {False: [], True: []}  # loaded slots: those with a forked child, those that spawn
        self.spare, self.slots = [], set()
        clean = {k: v for k, v in environment.items() if k != "PYTHONPATH" and not k.startswith("HERMES_RPC_")}
        self.environment, started = STARTED.pop(python, None) or (clean, start_python(python, clean))
        self.pid, ours, self.errors = started
        self.sock = socket.socket(fileno=ours)
        program = marshal.dumps((sys.version, CHILD_CODE, CHILD_SOURCE, FILE_LIMITS), 2)
        self.sock.sendall(b"%08d" % len(program) + program)
        mux.watch(self.sock.fileno(), self.on_end)

    @staticmethod
    def look(python):
        found = []
        for path in (python, os.path.join(os.path.dirname(os.path.dirname(python)), "pyvenv.cfg")):
            try:
                state = os.stat(path)
                found.append((state.st_ino, state.st_mtime_ns, state.st_size))
            except OSError:
                found.append(None)
        return found

    def slot(self, spawns):
        """Returns a loaded slot: one made ahead, else a spare keeper's, else a new one."""
        if self.ready[spawns]:
            return self.ready[spawns].pop()
        if self.spare:
            slot = self.spare.pop()
        else:
            slot = Slot(self.mux, self)
            self.slots.add(slot)
        slot.load(spawns)
        return slot

    def back(self, slot):
        try:
            if self.mux.queue and self.mux.zygotes.get(self.python) is self:  # it is wanted at once, and its folder, too
                self.spare.append(slot)
                return
            ready = self.ready[slot.spawns]
            if self.mux.zygotes.get(self.python) is self and len(ready) < self.READY:
                slot.load(slot.spawns)
                ready.append(slot)
                return
            if self.mux.zygotes.get(self.python) is self and len(self.spare) < self.SPARE:
                slot.remove_folder()
                self.spare.append(slot)
                return
        except OSError:  # no descriptors, no disk: the next run will say so
            pass
        self.slots.discard(slot)
        slot.close()

    def dismiss(self):
        """Lets the keepers go that a rush of runs has left."""
        for slot in self.spare:
            self.slots.discard(slot)
            slot.close()
        self.spare = []

    def drop(self, slot):
        self.slots.discard(slot)
        for kept in (*self.ready.values(), self.spare):
            if slot in kept:
                kept.remove(slot)

    def fill(self):
        while len(self.ready[False]) < self.READY:
            slot = Slot(self.mux, self)
            self.slots.add(slot)
            slot.load(False)
            self.ready[False].append(slot)

    def on_end(self, _events):
        self.close()

    def complaint(self):
        try:
            said = os.read(self.errors, CHUNK).decode("utf-8", "replace").strip()
        except OSError:
            said = ""
        return "The interpreter %s could not be started. %s" % (self.python, said[-2000:])

    def close(self):
        """Lets running jobs end; takes back what waits."""
        if self.mux.zygotes.get(self.python) is self:
            del self.mux.zygotes[self.python]
        if self.sock.fileno() >= 0:
            self.mux.forget(self.sock.fileno())
            self.sock.close()
        for slot in self.ready[False] + self.ready[True] + self.spare:
            self.slots.discard(slot)
            slot.close()
        self.ready, self.spare = {False: [], True: []}, []
        self.slots = {s for s in self.slots if s.job}


class Job:
    """One run or command: its streams out and in, until the tree is dead and the pipes are empty."""

    def __init__(self, mux, number, p, slot, window):
        self.mux, self.number, self.slot = mux, number, slot
        self.credit = {b"O": window, b"E": window}
        self.open, self.paused, self.flooding = {}, set(), set()
        self.rested = set()
        self.report = self.stdin = None
        self.input = collections.deque()
        self.input_ended = False
        self.visit, self.killed, self.apart = None, False, bool(p.get("apart"))
        self.live = p["kind"] == "script" and bool(p.get("live"))
        self.spoke = self.nudged = time.monotonic()
        self.terminal = None
        self.pid, self.begun = 0, False
        if p.get("pty"):
            self.use_terminal(slot, p["pty"])
        for stream, (out, into) in slot.pipes.items():
            self.open[stream] = out
            os.set_blocking(out, False)
            mux.watch(out, lambda _events, s=stream: self.pump(s))
        slot.job = self

    def use_terminal(self, slot, size):
        """Gives the run a terminal in place of its pipes."""
        slot.drop_pipes()
        master, slave = os.openpty()
        self.terminal = os.dup(master)  # for input and size: it stays ours when the output has ended
        os.set_inheritable(self.terminal, False)
        os.set_blocking(self.terminal, False)
        self.resize(*size)
        slot.pipes = {b"O": (master, slave)}

    def resize(self, rows, columns):
        if self.terminal is not None:
            fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def announce(self):
        """Tells the host who runs, once it does."""
        if self.pid and self.begun:
            told = {"pid": self.pid, "cwd": self.visit.cwd} if self.visit else {"pid": self.pid}
            self.mux.send(b"s", self.number, json.dumps(told).encode())

    def pump(self, stream):
        fd = self.open.get(stream)
        if fd is None:
            return
        room = self.credit[stream]
        if room <= 0:
            self.paused.add(stream)
            self.mux.mask(fd, 0)
            return
        if stream in self.flooding and self.splice(stream, fd, room):
            return
        try:
            data = os.read(fd, min(room, BIG_PIPE))
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.spoke = time.monotonic()
            self.credit[stream] = room - len(data)
            self.mux.send(stream, self.number, data)
            if len(data) >= CHUNK and stream not in self.flooding:
                self.flood(stream, fd)
            if self.report is not None:
                self.mux.later.append(lambda: self.pump(stream))
        else:
            self.mux.forget(fd)
            os.close(fd)
            del self.open[stream]
            self.finish()

    def flood(self, stream, fd):
        """A full pipe: the writer is faster than us. It gets a longer pipe, and we stop looking at its bytes."""
        self.flooding.add(stream)
        try:
            fcntl.fcntl(fd, F_SETPIPE_SZ, BIG_PIPE)
        except OSError:
            pass

    def splice(self, stream, fd, room):
        """Has the kernel move what is in the pipe on to the host; returns whether there was anything to move."""
        if self.mux.moving or not hasattr(os, "splice"):
            return self.mux.moving
        waiting = waiting_in(fd)
        if waiting < BIG_PIPE // 4 and stream not in self.rested and self.report is None:
            self.rested.add(stream)  # being woken for every line of a flood would cost more than moving it
            self.mux.mask(fd, 0)
            self.mux.resting.append((self, stream))
            return True
        self.rested.discard(stream)
        count = min(waiting, room, BIG_PIPE)
        if count < CHUNK // 4:
            return False
        self.spoke = time.monotonic()
        self.credit[stream] = room - count
        self.mux.move(stream, self.number, fd, count)
        if self.report is not None:
            self.mux.later.append(lambda: self.pump(stream))
        return True

    def rise(self, stream):
        if stream in self.open and stream not in self.paused:
            self.mux.mask(self.open[stream], select.EPOLLIN)
            self.pump(stream)

    def add_credit(self, stream, amount):
        if stream in self.credit:
            self.credit[stream] += amount
            if stream in self.paused:
                self.paused.discard(stream)
                self.mux.mask(self.open[stream], select.EPOLLIN)
                self.pump(stream)

    def feed(self, data):
        if self.stdin is not None:
            self.input.append(data)
            self.push()

    def end_input(self):
        if self.terminal is not None:  # a terminal is not closed: its reader is told that the input is over
            self.feed(end_of_file(self.terminal))
            return
        self.input_ended = True
        if self.stdin is not None and not self.input:
            self.close_input()

    def push(self):
        while self.stdin is not None and self.input:
            data = self.input.popleft()
            try:
                done = os.write(self.stdin, data)
            except BlockingIOError:
                done = 0
            except OSError:  # the reader has gone: what it did not want is dropped, as a shell would
                self.input.clear()
                self.close_input()
                return
            if done:
                self.mux.send(b"w", self.number, struct.pack(">I", done))
            if done < len(data):
                self.input.appendleft(data[done:])
                self.mux.watch(self.stdin, lambda _events: self.push(), select.EPOLLOUT)
                return
        if self.stdin is not None:
            self.mux.forget(self.stdin)
            if self.input_ended:
                self.close_input()

    def close_input(self):
        if self.stdin is not None:
            self.mux.forget(self.stdin)
            os.close(self.stdin)
            self.stdin = self.terminal = None

    def kill(self, grace):
        self.killed = True
        if self.slot and self.report is None:
            self.slot.tell(b"T" + json.dumps(grace).encode())

    def tick(self, now):
        """Wakes a keeper the script has stopped, and has the script show what it has printed."""
        if self.report is not None:
            if self.paused or self.mux.moving:  # the host is behind, nobody else
                self.give_up = now + DRAIN
            elif now > self.give_up:
                self.more["drain_incomplete"] = True
                for fd in self.open.values():
                    self.mux.forget(fd)
                    os.close(fd)
                self.open = {}
                self.finish()
            return
        if self.slot.keeper:
            try:
                with open("/proc/%d/stat" % self.slot.keeper, "rb") as f:
                    if f.read().rpartition(b")")[2].split(None, 1)[0] in b"Tt":
                        send_signal([self.slot.keeper], signal.SIGCONT)
            except OSError:
                pass
        if self.live and now - max(self.spoke, self.nudged) > 0.15:
            self.nudged = now
            self.slot.tell(b"N")

    def ended(self, report, more):
        """Takes the keeper's report, as it is; `more` is what we know besides."""
        self.report, self.more, self.slot = report, more, None
        if self.visit:
            told = self.mux.shell.leave(self.visit, self.killed or self.apart or b'"code"' not in report or more)
            if told:
                more["shell"] = told
        self.give_up = time.monotonic() + DRAIN
        self.close_input()
        for stream in list(self.open):
            self.pump(stream)
        self.finish()

    def finish(self):
        if self.report is not None and not self.open and self.mux.jobs.pop(self.number, None):
            if self.more:
                self.report = json.dumps(dict(json.loads(self.report), **self.more)).encode()
            self.mux.send(b"x", self.number, self.report)


def end_of_file(terminal):
    """Returns the character that ends the input of whoever reads this terminal, Ctrl-D as a rule."""
    try:
        return termios.tcgetattr(terminal)[6][termios.VEOF]
    except (termios.error, OSError):
        return b"\x04"


def waiting_in(fd):
    return struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"    "))[0]


# ---- shells -------------------------------------------------------------------------------------------------------

# What a shell writes when its command line is through: behind the command line, in the same nameless file.
STATE = r"""@ printf "\0state\0%s\0%s\0" "${PWD-}" "${OLDPWD-}"; @ export -p; @ printf "\0end";"""

# The programs of all shells. Nothing of a user's is in them, so nothing of theirs shows in `ps`. While a command line
# runs, its descriptor is closed and the shell keeps a copy that no child inherits; at an `exit` that copy may be all
# there is, and the sticky bit tells it from a file of the user's. Braces keep a `set -x` from showing our own steps, and
# one line it is for the sake of $LINENO.
BASH = " ".join((
    r"""IFS= @ read -r -d "" -u 98 __talaria;""", "%RESTORE%", r"""@ trap '{ for __talaria in 98 10 11 12; do""",
    r"""if [[ -k /proc/self/fd/$__talaria ]]; then {""", STATE,
    r"""} >>/proc/self/fd/$__talaria; @ break; fi; done; } 2>/dev/null' EXIT;""",
    r"""@ eval "@ unset __talaria; $__talaria" 98>&-; { __talaria=$?; {""", STATE, r"""} >&98; \exec 98>&-;""",
    r"""@ exit $__talaria; } 2>/dev/null""")).replace("@", r"\builtin")
RESTORED_BASH = BASH.replace("%RESTORE%", r"\builtin . /proc/self/fd/99; \exec 99<&-;")
BASH = BASH.replace("%RESTORE% ", "")
SH = " ".join((
    r"""trap '{ for __talaria in 9 10 11 12; do if [ -k /proc/self/fd/$__talaria ]; then {""", STATE,
    r"""} >>/proc/self/fd/$__talaria; break; fi; done; } 2>/dev/null' EXIT;""",
    r"""eval ". /proc/self/fd/8" 9>&-; { __talaria=$?; {""", STATE, r"""} >&9; exec 9>&-;""",
    r"""exit $__talaria; } 2>/dev/null""")).replace("@", "command")
# What a login shell has that a new shell has not; a plain one is asked for what is usual.
SNAPSHOT = r"""{ printf "\0state\0\0\0"; export -p; printf "\0"; declare -f; printf "\0"; alias -p; printf "\0"; shopt -p; set +o
umask -p; printf "\0"; BASH_ENV= "$BASH" --norc --noprofile -O expand_aliases -c "umask $1; shopt -p; set +o; umask -p"
printf "\0end"; } >&98 2>/dev/null"""
NO_BASH = ("There is no bash in this sandbox: sh runs the commands. Exported variables and the folder persist; the login "
           "shell's functions, aliases and options are not loaded.")
LARGEST_STATE = 16 << 20
PRIVATE = ("PWD", "OLDPWD", "SHLVL", "_", "SHELLOPTS", "BASHOPTS", "PPID", "UID", "EUID", "IFS", "LINENO", "RANDOM")
PRIVATE_PREFIXES = ("HERMES_RPC_", "BASH_", "TALARIA_", "SUDO_ASKPASS")


def nameless_file(content, staging):
    """Returns a descriptor of a file that has no name; only whoever inherits it can read it."""
    try:
        fd = os.memfd_create("talaria", os.MFD_CLOEXEC)
    except (AttributeError, OSError):  # an old kernel
        name = "%s/f%s" % (staging, os.urandom(8).hex())
        fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(name)
    os.fchmod(fd, 0o1600)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
    while content:
        content = content[os.write(fd, content):]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


class Exports:
    """Reads what `export -p` prints, in the dialects of bash, dash and busybox."""
    LINE = re.compile(rb"""(?:declare -(\S+)|export) ([A-Za-z_]\w*)(?:=((?:"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'|'[^']*'"""
                      rb"""|\\.|[^\s"'\\])*))?\n""", re.S)
    PART = re.compile(rb""""((?:[^"\\]|\\.)*)"|\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\\(.)|([^\s"'\\]+)""", re.S)
    ESCAPED = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.S)
    UNQUOTED = re.compile(rb'\\([$`"\\])')
    LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"v": b"\v", b"f": b"\f", b"E": b"\x1b",
               b"e": b"\x1b"}

    @classmethod
    def read(cls, text):
        found = {}
        for attributes, name, value in cls.LINE.findall(text):
            if value and b"a" not in attributes.lower():
                found[os.fsdecode(name)] = os.fsdecode(b"".join(map(cls.part, cls.PART.findall(value))))
        return found

    @classmethod
    def part(cls, groups):
        double, ansi, single, escaped, bare = groups
        if double:
            return cls.UNQUOTED.sub(rb"\1", double)
        if ansi:
            return cls.ESCAPED.sub(cls.escape, ansi)
        return single or escaped or bare

    @classmethod
    def escape(cls, match):
        code = match.group(1)
        if code[:1].isdigit():
            return bytes((int(code, 8) & 0xff,))
        if code[:1] == b"x" and len(code) > 1:
            return bytes((int(code[1:], 16),))
        return cls.LETTERS.get(code, code)


class Visit:
    """One command line in a shell: what it began with, to see what it has changed."""

    def __init__(self, fds, length, environment, cwd, moves, snapshot):
        self.fds, self.length, self.environment, self.cwd = fds, length, environment, cwd
        self.moves, self.snapshot, self.note = moves, snapshot, None
        self.sudo = False  # whether it may ask for sudo's password

    def written(self):
        """Returns what the shell wrote at its end, in parts; nothing if it did not get that far."""
        size = min(os.fstat(self.fds[0]).st_size - self.length, LARGEST_STATE)
        text = os.pread(self.fds[0], size, self.length) if size > 0 else b""
        start = text.rfind(b"\0state\0")
        return text[start + 7:-4].split(b"\0") if start >= 0 and text.endswith(b"\0end") else []

    def close(self):
        fds, self.fds = set(self.fds), ()
        for fd in fds:
            os.close(fd)

    __del__ = close  # of one that never began


class Shell:
    """What survives from one command line to the next. It is kept here, in memory, and changed between two events only:
    no command sees half of it, and no secret reaches a disk."""

    def __init__(self):
        self.exports = None  # all that is exported but for names that are never kept
        self.cwd = self.previous = None
        self.script, self.script_fd = b"", None  # functions, aliases and options; and a file of them
        self.never, self.known = (), {}  # parts of names that are not kept; names already judged
        self.seen = b"", {}  # the last `export -p`, and what it meant
        self.hidden = None  # a folder on some command lines' PATH that is not kept
        self.programs = {}  # where the shell was found last

    def keeps(self, name):
        known = self.known.get(name)
        if known is None:
            upper = name.upper()
            known = self.known[name] = name.isidentifier() and not (
                name in PRIVATE or name.startswith(PRIVATE_PREFIXES) or any(word in upper for word in self.never))
        return known

    def program(self, name, path):
        known = self.programs.get((name, path))
        if not known or not os.access(known, os.X_OK):
            candidates = [folder + "/" + name for folder in path.split(":") + ["/bin", "/usr/bin", "/usr/local/bin"]]
            known = next((c for c in candidates if c.startswith("/") and os.access(c, os.X_OK)), None)
            self.programs = {(name, path): known}
        return known

    def enter(self, mux, p, child, environment):
        """Completes the child's parameters; returns its visit and its environment."""
        line = p["shell"]
        if "never" in line:
            self.never, self.known = tuple(line["never"]), {}
        take, workdir = line.get("take"), line.get("workdir")
        bash = self.program("bash", environment.get("PATH", ""))
        if self.exports is not None:
            kept = {k: v for k, v in environment.items() if not self.keeps(k)}
            kept.update(self.exports)
            environment = kept
        environment.setdefault("PAGER", "cat")
        environment.setdefault("GIT_PAGER", "cat")
        environment.update(line.get("own", ()))
        note = None if bash else NO_BASH
        home = environment.get("HOME") or os.path.expanduser("~")
        cwd = self.cwd or self.expand(p.get("cwd") or mux.config["cwd_at_start"], home)
        if workdir:
            cwd = os.path.join(cwd, self.expand(workdir, home))
        elif self.cwd and not os.path.isdir(cwd):
            while cwd != "/" and not os.path.isdir(cwd):
                cwd = os.path.dirname(cwd)
            note = "The folder %s of this session is gone; the command ran in %s." % (self.cwd, cwd)
        environment.pop("SHLVL", None)  # of whatever shell started us
        environment["PWD"] = cwd if "/.." not in cwd else ""  # some shells would show it as it is
        if self.previous:
            environment["OLDPWD"] = self.previous
        text = line.get("command", "").encode("utf-8", "surrogatepass")
        assisted = environment
        if line.get("sudo") and mux.sudo.ready(environment.get("PATH", "")):
            self.hidden = mux.sudo.folder
            assisted = dict(environment, PATH=mux.sudo.folder + ":" + environment.get("PATH", ""))
            text = mux.sudo.before(text, take == "login", bash) + text
        fds = [nameless_file(text if bash else b"\\exec 8>&-;" + text, mux.staging)]
        length = os.fstat(fds[0]).st_size
        child.update(cwd=cwd, merged=True, program=bash or self.program("sh", environment.get("PATH", "")) or "/bin/sh")
        if not bash:
            child.update(argv0=["sh", "-c", SH], fds=[8, 9])
            fds.append(fds[0])
        elif take == "snapshot":
            child.update(argv0=["bash", "-l", "-O", "expand_aliases", "-c", SNAPSHOT, "bash", "%04o" % current_umask()],
                         fds=[98])
        else:
            restored = self.script and take != "login"
            # --norc: below an sshd, bash would read ~/.bashrc before every command
            child.update(argv0=["bash", "-l" if take == "login" else "--norc",
                                "-O", "expand_aliases", "-c", RESTORED_BASH if restored else BASH],
                         fds=[98, 99] if restored else [98])
            if restored:  # each shell opens it anew, so one file will do
                self.script_fd = self.script_fd or nameless_file(self.script, mux.staging)
                fds.append(os.dup(self.script_fd))
        visit = Visit(fds, length, environment, cwd, not workdir, take == "snapshot")
        visit.note, visit.sudo = note, assisted is not environment
        return visit, assisted

    @staticmethod
    def expand(path, home):
        if path == "~" or path.startswith("~/"):
            return home + path[1:]
        return os.path.expanduser(path)

    def leave(self, visit, failed):
        """Takes over what a command line has changed, unless it was killed; returns what the host should know."""
        try:
            parts = [] if failed else visit.written()
        finally:
            visit.close()
        told = {"note": visit.note} if visit.note else {}
        if visit.snapshot:
            if len(parts) == 7:
                self.take_snapshot(parts, visit.environment)
                told["cwd"] = visit.cwd
            elif visit.note:  # no bash, nothing to take
                told["cwd"] = visit.cwd
        elif len(parts) == 3:
            self.take_exports(parts[2], visit)
            cwd, previous = os.fsdecode(parts[0]), os.fsdecode(parts[1])
            if visit.moves and cwd.startswith("/") and cwd != visit.cwd:
                self.cwd, self.previous = cwd, previous
                if os.path.realpath(cwd) != os.path.realpath(visit.cwd):
                    told["cwd"] = cwd
        return told

    def take_exports(self, text, visit):
        """Applies the changes alone, so that two command lines at the same time keep both of theirs."""
        if text != self.seen[0]:
            self.seen = text, {k: v for k, v in Exports.read(text).items() if self.keeps(k)}
            if self.hidden and "PATH" in self.seen[1]:
                path = self.seen[1]["PATH"].split(":")
                self.seen[1]["PATH"] = ":".join(folder for folder in path if folder != self.hidden)
        before = {k: v for k, v in visit.environment.items() if self.keeps(k)}
        after = self.seen[1]
        if self.exports is None:
            self.exports = dict(before)
        if before != after:
            self.exports.update((k, v) for k, v in after.items() if before.get(k) != v)
            for name in before.keys() - after.keys():
                self.exports.pop(name, None)

    def take_snapshot(self, parts, environment):
        exports = {k: v for k, v in Exports.read(parts[2]).items() if self.keeps(k)}
        given = {k: v for k, v in environment.items() if self.keeps(k)}
        # What was prepared for this sandbox wins over a profile, which may add folders to the PATH.
        path = given.get("PATH", "").split(":") if given.get("PATH") else []
        path += [folder for folder in exports.get("PATH", "").split(":") if folder and folder not in path]
        self.exports = dict(exports, **given)
        if path:
            self.exports["PATH"] = ":".join(path)
        usual = set(parts[6].splitlines())
        options = [line for line in parts[5].splitlines()
                   if b"login_shell" not in line and b"restricted_shell" not in line and line not in usual
                   and line not in (b"set -o errexit", b"set -o nounset", b"set -o noexec")]
        aliases = parts[4].strip()
        functions = wanted_functions(parts[3], aliases)
        self.script = b"".join(part + b"\n" for part in options + functions + [aliases] if part)


def wanted_functions(text, aliases):
    """Leaves out functions for completion and prompts, which begin with one underscore, unless another one uses them:
    every command line has to read what is left."""
    found = dict(re.findall(rb"^(\S+) \(\) \n(.*?^\})", text, re.M | re.S))
    private = [name for name in found if name[:1] == b"_" and name[1:2] != b"_"]
    kept = {name: body for name, body in found.items() if name not in private}
    todo = list(kept.values()) + [aliases]
    while todo:
        words = set(re.findall(rb"[\w.:-]+", todo.pop()))
        for name in private:
            if name in words and name not in kept:
                kept[name] = found[name]
                todo.append(found[name])
    return [name + b" ()\n" + body for name, body in kept.items()]


def current_umask():
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


# ---- sudo ---------------------------------------------------------------------------------------------------------

# Stands in front of sudo on the PATH of a command line that names it: has the password come through our helper, unless
# the caller says how it is to come (-S, -A), that it is not (-n), or would be told that -A does not go with it (-K).
SUDO = r"""#!/bin/sh
value= own=
for word; do
    if [ "$value" ]; then value=; continue; fi
    case $word in
    -- | -) break ;;
    --st* | --non* | --as* | --remove*) own=1 ;;
    --user | --group | --prompt | --close-from | --chdir | --host | --chroot | --role | --type | --command-timeout | --other-user)
        value=1 ;;
    --*) ;;
    -*)
        letters=${word#-}
        while [ "$letters" ]; do
            case $letters in
            [SAnK]*) own=1 ;;
            [acCDghprRtTuU]) value=1 ;;
            [acCDghprRtTuU]*) break ;;
            esac
            letters=${letters#?}
        done ;;
    *=*) ;;
    *) break ;;
    esac
done
if [ ! "$own" ]; then
    export SUDO_ASKPASS=%HELPER%
    set -- -A "$@"
fi
exec %SUDO% "$@"
"""
# sudo runs it to get a password, and reads what it prints. It hands its output to us: the password is never in it.
ASKPASS = r"""#!/bin/sh
exec %PYTHON% -IS -c 'import _socket, os, sys
s = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
s.connect(sys.argv[1] + "/sudo.sock")
s.sendmsg([b"?"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, (1).to_bytes(4, sys.byteorder))])
said = s.recv(4096)
os.write(2, said[1:])
sys.exit(said[:1] != b"+")' "${0%/*}"
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


class Sudo:
    """Hands sudo its password. The host has it and says it once for each question; here it is in no file, no
    environment and no argv, and goes straight into sudo's own pipe."""

    def __init__(self, mux):
        self.mux, self.folder, self.program, self.helper = mux, None, None, None
        self.asks, self.count = {}, 0

    def ready(self, path):
        """Returns whether there is a sudo that may want a password, and prepares for it."""
        if self.folder is None and os.geteuid() != 0 and self.mux.staging:
            program = self.mux.shell.program("sudo", path)
            try:
                state = os.stat(program or "/nowhere")
                if state.st_uid == 0 and state.st_mode & stat.S_ISUID:
                    self.prepare(program)
            except OSError:
                pass  # none, or no room for ours: sudo says by itself what it lacks
        return self.folder is not None

    def prepare(self, program):
        staging = self.mux.staging
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(staging + "/sudo.sock")
        listener.listen(64)
        listener.setblocking(False)
        self.program, self.helper = program, staging + "/askpass"
        os.mkdir(staging + "/sudo", 0o700)
        for path, text in ((self.helper, ASKPASS.replace("%PYTHON%", quoted(sys.executable))),
                           (staging + "/sudo/sudo", SUDO.replace("%HELPER%", quoted(self.helper)))):
            write_file(path, text.replace("%SUDO%", quoted(program)).encode("utf-8", "surrogateescape"))
            os.chmod(path, 0o700)
        if os.access(self.helper, os.X_OK):  # else what is there is not to be executed
            self.listener, self.folder = listener, staging + "/sudo"
            self.mux.watch(listener.fileno(), self.on_connect)

    def before(self, text, login, bash):
        """Returns what has to precede a command line: a login shell sets its own PATH, a full path uses none."""
        first = "PATH=%s:$PATH; " % quoted(self.folder) if login else ""
        if bash and os.fsencode(self.program) in text:
            first += "function %s { %s \"$@\"; }; " % (self.program, quoted(self.folder + "/sudo"))
        return os.fsencode(first)

    def on_connect(self, _events):
        try:
            sock, _ = self.listener.accept()
        except OSError:
            return
        sock.setblocking(False)
        self.mux.watch(sock.fileno(), lambda _events: self.on_helper(sock))

    def asker(self, helper):
        """Returns the job that a helper belongs to, and the sudo that runs it; nothing if that is none."""
        known = parents()
        sudo = known.get(helper, (0, b""))[0]
        try:
            with open("/proc/%d/status" % sudo, "rb") as f:
                status = f.read()
        except OSError:
            return None, 0, False
        effective = re.search(rb"^Uid:\s+\d+\s+(\d+)", status, re.M)
        if not status.startswith(b"Name:\tsudo") or not effective or effective.group(1) != b"0":
            return None, 0, False
        keepers = {job.slot.keeper: job for job in self.mux.jobs.values() if job.slot and job.visit and job.visit.sudo}
        above = known.get(sudo, (0, b""))[0]
        ending = above in keepers and self.ends(sudo)
        while above > 1 and above not in keepers:
            above = known.get(above, (0, b""))[0]
        return keepers.get(above), sudo, ending

    @staticmethod
    def ends(sudo):
        """Returns whether it is the keeper's own sudo, which ends what the command left: no reason to ask a person."""
        try:
            with open("/proc/%d/cmdline" % sudo, "rb") as f:
                return os.fsencode(KILL) in f.read().split(b"\0")
        except OSError:
            return True

    def on_helper(self, sock):
        number = next((n for n, ask in self.asks.items() if ask[0] is sock), None)
        try:
            data, fds = receive_with_fds(sock)
        except BlockingIOError:
            return
        except OSError:
            data, fds = b"", []
        if data and number is None and len(fds) == 1 and stat.S_ISFIFO(os.fstat(fds[0]).st_mode):
            self.ask(sock, fds[0])
            return
        for fd in fds:
            os.close(fd)
        if number is not None:  # it has gone before there was an answer
            os.close(self.asks.pop(number)[1])
        self.mux.forget(sock.fileno())
        refuse(sock, "this is for sudo alone.")

    def ask(self, sock, pipe):
        helper, uid, _gid = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        job, sudo, ending = self.asker(helper) if uid == os.getuid() else (None, 0, False)
        if job is None:
            os.close(pipe)
            self.mux.forget(sock.fileno())
            refuse(sock, "this is for sudo alone.")
            return
        os.set_blocking(pipe, False)  # sudo's end stays as it is
        self.count += 1
        self.asks[self.count] = sock, pipe
        self.mux.send(b"a", job.number, json.dumps({"ask": self.count, "sudo": sudo, "ending": ending}).encode())

    def answer(self, number, password, why):
        sock, pipe = self.asks.pop(number, (None, None))
        if sock is None:
            return
        self.mux.forget(sock.fileno())
        try:
            if password is not None:
                os.write(pipe, password.encode() + b"\n")
                sock.send(b"+")
                sock.close()
            else:
                refuse(sock, why)
        except OSError:
            sock.close()
        os.close(pipe)


def refuse(sock, why):
    try:
        sock.send(b"-talaria: " + why.encode() + b"\n")
    except OSError:
        pass
    sock.close()


class Connection:
    """A tool-call connection from a script, passed on to the host byte by byte."""

    def __init__(self, mux, number, sock, window):
        self.mux, self.number, self.sock, self.credit = mux, number, sock, window
        self.out, self.pending = collections.deque(), 0
        self.paused = False
        sock.setblocking(False)
        mux.watch(sock.fileno(), self.on_event)

    def on_event(self, events):
        if events & select.EPOLLOUT:
            self.push()
        if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
            self.pump()

    def pump(self):
        if self.sock.fileno() < 0:
            return
        if self.credit <= 0:
            self.paused = True
            self.remask()
            return
        try:
            data = self.sock.recv(min(self.credit, BIG_PIPE))
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.credit -= len(data)
            self.mux.send(b"d", self.number, data)
        else:
            self.close(True)

    def add_credit(self, amount):
        self.credit += amount
        if self.paused:
            self.paused = False
            self.remask()

    def remask(self):
        self.mux.mask(self.sock.fileno(), (0 if self.paused else select.EPOLLIN) | (select.EPOLLOUT if self.out else 0))

    def feed(self, data):
        self.out.append(data)
        self.pending += len(data)
        if self.pending > MAX_FRAME:  # it asks and never listens
            self.close(True)
        elif len(self.out) == 1:
            self.push()

    def push(self):
        while self.out:
            try:
                done = self.sock.send(self.out[0])
            except BlockingIOError:
                break
            except OSError:
                self.close(True)
                return
            self.pending -= done
            if done < len(self.out[0]):
                self.out[0] = self.out[0][done:]
            else:
                self.out.popleft()
        self.remask()

    def close(self, tell):
        if self.mux.connections.pop(self.number, None):
            self.mux.forget(self.sock.fileno())
            self.sock.close()
            if tell:
                self.mux.send(b"c", self.number, b"")


class Mux:
    def __init__(self, into, out, config):
        self.into, self.out_fd, self.config = into, out, config
        self.epoll = select.epoll()
        self.handlers = {}
        self.out, self.out_on = collections.deque(), False
        self.buffer = bytearray()
        self.jobs, self.connections, self.zygotes, self.uploads = {}, {}, {}, {}
        self.later, self.resting = collections.deque(), []
        self.next_connection = 0
        self.heard = self.ticked = self.worked = time.monotonic()
        self.staging = self.listener = None
        self.moving = False  # whether the kernel still has to move a pipe's content to the host
        self.folders = 0
        self.queue, self.young = {}, []  # runs that wait to begin, and those that have just begun
        self.environments, self.sources = {}, {}
        self.shell, self.sudo = Shell(), Sudo(self)

    # -- plumbing

    def watch(self, fd, handler, events=select.EPOLLIN):
        if fd in self.handlers:
            self.epoll.modify(fd, events)
        else:
            self.epoll.register(fd, events)
        self.handlers[fd] = handler

    def mask(self, fd, events):
        self.epoll.modify(fd, events)

    def forget(self, fd):
        if self.handlers.pop(fd, None):
            try:
                self.epoll.unregister(fd)
            except OSError:
                pass

    def send(self, kind, number, payload, to_follow=0):
        header = HEADER.pack(len(payload) + to_follow, kind, number)
        if not self.out:
            try:
                done = os.writev(self.out_fd, (header, payload))
            except BlockingIOError:
                done = 0
            except OSError:
                self.leave()
            if done == len(header) + len(payload):
                return
            if done < len(header):
                self.out.append(header[done:])
            self.out.append(memoryview(payload)[max(0, done - len(header)):])
            self.watch_out()
        else:
            self.out.append(header)
            self.out.append(payload)

    def move(self, kind, number, fd, count):
        """Sends a frame whose payload is in a pipe already: the kernel moves it, we do not read it."""
        self.send(kind, number, b"", count)
        self.moving = True
        self.out.append([fd, count])
        self.flush()
        if self.out:
            self.watch_out()

    def watch_out(self):
        if self.out_fd == self.into:
            self.mask(self.into, select.EPOLLIN | (select.EPOLLOUT if self.out else 0))
        elif self.out:
            self.watch(self.out_fd, self.flush, select.EPOLLOUT)
        else:
            self.forget(self.out_fd)

    def flush(self, _events=0):
        while self.out:
            first = self.out[0]
            try:
                if isinstance(first, list):
                    if not waiting_in(first[0]):  # a script drank from its own pipe: the frame is still to be filled
                        self.out[0] = bytes(first[1])
                        self.moving = False
                        continue
                    first[1] -= os.splice(first[0], self.out_fd, first[1], flags=os.SPLICE_F_NONBLOCK)
                    if first[1]:
                        continue
                    self.moving = False
                else:
                    done = os.write(self.out_fd, first)
                    if done < len(first):
                        self.out[0] = memoryview(first)[done:]
                        continue
            except BlockingIOError:
                return
            except OSError:
                self.leave()
            self.out.popleft()
        self.watch_out()

    def on_host(self, events):
        if events & select.EPOLLOUT:
            self.flush()
        if not events & ~select.EPOLLOUT:
            return
        try:
            data = os.read(self.into, BIG_PIPE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.leave()
        self.heard = time.monotonic()
        buffer = self.buffer
        buffer += data
        start = 0
        while len(buffer) - start >= 9:
            length, kind, number = HEADER.unpack_from(buffer, start)
            if length > MAX_FRAME:
                self.leave()
            if len(buffer) - start - 9 < length:
                break
            payload = bytes(buffer[start + 9:start + 9 + length])
            start += 9 + length
            self.dispatch(kind, number, payload)
        del buffer[:start]

    def dispatch(self, kind, number, payload):
        try:
            self.ORDERS[kind](self, number, payload)
        except OSError as e:
            what = "%s: %s" % (e.filename, e.strerror) if e.filename else e.strerror or str(e)
            self.fail(number, what, errno.errorcode.get(e.errno, ""))
        except Exception as e:  # our bug, or what no host of ours sends: it must not end the other runs
            self.fail(number, "%s: %s" % (type(e).__name__, e), "")

    def fail(self, number, what, code):
        self.jobs.pop(number, None)
        self.send(b"!", number, json.dumps({"error": what, "errno": code}).encode())

    def loop(self):
        signal.signal(signal.SIGCHLD, lambda *_: None)
        wake, wake_in = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(wake_in, False)
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)

        def on_child(_events):
            os.read(wake, 4096)
            reap()
        self.watch(wake, on_child)
        os.set_blocking(self.into, False)
        os.set_blocking(self.out_fd, False)
        self.watch(self.into, self.on_host)
        self.send(b"r", 0, json.dumps({
            "version": VERSION, "pid": os.getpid(), "uid": os.getuid(), "python": sys.executable,
            "python_version": list(sys.version_info[:3]), "staging": self.staging, "home": os.path.expanduser("~"),
            "subreaper": self.subreaper, "cwd": self.config.get("cwd_at_start", "/"),
            "socket": self.listener and self.listener.getsockname()}).encode())
        while True:
            busy = bool(self.jobs)
            resting, self.resting = self.resting, []
            for fd, events in self.epoll.poll(
                    0 if self.later else 0.001 if resting or self.queue else 0.1 if busy else 5.0):
                handler = self.handlers.get(fd)
                if handler:
                    handler(events)
            for job, stream in resting:
                job.rise(stream)
            for _ in range(len(self.later)):
                self.later.popleft()()
            now = time.monotonic()
            if self.young:
                self.admit(now)
            if now - self.ticked >= 0.1:
                self.tick(now)

    def tick(self, now):
        self.ticked = now
        if now - self.heard > self.config["lease"]:
            self.leave()
        for job in list(self.jobs.values()):
            job.tick(now)
        if self.jobs:
            self.worked = now
        elif now - self.worked > 2:
            for zyg in self.zygotes.values():
                zyg.dismiss()

    def leave(self):
        """The host is gone: closed sockets make every keeper kill its tree and leave."""
        self.end_snapshots()
        for zyg in list(self.zygotes.values()):
            zyg.sock.close()
            for slot in zyg.slots:
                slot.sock.close()
        for job in self.jobs.values():  # some may be of a zygote that was replaced
            if job.slot:
                job.slot.sock.close()
        limit = time.monotonic() + 5
        keepers = {s.keeper for z in self.zygotes.values() for s in z.slots if s.keeper}
        keepers |= {j.slot.keeper for j in self.jobs.values() if j.slot}
        while keepers and time.monotonic() < limit:
            reap()
            keepers = {pid for pid in keepers if os.path.exists("/proc/%d" % pid)}
            time.sleep(0.001)

        def left():
            nobody_left, _status = reap()
            return [] if nobody_left else self.strays(())
        kill_all(left, time.sleep, 2)
        if self.staging:
            remove_tree(self.staging)
        os._exit(0)

    def end_snapshots(self):
        """A profile that is killed may leave a lock behind, pyenv's does, that holds up every later login of its user:
        it gets a moment to tidy up."""
        slots = [job.slot for job in self.jobs.values() if job.slot and job.visit and job.visit.snapshot]
        for slot in slots:
            slot.tell(b"T0.3")
        for slot in slots:
            ended = select.poll()
            ended.register(slot.sock, select.POLLIN)
            ended.poll(400)

    def strays(self, spared):
        seen, me = parents(), os.getpid()
        return [pid for pid, (parent, state) in seen.items() if parent == me and pid not in spared and state != b"Z"]

    def kill_strays(self):
        """Ends what a killed keeper left: all our children but the zygotes and keepers we know."""
        spared = {z.pid for z in self.zygotes.values()}
        spared |= {s.keeper for z in self.zygotes.values() for s in z.slots if s.keeper}
        spared |= {j.slot.keeper for j in self.jobs.values() if j.slot and j.slot.keeper}

        def find():
            reap()
            return self.strays(spared)
        kill_all(find, lambda seconds: time.sleep(seconds / 4))

    # -- what the host asks for

    def on_run(self, number, payload):
        """Starts a run, but few at the same time: fifty that begin at once would only take each other's caches."""
        p = json.loads(payload)
        if not p.get("stdin") and (self.queue or len(self.young) >= YOUNG):
            self.queue[number] = p
        else:
            self.begin(number, p)

    def admit(self, now):
        """Starts runs that had to wait; one counts as beginning until it has ended, or for a few milliseconds."""
        self.young = [(since, job) for since, job in self.young if job.report is None and now - since < YOUTH]
        while self.queue and len(self.young) < YOUNG:
            number = next(iter(self.queue))
            p = self.queue.pop(number)
            try:
                self.begin(number, p)
            except Exception as e:
                self.fail(number, str(e), "")

    def begin(self, number, p):
        environment = self.environment_of(p)
        # An interpreter that scripts will use, too, must not begin with a command's PYTHONHOME or LD_LIBRARY_PATH.
        base = environment if p["kind"] == "script" else os.environ
        spawns = "shell" in p and not p.get("pty") and not p.get("memory")  # those two need steps before the exec
        slot = self.zygote(p.get("python") or sys.executable, base).slot(spawns)
        try:
            self.start(number, p, slot, environment)
        except Exception:
            slot.zygote.drop(slot)
            slot.close()
            raise

    def start(self, number, p, slot, environment):
        child = {"memory": p.get("memory"), "cwd": p.get("cwd")}
        if p["kind"] == "script":
            if not slot.folder:
                raise OSError("No folder is writable here. Make one of TMPDIR, /tmp, /dev/shm or ~/.cache writable.")
            folder = os.open(slot.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                write_file("script.py", p["code"].encode("utf-8", "surrogatepass"), folder)
            finally:
                os.close(folder)
            child.update(folder=slot.folder, args=p["args"], cwd=child["cwd"] or slot.folder,
                         stubs=self.stubs(p.get("stub"), p["stub_hash"]))
            environment["PYTHONPATH"] = os.pathsep.join(
                e for e in (child["stubs"], environment.get("PYTHONPATH")) if e)
            socket_path = p.get("socket") or self.listener and self.listener.getsockname()
            if socket_path:
                environment["HERMES_RPC_SOCKET"] = socket_path
        else:
            child.update(argv0=p.get("argv"), cwd=child["cwd"] or self.config["cwd_at_start"])
        visit = None
        if "shell" in p:
            visit, environment = self.shell.enter(self, p, child, environment)
        if slot.spawns:
            child.update(env=environment, folder=slot.folder, announced=bool(p.get("background")))
        else:
            base = slot.zygote.environment
            child["set"] = {k: v for k, v in environment.items() if base.get(k) != v}
            child["unset"] = [k for k in base if k not in environment]
        job = self.jobs[number] = Job(self, number, p, slot, self.config["window"])
        job.visit = visit
        self.young.append((time.monotonic(), job))
        if p.get("processes"):
            slot.tell(b"L%d" % p["processes"])
        if visit and visit.sudo:
            slot.tell(b"A" + json.dumps((self.sudo.program, self.sudo.helper)).encode())
        if slot.spawns:
            job.begun = True  # the keeper says so by telling the number
        elif p.get("background"):
            slot.tell(b"P")  # before the run can end
            self.watch(slot.gate.fileno(), slot.on_gate)
        if job.terminal is not None:
            child["pty"] = True
        self.launch(slot, job, child, p.get("stdin"))

    def launch(self, slot, job, child, wants_input):
        if job.terminal is not None:
            give = [slot.pipes[b"O"][1]] * 3
            job.stdin = job.terminal
        else:
            give = [self.null, slot.pipes[b"O"][1], slot.pipes[b"O" if child.get("merged") else b"E"][1]]
        if wants_input and job.terminal is None:
            give[0], job.stdin = os.pipe()
            os.set_blocking(job.stdin, False)
        data = marshal.dumps(child, 2)
        if len(data) > MESSAGE - 4096:
            name = "%s/p%d" % (self.staging, job.number)
            write_file(name, data)
            data = marshal.dumps({"file": name}, 2)
        if slot.spawns:
            way, data = slot.sock, b"S" + data
        else:
            way = slot.gate
        try:
            send_with_fds(way, data, give + (job.visit.fds if job.visit else []))
        finally:
            for fd in {into for _out, into in slot.pipes.values()} | set(give) - {self.null}:
                os.close(fd)
            slot.pipes = {}

    def environment_of(self, p):
        """The host sends an environment once and then its name; a run adds its own variables."""
        if "env" in p:
            self.environments[p["env_hash"]] = p["env"]
        environment = dict(os.environ) if p.get("inherit") else {}
        environment.update(self.environments[p["env_hash"]])
        environment.update(p.get("env_own") or {})
        return environment

    def stubs(self, source, digest):
        if source is not None:
            self.sources[digest] = source
        folder = "%s/s%s" % (self.staging, digest)
        if not os.path.exists(folder + "/hermes_tools.py"):
            os.makedirs(folder, 0o700, exist_ok=True)
            with open(folder + "/.new", "w", encoding="utf-8") as f:
                f.write(self.sources[digest])
            os.rename(folder + "/.new", folder + "/hermes_tools.py")
        return folder

    def zygote(self, python, environment):
        zyg = self.zygotes.get(python)
        if zyg and zyg.identity != Zygote.look(python):
            zyg.close()
            zyg = None
        if not zyg:
            zyg = self.zygotes[python] = Zygote(self, python, environment)
        return zyg

    def on_warm(self, number, payload):
        p = json.loads(payload)
        self.zygote(p.get("python") or sys.executable, self.environment_of(p)).fill()

    def on_input(self, number, payload):
        if number in self.uploads:
            self.uploads[number].write(payload)
        elif number in self.jobs:
            self.jobs[number].feed(payload)

    def on_input_end(self, number, payload):
        if number in self.uploads:
            self.uploads.pop(number).commit(number)
        elif number in self.jobs:
            self.jobs[number].end_input()

    def on_apart(self, number, payload):
        """From now on a job leaves nothing to its session. Whoever asks hears first of one that has ended already."""
        job = json.loads(payload)["job"]
        if job in self.jobs:
            self.jobs[job].apart = True
        elif job in self.queue:
            self.queue[job]["apart"] = True
        self.send(b"g", number, b"{}")

    def on_line(self, number, payload):
        """Tells what would run a command line in this session's shell, for a guardian that starts it itself."""
        p, child = json.loads(payload), {}
        visit, environment = self.shell.enter(self, p, child, self.environment_of(p))
        files = [os.pread(fd, os.fstat(fd).st_size, 0).decode("latin-1") for fd in visit.fds]
        told = json.dumps(dict(child, env=environment, files=files, note=visit.note)).encode()
        visit.close()
        for at in range(0, len(told), BIG_PIPE):
            self.send(b"f", number, told[at:at + BIG_PIPE])
        self.send(b"g", number, b"{}")

    def on_resize(self, number, payload):
        if number in self.jobs:
            p = json.loads(payload)
            self.jobs[number].resize(p["rows"], p["columns"])

    def on_kill(self, number, payload):
        if self.queue.pop(number, None):
            self.send(b"x", number, b'{"signal": 15}')
        elif number in self.jobs:
            self.jobs[number].kill(json.loads(payload)["grace"])

    def on_credit(self, number, payload):
        stream, amount = CREDIT.unpack(payload)
        if stream == b"d":
            if number in self.connections:
                self.connections[number].add_credit(amount)
        elif number in self.jobs:
            self.jobs[number].add_credit(stream, amount)

    def on_answer(self, number, payload):
        if number in self.connections:
            self.connections[number].feed(payload)

    def on_hang_up(self, number, payload):
        if number in self.connections:
            self.connections[number].close(False)

    def on_password(self, number, payload):
        p = json.loads(payload)
        self.sudo.answer(p["ask"], p.get("password"), p.get("why", ""))

    def on_ping(self, number, payload):
        self.send(b"p", number, b"")

    def on_read(self, number, payload):
        p = json.loads(payload)
        path = os.path.expanduser(p["path"])
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            state = os.fstat(fd)
            if not stat.S_ISREG(state.st_mode):
                raise OSError(errno.EINVAL, "Not a regular file", path)
            os.lseek(fd, p.get("offset", 0), os.SEEK_SET)
            left = p["limit"]
            while left > 0:
                data = os.read(fd, min(left, BIG_PIPE))
                if not data:
                    break
                left -= len(data)
                self.send(b"f", number, data)
            self.send(b"g", number, json.dumps({"size": state.st_size, "path": os.path.realpath(path)}).encode())
        finally:
            os.close(fd)

    def on_write(self, number, payload):
        p = json.loads(payload)
        self.uploads[number] = Upload(self, os.path.expanduser(p["path"]))

    def on_compiled(self, number, payload):
        """Hands out this program compiled: a later start on this machine saves itself that work."""
        code = marshal.dumps((compile(SOURCE, "relay.py", "exec"), CHILD_CODE, SOURCE))
        for at in range(0, len(code), BIG_PIPE):
            self.send(b"f", number, code[at:at + BIG_PIPE])
        self.send(b"g", number, b"{}")

    def on_quit(self, number, payload):
        self.leave()

    ORDERS = {b"R": on_run, b"W": on_warm, b"I": on_input, b"i": on_input_end, b"K": on_kill, b"A": on_credit,
              b"D": on_answer, b"d": on_hang_up, b"P": on_ping, b"F": on_read, b"G": on_write, b"C": on_compiled, b"Q": on_quit,
              b"Z": on_resize, b"Y": on_apart, b"L": on_line, b"S": on_password}

    # -- the tool-call socket

    def listen(self, path):
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(path)
        os.chmod(path, 0o600)
        self.listener.listen(256)
        self.listener.setblocking(False)
        self.watch(self.listener.fileno(), self.on_connect)

    def on_connect(self, _events):
        try:
            sock, _ = self.listener.accept()
        except OSError:
            return
        _pid, uid, _gid = struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if uid not in (os.getuid(), 0):
            sock.close()
            return
        self.next_connection += 1
        number = self.next_connection
        self.connections[number] = Connection(self, number, sock, self.config["window"])
        self.send(b"o", number, b"")


def write_file(path, data, folder=None):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        while data:
            data = data[os.write(fd, data):]
    finally:
        os.close(fd)


class Upload:
    """A file on its way in: written beside its target and renamed at the end."""

    def __init__(self, mux, path):
        self.mux, self.path, self.problem = mux, os.path.realpath(path), None
        self.temporary = "%s.talaria-%d-%d" % (self.path, os.getpid(), id(self))
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self.fd = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except OSError as e:
            self.problem = e

    def write(self, data):
        try:
            while data and not self.problem:
                data = data[os.write(self.fd, data):]
        except OSError as e:
            self.problem = e

    def commit(self, number):
        try:
            if self.problem:
                raise self.problem
            try:
                state = os.stat(self.path)
                os.fchmod(self.fd, state.st_mode & 0o7777)
            except FileNotFoundError:
                pass
            os.close(self.fd)
            os.rename(self.temporary, self.path)
        except OSError as e:
            try:
                os.unlink(self.temporary)
            except OSError:
                pass
            e.filename = self.path
            raise
        self.mux.send(b"g", number, json.dumps({"path": self.path}).encode())


def first_writable():
    """Makes our own folder where that is allowed; returns its path, or None."""
    for folder in (os.environ.get("TMPDIR"), "/tmp", "/dev/shm", os.path.expanduser("~/.cache")):
        if folder:
            path = "%s/talaria-%s" % (os.path.abspath(folder), os.urandom(8).hex())
            try:
                os.mkdir(path, 0o700)
                return path
            except OSError:
                pass
    return None


def raise_file_limit():
    """A hundred runs at once need five descriptors each; returns the limits as they were, for the scripts."""
    import resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 1 << 16, hard))
    except (ValueError, OSError):
        pass
    return soft, hard


def read_exactly(fd, count):
    data = b""
    while len(data) < count:
        more = os.read(fd, count - len(data))
        if not more:
            os._exit(3)
        data += more
    return data


def mux():
    length, _kind, _number = HEADER.unpack(read_exactly(0, 9))
    config = json.loads(read_exactly(0, length))
    config["cwd_at_start"] = globals().get("START") or (os.getcwd() if os.path.exists(".") else "/")
    try:
        os.setsid()
    except OSError:
        pass  # already a leader
    into, out = 0, 1
    if config.get("connect"):
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        channel.connect(config["connect"])
        into = out = os.dup(channel.fileno())
        os.set_inheritable(into, False)
        channel.close()
    else:
        into, out = os.dup(0), os.dup(1)
        os.set_inheritable(into, False)
        os.set_inheritable(out, False)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.set_inheritable(null, False)
    prctl(PR_SET_DUMPABLE, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    relay = Mux(into, out, config)
    relay.null = null
    relay.subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1)
    relay.staging = first_writable()
    os.chdir("/")
    if config.get("listen") and relay.staging:
        relay.listen(relay.staging + "/tools.sock")
    os.write(out, b"\n" + config["magic"].encode() + b"\n")
    gc.freeze()
    relay.loop()


# The loader left us SOURCE, and CHILD_CODE if somebody had compiled us before.
CHILD_SOURCE = SOURCE.split(b"\n# ==== mux ====", 1)[0]  # noqa: F821
CHILD_CODE = globals().get("CHILD_CODE") or marshal.dumps(compile(CHILD_SOURCE, "relay.py", "exec"))
FILE_LIMITS = raise_file_limit()
mux()
