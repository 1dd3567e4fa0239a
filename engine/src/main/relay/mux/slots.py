# ---- slots: keepers that wait for a run -------------------------------------------------------------------------------

class Slot:
    """A keeper with the pipes for its next child, and with that child, forked ahead, unless it will be spawned."""

    def __init__(self, mux, zyg):
        self.mux, self.zygote = mux, zyg
        self.keeper = 0
        self.spawns = False
        self.job = self.gate = self.folder = None
        self.group = None  # the limit on the processes of its run, if there is one
        self.pipes = {}
        self.sock, theirs = pair()
        try:
            send_with_fds(zyg.sock, b"K", [theirs.fileno()])
        finally:
            theirs.close()
        mux.watch(self.sock.fileno(), self.on_keeper)
        zyg.slots.add(self)

    def load(self, spawns):
        """Creates the pipes and forks the next child ahead, so that a run finds both ready."""
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
            pass  # we will receive its end

    def on_keeper(self, _events):
        data = read_now(self.sock.recv, MESSAGE)
        if data is None:
            return
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
        """Handles the child's gate. The child closes it when it becomes the command; before that it may report an
        obstacle."""
        problem = read_now(self.gate.recv, 1, socket.MSG_PEEK)
        if problem is None:
            return
        self.mux.forget(self.gate.fileno())
        if self.job and not problem:
            self.job.begun = True
            self.job.announce()

    def ended(self, report):
        job, self.job, self.group = self.job, None, None
        if not job:  # somebody killed the child before it had a job
            self.discard()
            return
        try:
            problem = self.gate.recv(4096).decode("utf-8", "replace") if self.gate else ""
        except OSError:
            problem = ""
        self.unload()
        job.ended(report, {"not_started": problem} if problem else {})
        if b'"survivors": ["' in report:  # the survivors would count for the next run
            self.discard()
        else:
            self.zygote.back(self)

    def lost(self):
        """Handles the death of a keeper: its children have become ours."""
        job, self.job = self.job, None
        if not job:
            self.discard()
            return
        dead = self.await_death()
        group, self.group = self.group, None
        if group:
            group.kill()
        left = self.mux.kill_strays(0 if dead else self.keeper)
        if group:
            group.remove()
        self.discard()
        if self.keeper:
            job.ended(b'{"signal": 9}', {
                "lost": "The process that kept this run was killed, so the run was ended." if not left else
                        "The process that kept this run was killed, and these could not be ended: " + ", ".join(left),
                "survivors": left, "subreaper": self.mux.subreaper})
        else:
            job.ended(b'{"code": 126}', {"not_started": self.zygote.complaint()})

    def await_death(self):
        """Waits until the keeper is dead or a zombie. Its socket closes before its children become ours. Returns
        whether its death was seen."""
        give_up = time.monotonic() + 1
        while self.keeper and time.monotonic() < give_up:
            if state_of(self.keeper) in (b"Z", b"X"):
                return True
            time.sleep(0.001)
        return not self.keeper

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

    def discard(self):
        self.zygote.drop(self)
        self.close()

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
                remove_run_folder(self.folder)
            self.folder = None


class Zygote:
    """A warm interpreter, and the slots forked from it."""
    READY, SPARE = 2, 64

    def __init__(self, mux, python, environment):
        self.mux, self.python = mux, python
        self.identity = self.look(python)
        self.ready = {False: [], True: []}  # loaded slots: those with a forked child, those that spawn
        self.spare, self.slots = [], set()
        clean = {k: v for k, v in environment.items() if k != "PYTHONPATH" and not k.startswith("HERMES_RPC_")}
        clean["TALARIA_JOB"] = mux.config["mark"]  # a forked process shows the environment of its zygote in /proc
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
        """Returns a loaded slot: one that was loaded ahead, else a spare one, else a new one."""
        if self.ready[spawns]:
            return self.ready[spawns].pop()
        slot = self.spare.pop() if self.spare else Slot(self.mux, self)
        slot.load(spawns)
        return slot

    def back(self, slot):
        try:
            if self.mux.queue and self.mux.zygotes.get(self.python) is self:  # a run waits for it, and for its folder
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
        except OSError:  # no descriptors or no disk: the next run will report it
            pass
        self.slots.discard(slot)
        slot.close()

    def dismiss(self):
        """Closes the spare keepers that many runs at once have left."""
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
            slot.load(False)
            self.ready[False].append(slot)

    def wake(self):
        """Continues the zygote if a script has stopped it: it could fork no more keepers."""
        wake_stopped(self.pid)

    def on_end(self, _events):
        self.close()

    def complaint(self):
        try:
            said = os.read(self.errors, CHUNK).decode("utf-8", "replace").strip()
        except OSError:
            said = ""
        return "The interpreter %s could not be started. %s" % (self.python, said[-2000:])

    def close(self):
        """Closes waiting slots. Running jobs go on to their end."""
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
