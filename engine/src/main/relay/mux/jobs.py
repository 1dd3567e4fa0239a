# ---- jobs: what runs, as the mux sees it ------------------------------------------------------------------------------

class Job:
    """One script or command with its streams, until its tree is dead and its pipes are empty."""

    def __init__(self, mux, number, p, slot, window):
        self.mux, self.number, self.slot = mux, number, slot
        self.credit = {b"O": window, b"E": window}
        self.open, self.paused, self.flooding = {}, set(), set()
        self.rested = set()
        self.report = self.stdin = None
        self.input = collections.deque()
        self.input_ended, self.taken = False, 0
        self.visit, self.killed, self.apart = None, False, bool(p.get("apart"))
        self.live = p["kind"] == "script" and bool(p.get("live"))
        self.spoke = self.nudged = time.monotonic()
        self.terminal = None
        self.pid, self.begun = 0, False
        self.obey_by, self.helped = 0, False
        if p.get("pty"):
            self.use_terminal(slot, p["pty"])
        for stream, (out, into) in slot.pipes.items():
            self.open[stream] = out
            os.set_blocking(out, False)
            mux.watch(out, lambda _events, s=stream: self.pump(s))
        slot.job = self

    def use_terminal(self, slot, size):
        """Replaces the run's pipes by a terminal."""
        slot.drop_pipes()
        master, slave = os.openpty()
        self.terminal = os.dup(master)  # for input and size: it stays open when the output has ended
        os.set_inheritable(self.terminal, False)
        os.set_blocking(self.terminal, False)
        self.resize(*size)
        slot.pipes = {b"O": (master, slave)}

    def resize(self, rows, columns):
        if self.terminal is not None:
            fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))
            if self.pid:
                try:
                    os.tcgetpgrp(self.terminal)
                except OSError:  # gVisor does not tell the foreground group, and does not signal it
                    send_signal([self.pid] + descendants(self.pid), signal.SIGWINCH)

    def announce(self):
        """Tells the host the process id, once the run has begun."""
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
        data = read_now(os.read, fd, min(room, BIG_PIPE))
        if data is None:
            return
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
        """Handles a full pipe, whose writer is faster than us: enlarges the pipe, and stops looking at its bytes."""
        self.flooding.add(stream)
        resize_pipe(fd, BIG_PIPE)

    def splice(self, stream, fd, room):
        """Lets the kernel move the pipe's content to the host; returns whether there was anything to move."""
        if not hasattr(os, "splice"):
            return False
        if self.mux.moving:
            self.mux.mask(fd, 0)
            self.mux.aside.append(lambda: self.rise(stream))
            return True
        waiting = waiting_in(fd)
        if waiting < BIG_PIPE // 4 and stream not in self.rested and self.report is None:
            self.rested.add(stream)  # a wake-up for each line of a flood would cost more than moving the bytes
            self.mux.mask(fd, 0)
            self.mux.resting.append(lambda: self.rise(stream))
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
                self.rise(stream)

    def feed(self, data):
        if self.stdin is not None:
            self.input.append(data)
            self.push()

    def took(self, count):
        """Tells the host that there is room for more input, but not for every byte: its window is a lot larger."""
        self.taken += count
        if self.taken >= 16 * CHUNK:
            self.mux.send(b"w", self.number, struct.pack(">I", self.taken))
            self.taken = 0

    def end_input(self):
        if self.terminal is not None:  # a terminal is not closed: a character tells its reader that the input is over
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
            except OSError:  # the reader has gone: the rest of the input is dropped, as a shell would do
                self.input.clear()
                self.close_input()
                return
            if done:
                self.took(done)
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
        self.obey_by = time.monotonic() + grace + 1
        if self.slot and self.report is None:
            self.slot.tell(b"T" + json.dumps(grace).encode())

    def tick(self, now):
        """Continues a keeper that the script has stopped, and makes the script flush its output."""
        if self.report is not None:
            if self.paused or self.mux.moving:  # the host is slow, nobody else
                self.give_up = now + DRAIN
            elif now > self.give_up:
                self.more["drain_incomplete"] = True
                for fd in self.open.values():
                    self.mux.forget(fd)
                    os.close(fd)
                self.open = {}
                self.finish()
            return
        if self.slot.keeper and wake_stopped(self.slot.keeper) and self.killed and now > self.obey_by:
            self.help_keeper(self.slot.keeper, now)
        if self.live and now - max(self.spoke, self.nudged) > 0.15:
            self.nudged = now
            self.slot.tell(b"N")

    def help_keeper(self, keeper, now):
        """Kills the processes below a keeper that is stopped again and again, so that it can continue and report.
        Killing the keeper first would be wrong: a process that stops its parent would then stop us."""
        if self.helped:
            send_signal([keeper], signal.SIGKILL)
        self.helped, self.obey_by = True, now + 2
        kill_all(lambda: alive(keeper), lambda seconds: time.sleep(seconds / 4), 1, grows=True)
        wake_stopped(keeper)

    def ended(self, report, more):
        """Takes the keeper's report unchanged; `more` is what we know besides."""
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
            if self.mux.wide:
                self.mux.narrow()


def wake_stopped(pid):
    """Continues a stopped process; returns whether it was stopped."""
    stopped = state_of(pid) in (b"T", b"t")
    if stopped:
        send_signal([pid], signal.SIGCONT)
    return stopped


def end_of_file(terminal):
    """Returns the character that ends the input on this terminal, usually Ctrl-D."""
    try:
        return termios.tcgetattr(terminal)[6][termios.VEOF]
    except (termios.error, OSError):
        return b"\x04"


def resize_pipe(pipe, size):
    """Resizes a pipe; returns whether that worked: it may be no pipe, or its user may have too many large ones."""
    try:
        fcntl.fcntl(pipe, F_SETPIPE_SZ, size)
        return True
    except OSError:
        return False


def waiting_in(fd):
    return struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"    "))[0]
