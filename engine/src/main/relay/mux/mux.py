# ---- mux --------------------------------------------------------------------------------------------------------------

class Mux(Channel):
    def __init__(self, into, out, config):
        super().__init__(into, out)
        self.config = config
        self.inherited = dict(os.environ)  # copied once: it does not change, and decoding it takes longer than copying
        self.jobs, self.connections, self.zygotes, self.uploads = {}, {}, {}, {}
        self.ticked = self.worked = time.monotonic()
        self.staging = self.lock = self.tools = None
        self.swept = False
        self.folders = self.next_group = 0
        self.queue, self.young = {}, []  # runs that wait to begin, and runs that have just begun
        self.environments, self.sources = {}, {}
        self.shell, self.sudo = Shell(), Sudo(self)

    def dispatch(self, kind, number, payload):
        try:
            self.ORDERS[kind](self, number, payload)
        except OSError as e:
            what = "%s: %s" % (e.filename, e.strerror) if e.filename else e.strerror or str(e)
            self.fail(number, what, errno.errorcode.get(e.errno, ""))
        except Exception as e:  # our bug, or a frame that our host never sends: it must not end the other runs
            self.fail(number, "%s: %s" % (type(e).__name__, e), "")

    def fail(self, number, what, code):
        self.jobs.pop(number, None)
        self.send(b"!", number, json.dumps({"error": what, "errno": code}).encode())

    def loop(self):
        wake, _wake_in = wake_pipe()

        def on_child(_events):
            os.read(wake, 4096)
            reap()
        self.watch(wake, on_child)
        os.set_blocking(self.into, False)
        os.set_blocking(self.out_fd, False)
        self.watch(self.into, self.on_host)
        self.send(b"r", 0, json.dumps({
            "pid": os.getpid(), "python": sys.executable, "python_version": list(sys.version_info[:3]),
            "staging": self.staging, "cwd": self.config.get("cwd_at_start", "/"),
            "socket": self.tools and self.tools.address}).encode())
        while True:
            busy = bool(self.jobs)
            resting, self.resting = self.resting, []
            for fd, events in self.epoll.poll(
                    0 if self.later else 0.001 if resting or self.queue else 0.1 if busy else 5.0):
                handler = self.handlers.get(fd)
                if handler:
                    handler(events)
            for rise in resting:
                rise()
            for _ in range(len(self.later)):
                self.later.popleft()()
            now = time.monotonic()
            if self.young:
                self.admit(now)
            if now - self.ticked >= 0.1:
                self.tick(now)

    def tick(self, now):
        self.ticked = now
        if now - self.heard > self.config["silence_limit"]:
            self.leave()
        for job in list(self.jobs.values()):
            job.tick(now)
        if self.jobs:
            self.worked = now
            for zyg in list(self.zygotes.values()):
                zyg.wake()
        elif not self.swept:
            self.sweep()
        elif now - self.worked > 2:
            for zyg in self.zygotes.values():
                zyg.dismiss()

    def leave(self):
        """Shuts down after the host has gone: closed sockets make every keeper kill its tree and exit."""
        for upload in self.uploads.values():
            upload.drop()
        self.end_snapshots()
        for either in (*self.zygotes.values(), *self.slots()):
            either.sock.close()
        limit = time.monotonic() + 5
        keepers = self.keepers()
        while keepers and time.monotonic() < limit:
            reap()
            keepers = {pid for pid in keepers if os.path.exists("/proc/%d" % pid)}
            time.sleep(0.001)

        def left():
            nobody_left, _status = reap()
            return [] if nobody_left else self.strays(())
        kill_all(left, time.sleep, 2)
        if self.staging:
            remove_own(self.staging)
        if not self.swept:
            self.sweep()
        os._exit(0)

    def sweep(self):
        """Sweeps once, when nobody waits for us."""
        self.swept = True
        sweep_staging()
        sweep_groups()

    def end_snapshots(self):
        """Ends snapshots gently. A killed profile may leave a lock behind, as that of pyenv does, which delays every
        later login of its user."""
        slots = [job.slot for job in self.jobs.values() if job.slot and job.visit and job.visit.snapshot]
        for slot in slots:
            slot.tell(b"T0.3")
        for slot in slots:
            ended = select.poll()
            ended.register(slot.sock, select.POLLIN)
            ended.poll(400)

    def slots(self):
        """Returns all slots. That of a job may belong to a replaced zygote."""
        return {slot for zyg in self.zygotes.values() for slot in zyg.slots} | {
            job.slot for job in self.jobs.values() if job.slot}

    def keepers(self):
        return {slot.keeper for slot in self.slots() if slot.keeper}

    def strays(self, spared):
        seen, me = parents(), os.getpid()
        found = [pid for pid, (parent, state) in seen.items() if parent == me and pid not in spared and state != b"Z"]
        return found + [below for pid in found for below in descendants(pid, seen)]

    def kill_strays(self, dying=0):
        """Kills what a killed keeper has left: all our children except the known zygotes and keepers, and a keeper that
        dies slowly, with its tree. Returns the names of the processes that could not be killed."""
        spared = {zyg.pid for zyg in self.zygotes.values()} | self.keepers()

        def find():
            reap()
            slow = [dying] + alive(dying) if dying and parents().get(dying, (0, b"Z"))[1] != b"Z" else []
            return slow + [pid for pid in self.strays(spared) if pid not in slow]
        return [name_of(pid) for pid in kill_all(find, lambda seconds: time.sleep(seconds / 4))]

    # -- what the host asks for

    def on_run(self, number, payload):
        """Starts a run, but only few at the same time: fifty that begin at once would only evict each other's
        caches."""
        p = json.loads(payload)
        if not p.get("stdin") and (self.queue or len(self.young) >= YOUNG):
            self.queue[number] = p
        else:
            self.begin(number, p)

    def admit(self, now):
        """Starts runs that had to wait. A run counts as beginning for a few milliseconds, or until it has ended."""
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
        # Scripts will use this interpreter, too, so it must not start with a command's PYTHONHOME or LD_LIBRARY_PATH.
        base = environment if p["kind"] == "script" else os.environ
        # A terminal and limits need steps between fork and exec, so a spawn cannot do them.
        spawns = "shell" in p and not p.get("pty") and not p.get("memory") and not p.get("processes")
        slot = self.zygote(p.get("python") or sys.executable, base).slot(spawns)
        try:
            self.start(number, p, slot, environment)
        except Exception:
            slot.discard()
            raise

    def start(self, number, p, slot, environment):
        child = {"memory": p.get("memory"), "cwd": p.get("cwd")}
        environment["TALARIA_JOB"] = self.config["mark"]  # this mark finds processes that outlive us
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
            socket_path = p.get("socket") or self.tools and self.tools.address
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
            self.bound(slot, child, p["processes"])
        if visit and visit.sudo:
            slot.tell(b"A" + json.dumps((self.sudo.program, self.sudo.helper)).encode())
        if slot.spawns:
            job.begun = True  # the keeper reports the pid when it has begun
        elif p.get("background"):
            slot.tell(b"P")  # before the run can end
            self.watch(slot.gate.fileno(), slot.on_gate)
        if job.terminal is not None:
            child["pty"] = True
        self.launch(slot, job, child, p.get("stdin"))

    def bound(self, slot, child, most):
        group = slot.group = PidsGroup.make(most, self.next_group)
        self.next_group += 1
        child.update(processes=most, group=group and group.folder)
        slot.tell(b"L" + json.dumps((most, group and group.folder)).encode())

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
        """Returns a run's environment. The host sends an environment once and then its name; a run adds its own
        variables."""
        if "env" in p:
            self.environments[p["env_hash"]] = p["env"]
        environment = dict(self.inherited) if p.get("inherit") else {}
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
        """Keeps a job from changing its session from now on. If the job has ended already, the host reads its end
        first."""
        job = json.loads(payload)["job"]
        if job in self.jobs:
            self.jobs[job].apart = True
        elif job in self.queue:
            self.queue[job]["apart"] = True
        self.send(b"g", number, b"{}")

    def on_line(self, number, payload):
        """Returns the program, arguments and environment that would run a command line in this session's shell, for a
        guardian that starts it itself."""
        p, child = json.loads(payload), {}
        visit, environment = self.shell.enter(self, p, child, self.environment_of(p))
        environment.pop("TALARIA_JOB", None)  # it must outlive us
        files = [os.pread(fd, os.fstat(fd).st_size, 0).decode("latin-1") for fd in visit.fds]
        told = json.dumps(dict(child, env=environment, files=files, note=visit.note)).encode()
        visit.close()
        self.reply(number, told)

    def reply(self, number, data):
        for at in range(0, len(data), BIG_PIPE):
            self.send(b"f", number, data[at:at + BIG_PIPE])
        self.send(b"g", number, b"{}")

    def on_resize(self, number, payload):
        if number in self.jobs:
            p = json.loads(payload)
            self.jobs[number].resize(p["rows"], p["columns"])

    def on_kill(self, number, payload):
        if self.queue.pop(number, None):
            self.send(b"x", number, b'{"signal": 15}')
        elif number in self.uploads:
            self.uploads.pop(number).drop()
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
        upload = self.uploads[number] = Upload(self, number, os.path.expanduser(p["path"]), p.get("acknowledges"))
        if p.get("held"):  # the host decides later whether it may be written
            self.send(b"g", number, json.dumps({"path": upload.path, "homes": homes()}).encode())

    def on_compiled(self, number, payload):
        """Sends this program in compiled form: a later start on this machine need not compile it."""
        self.reply(number, marshal.dumps((compile(SOURCE, "relay.py", "exec"), CHILD_CODE, SOURCE)))

    ORDERS = {b"R": on_run, b"W": on_warm, b"I": on_input, b"i": on_input_end, b"K": on_kill, b"A": on_credit,
              b"D": on_answer, b"d": on_hang_up, b"P": on_ping, b"F": on_read, b"G": on_write, b"C": on_compiled,
              b"Z": on_resize, b"Y": on_apart, b"L": on_line, b"S": on_password}
