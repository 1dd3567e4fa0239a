# ==== guardian ====
"""The parent of one surviving process. Its source follows the keeper's part of relay.py, whose functions it uses.

It has left the session and the process tree of its starter. It writes the output to a bounded log, and the end to
exit.json. A client of its socket may listen, type, resize and kill. The frames are those of the relay.
"""
import collections
import fcntl
import termios

HALF = 4 << 20
RECENT = 200000
BEHIND = 4 << 20  # a listener that is further behind misses output; the log does not


def start_time(pid):
    with open("/proc/%d/stat" % pid, "rb") as f:
        return int(f.read().rpartition(b")")[2].split()[19])


def own_mark():
    """Returns a mark for our process and its children. Talaria ends processes with the mark of a dead guardian."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as f:
            world = f.read(8) + "-" + "".join(filter(str.isdigit, os.readlink("/proc/self/ns/pid")))
    except OSError:
        world = "0"
    return "%s.%d.%d.%s" % (world, os.getpid(), start_time(os.getpid()), os.urandom(16).hex())


def write_whole(path, value):
    fd = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(fd, json.dumps(value).encode())
    finally:
        os.close(fd)
    os.rename(path + ".new", path)


class Log:
    def __init__(self, path):
        self.path, self.fd, self.size, self.before, self.lines, self.broken = path, -1, 0, 0, 0, False

    def write(self, data):
        if self.broken:
            return
        try:
            if self.fd < 0:
                self.fd = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
                self.size = 0
                os.write(self.fd, b"%019d %019d\n" % (self.before, self.lines))  # so that lines keep their numbers
            self.lines += data.count(b"\n")
            ends = data.endswith(b"\n")
            while data:
                done = os.write(self.fd, data)
                self.size += done
                data = data[done:]
            if self.size >= HALF and (ends or self.size >= 2 * HALF):
                os.close(self.fd)
                self.fd = -1
                self.before += self.size
                os.rename(self.path, self.path + ".old")
        except OSError:
            self.broken = True  # a full disk ends the log, not the process


class Listener:
    """A connected client."""

    def __init__(self, guard, sock):
        self.guard, self.sock, self.buffer, self.out, self.pending = guard, sock, b"", collections.deque(), 0
        self.hears, self.missed = False, True  # missed: whether it needs the position of the next output
        sock.setblocking(False)

    def output(self, position, data):
        """Sends the output after `position` bytes."""
        if self.pending > BEHIND:
            self.missed = True
            return
        if self.missed:
            self.missed = False
            self.send(b"p", struct.pack(">Q", position))
        self.send(b"O", data)

    def send(self, kind, payload):
        data = HEADER.pack(len(payload), kind, 0) + payload
        self.out.append(data)
        self.pending += len(data)
        self.push()

    def push(self):
        try:
            self.pending -= send_waiting(self.sock, self.out)
        except OSError:
            self.close()
            return
        self.guard.watch(self.sock.fileno(), self.on_event,
                         select.POLLIN | (select.POLLOUT if self.out else 0))

    def on_event(self, events):
        if events & select.POLLOUT:
            self.push()
        if not events & ~select.POLLOUT or self.sock.fileno() < 0:
            return
        data = read_now(self.sock.recv, 1 << 16)
        if data is None:
            return
        if not data:
            self.close()
            return
        self.buffer += data
        while len(self.buffer) >= 9:
            length, kind, _number = HEADER.unpack_from(self.buffer)
            if length > 4 << 20:
                self.close()
                return
            if len(self.buffer) < 9 + length:
                return
            payload, self.buffer = self.buffer[9:9 + length], self.buffer[9 + length:]
            self.order(kind, payload)

    def order(self, kind, payload):
        guard = self.guard
        if kind == b"S":
            self.hears = True
            recent, lines = bytes(guard.recent), json.loads(payload).get("lines")
            if lines:
                recent = b"\n".join(recent.split(b"\n")[-lines - recent.endswith(b"\n"):])
            for at in range(0, len(recent), 1 << 16):
                self.output(guard.total - len(recent) + at, recent[at:at + (1 << 16)])
        elif kind == b"I":
            guard.input.append((self, payload))
            guard.type()
        elif kind == b"i":
            guard.end_input()
        elif kind == b"K":
            guard.kill(json.loads(payload)["grace"])
        elif kind == b"Z":
            p = json.loads(payload)
            guard.resize(p["rows"], p["columns"])

    def close(self):
        self.guard.listeners.discard(self)
        if self.sock.fileno() >= 0:
            self.guard.forget(self.sock.fileno())
            self.sock.close()
        self.out.clear()


class Guard(Parent):
    def __init__(self, p, line):
        super().__init__()
        self.p, self.line, self.log = p, line, Log(p["folder"] + "/log")
        self.poll, self.handlers = select.poll(), {}
        self.recent, self.total = bytearray(), 0
        self.listeners, self.input = set(), collections.deque()
        self.mark, self.kill_at = own_mark(), 0
        self.killed = self.input_ended = False
        self.watch(self.wake, lambda _events: self.drain_wake())
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        if os.path.dirname(p["socket"]) != p["folder"]:
            os.mkdir(os.path.dirname(p["socket"]), 0o700)
        self.server.bind(p["socket"])
        os.chmod(p["socket"], 0o600)
        self.server.listen(16)
        self.server.setblocking(False)
        self.watch(self.server.fileno(), lambda _events: self.accept())
        self.start()

    def watch(self, fd, handler, events=select.POLLIN):
        self.poll.register(fd, events)
        self.handlers[fd] = handler

    def forget(self, fd):
        if self.handlers.pop(fd, None):
            self.poll.unregister(fd)

    def start(self):
        terminal = self.p.get("pty")
        if terminal:
            self.out, theirs = os.openpty()
            give = [theirs, theirs, theirs]
            self.stdin = os.dup(self.out)
        else:
            self.out, theirs = os.pipe()
            stdin, self.stdin = os.pipe()
            give = [stdin, theirs, theirs]
        os.set_blocking(self.out, False)
        os.set_blocking(self.stdin, False)
        self.terminal = bool(terminal)
        if terminal:
            self.resize(*terminal)
        told, tell = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                self.become(give, tell)
            finally:
                os._exit(126)
        os.close(tell)
        for fd in set(give):
            os.close(fd)
        problem = b"".join(iter(lambda: os.read(told, 4096), b""))
        os.close(told)
        if problem:
            raise OSError(problem.decode("utf-8", "replace"))
        self.watch(self.out, lambda _events: self.pump())

    def become(self, give, tell):
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            prctl(1, signal.SIGKILL)  # without us nobody could report its end
            os.setsid()
            for target, fd in enumerate(give):
                os.dup2(fd, target)
            files = [fcntl.fcntl(nameless_file(text.encode("latin-1"), self.p["folder"]), fcntl.F_DUPFD_CLOEXEC, 100)
                     for text in self.line["files"]]
            for target, fd in zip(self.line["fds"], files):
                os.dup2(fd, target)
            if self.terminal:
                fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            os.umask(self.p["umask"])
            os.chdir(self.line["cwd"])
            os.execve(self.line["program"], self.line["argv0"], dict(self.line["env"], TALARIA_JOB=self.mark))
        except OSError as e:
            os.write(tell, ("%s: %s" % (e.strerror, e.filename)).encode("utf-8", "replace"))

    def accept(self):
        try:
            sock, _address = self.server.accept()
        except OSError:
            return
        if not is_ours(sock):
            sock.close()
            return
        listener = Listener(self, sock)
        self.listeners.add(listener)
        listener.push()

    def pump(self):
        """Reads the available output. Returns whether there was any."""
        if self.out < 0:
            return False
        data = read_now(os.read, self.out, 1 << 16)
        if data is None:
            return False
        if not data:
            self.forget(self.out)
            os.close(self.out)
            self.out = -1
            return False
        self.log.write(data)
        self.recent += data
        if len(self.recent) > 2 * RECENT:
            del self.recent[:-RECENT]
        for listener in list(self.listeners):
            if listener.hears:
                listener.output(self.total, data)
        self.total += len(data)
        return True

    def type(self):
        while self.input and self.stdin >= 0:
            who, data = self.input.popleft()
            try:
                done = os.write(self.stdin, data)
            except BlockingIOError:
                done = 0
            except OSError:
                self.input.clear()
                self.close_input()
                return
            if done and who.sock.fileno() >= 0:
                who.send(b"w", struct.pack(">I", done))
            if done < len(data):
                self.input.appendleft((who, data[done:]))
                self.watch(self.stdin, lambda _events: self.type(), select.POLLOUT)
                return
        if self.stdin >= 0:
            self.forget(self.stdin)
            if self.input_ended:
                self.close_input()

    def end_input(self):
        if self.terminal and self.stdin >= 0:
            try:
                os.write(self.stdin, termios.tcgetattr(self.stdin)[6][termios.VEOF])
            except (termios.error, OSError):
                pass
            return
        self.input_ended = True
        if not self.input:
            self.close_input()

    def close_input(self):
        if self.stdin >= 0:
            self.forget(self.stdin)
            os.close(self.stdin)
            self.stdin = -1

    def resize(self, rows, columns):
        if self.terminal and self.stdin >= 0:
            fcntl.ioctl(self.stdin, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def kill(self, grace):
        self.killed = True
        self.ask_to_end()
        self.kill_at = time.monotonic() + grace

    def loop(self):
        while True:
            pause = max(0, (self.kill_at - time.monotonic()) * 1000) + 1 if self.kill_at else None
            for fd, events in self.poll.poll(pause):
                handler = self.handlers.get(fd)
                if handler:
                    handler(events)
            nobody_left = self.reap()
            if self.kill_at and time.monotonic() >= self.kill_at and self.status is None:
                self.kill_at = 0
                kill_all(self.living, self.wait)
            if self.status is not None:
                self.end(nobody_left)

    def end(self, nobody_left):
        left = 0 if nobody_left else len(alive(self.me))
        survivors = [] if nobody_left else kill_all(self.living, self.wait)
        give_up = time.monotonic() + 0.5
        while self.out >= 0 and time.monotonic() < give_up:
            if not self.pump():
                time.sleep(0.005)
        report = dict(self.report(left, survivors), killed=self.killed, at=time.time(), total=self.total)
        write_whole(self.p["folder"] + "/exit.json", report)
        for listener in list(self.listeners):
            listener.sock.settimeout(2)
            try:
                for data in listener.out:
                    listener.sock.sendall(data)
                listener.sock.sendall(HEADER.pack(len(json.dumps(report)), b"x", 0) + json.dumps(report).encode())
            except OSError:
                pass
        self.leave()

    def give_up(self):
        """Ends the process and removes its files: its starter has gone, and nobody knows of it."""
        kill_all(self.living, self.wait)
        remove_own(self.p["folder"])
        self.leave()

    def leave(self):
        try:
            os.unlink(self.p["socket"])
            if os.path.dirname(self.p["socket"]) != self.p["folder"]:
                os.rmdir(os.path.dirname(self.p["socket"]))
        except OSError:
            pass
        os._exit(0)


def guardian(p, line):
    told, tell = os.pipe()
    if os.fork():
        os.close(tell)
        os.write(1, b"".join(iter(lambda: os.read(told, 4096), b"")))
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)  # the process that adopts orphans is our parent now
    os.close(told)
    p["umask"] = os.umask(0o077)
    null = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.chdir("/")
    try:
        guard = Guard(p, line)
    except Exception as e:
        os.write(tell, json.dumps({"error": getattr(e, "strerror", None) or str(e)}).encode())
        os._exit(0)
    prctl(PR_SET_DUMPABLE, 0)
    try:
        entry = dict(p["entry"], pid=guard.child, start=start_time(guard.child), guardian=os.getpid(),
                     guardian_start=start_time(os.getpid()), cwd=line["cwd"])
        write_whole(p["folder"] + "/entry.json", entry)  # before the answer: the starter may be dead by now
        os.write(tell, b"{}")
    except OSError as e:
        try:
            os.write(tell, json.dumps({"error": "%s: %s" % (p["folder"], e.strerror or e)}).encode())
        except OSError:
            pass  # the starter has gone
        guard.give_up()
    os.close(tell)
    guard.loop()


guardian(json.loads(PARAMETERS), json.loads(LINE))
