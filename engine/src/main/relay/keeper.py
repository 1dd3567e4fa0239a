# ---- keeper -----------------------------------------------------------------------------------------------------------

class Keeper(Parent):
    def __init__(self, sock, warm):
        os.setsid()
        super().__init__()
        prctl(PR_SET_DUMPABLE, 0)
        self.sock, self.folder = sock, None
        self.term_at = self.kill_at = self.limit = self.latest = 0
        self.over_limit = False
        self.group, self.bound = None, ""  # the limit on the run's processes, and how exact it is
        self.sudo = None  # the paths of sudo and its helper, if the command may use them
        self.warm = warm
        self.memory, self.memory_limit = memory_files()
        self.kills = 0
        self.own = (self.wake, self.wake_in, sock.fileno())
        self.poll = select.poll()
        self.poll.register(sock, select.POLLIN)
        self.poll.register(self.wake, select.POLLIN)
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
                nobody_left = self.reap()
                if self.status is None and not nobody_left:
                    self.watch()
                if self.status is not None:
                    self.end(nobody_left)

    def pause(self):
        if self.kill_at:
            return max(0, ((self.term_at or self.kill_at) - time.monotonic()) * 1000) + 1
        if not self.warm:
            return 10
        return 50 if self.limit and self.child else None

    def order(self):
        data, fds = receive_with_fds(self.sock)
        kind = data[:1]
        if kind == b"F":
            self.folder = data[1:].decode()
            self.fork(fds[0])
        elif kind == b"S":
            self.spawn(parameters(data[1:]), fds)
        elif kind == b"L":
            self.bound_to(*json.loads(data[1:]))
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
                send_signal([self.child], signal.SIGKILL)  # often it is alone, and no search is needed
                self.wait(0.02)
            self.kill_tree("-n")
            self.outlive()
            if self.folder:
                remove_run_folder(self.folder)
            if self.group:
                self.group.remove()
            os._exit(0)

    def fork(self, fd):
        prctl(PR_SET_DUMPABLE, 1)  # for the child: unlike us, it belongs to the user
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
        """Starts a command by spawn. A fork would copy the interpreter, which costs time."""
        targets = [0, 1, 2] + p["fds"]  # a shell's own are higher than all received ones, or all the same file
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
            offer_to_kernel(pid)
            self.began(pid)
            if p["announced"]:
                self.sock.send(b"P%d" % pid)

    def began(self, pid):
        self.child, self.term_at, self.kill_at = pid, 0, 0
        self.latest = pid  # outlives the child, for late questions
        self.over_limit, self.usage, self.status = False, {}, None
        self.kills = memory_kills(self.memory)

    def bound_to(self, most, group):
        """Notes the limit. The child limits itself before it begins; we find out whether that worked."""
        self.limit, self.group = most, PidsGroup(group) if group else None
        if self.group and self.group.take(self.child):
            self.bound = "exact"
        else:
            self.bound = "approximate" if os.getuid() and sees_everything() else "counted"

    def nudge(self):
        """Makes the script flush its output."""
        if self.child and not waits_for_a_signal(self.child):
            send_signal([self.child], signal.SIGURG)

    def watch(self):
        if self.term_at and time.monotonic() >= self.term_at:
            self.term_at = 0
            self.ask_to_end()
        elif self.kill_at and time.monotonic() >= self.kill_at:
            self.kill_at = 0
            self.kill_tree()
        elif self.limit:
            count = len(alive(self.me))
            self.usage["processes"] = max(count, self.usage.get("processes", 0))
            if count > self.limit or self.group and self.group.refusals():
                self.over_limit, self.limit = True, 0
                self.kill_tree()

    def kill_tree(self, way="-A"):
        """Kills and reaps all processes below us; returns the pids of those that live on. Its control group and its process
        group come first: one call kills a whole group, and its members cannot fork meanwhile. Processes that have left
        the groups can. So a tree that has grown too large is stopped first, before a killed process makes room for a
        new one."""
        if self.group:
            self.group.kill()
        grows = self.over_limit and not self.group
        if self.child and self.group_lives():
            try:
                os.killpg(self.child, signal.SIGSTOP if grows else signal.SIGKILL)
            except OSError:
                pass  # the group has just ended, or belongs to root
        left = kill_all(self.living, self.wait, strike=self.strike, grows=grows)
        if left and self.sudo:  # we may not kill root's processes, but the user who started them may, by sudo
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

    def group_lives(self):
        """Returns whether the number of the run's process group still belongs to it: the child holds it until it is
        reaped, and after that the remaining members of the group do."""
        if self.status is None:
            return True
        for pid in descendants(self.me):
            try:
                if os.getpgid(pid) == self.child:
                    return True
            except OSError:
                pass
        return False

    def outlive(self):
        """Waits until no process is left below us: after our own end, nobody could find it."""
        while self.living():
            self.strike()
            kill_all(self.living, self.wait, 0.5, strike=self.strike)
            self.wait(0.5)

    def living(self):
        found = super().living()
        return found + [pid for pid in self.group.members() if pid not in found] if self.group else found

    def strike(self):
        """Kills our children as they appear. A process that forks and exits in a loop lives too short to be found by a
        search, but each new one becomes our child."""
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            if self.reap():
                return
            try:
                with open("/proc/self/task/%d/children" % self.me, "rb") as f:
                    send_signal([int(pid) for pid in f.read().split()], signal.SIGKILL)
            except (OSError, ValueError):
                return

    def end(self, nobody_left):
        if self.limit and self.group and self.group.refusals():
            self.over_limit = True  # the run ended before we counted
        left = 0 if nobody_left else len(alive(self.me))
        survivors = [] if nobody_left else self.kill_tree()
        if self.folder:
            self.empty_folder()
        report = self.report(left, survivors)
        if self.over_limit:
            report["over_limit"] = "processes"
        elif self.status and memory_kills(self.memory) > self.kills:
            report["over_limit"] = "memory %s" % (memory_limit(self.memory_limit) or "")
        if self.bound:
            report["bound"] = self.bound
        if self.group and self.group.remove():
            self.group = None
        self.child = self.term_at = self.kill_at = self.limit = 0
        self.sudo, self.bound = None, ""
        self.sock.send(b"E" + json.dumps(report).encode())

    def empty_folder(self):
        """Leaves the run's folder as the next run expects it: existing, ours, no link, and empty."""
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
        remove_run_folder(self.folder)
        try:
            os.mkdir(self.folder, 0o700)
        except OSError:
            pass  # the next run will report it


def waits_for_a_signal(pid):
    """Tells whether a process waits in pause() or a similar call. Such a call returns after any handled signal, so the
    script would notice our signal. All other calls continue."""
    try:
        with open("/proc/%d/syscall" % pid, "rb") as f:
            return f.read(8).split(None, 1)[0] in SIGNAL_WAITS
    except (OSError, IndexError):
        return False
