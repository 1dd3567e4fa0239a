# ---- sudo -------------------------------------------------------------------------------------------------------------

# Stands in front of sudo on the PATH of a command line that names sudo. It makes sudo get the password from our helper,
# unless the caller says where the password comes from (-S, -A), wants no question (-n), or uses an option that -A does
# not go with (-K).
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
# sudo runs this helper to get a password, and reads its output. The helper passes its output descriptor to us, so that
# the password is never in the helper.
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
    """Gives sudo its password. The host has the password and sends it once for each question. Here it is in no file, no
    environment and no argv, and goes straight into sudo's own pipe."""

    def __init__(self, mux):
        self.mux, self.folder, self.program, self.helper = mux, None, None, None
        self.asks, self.count = {}, 0

    def ready(self, path):
        """Returns whether there is a sudo that may want a password. Prepares the helper for it."""
        if self.folder is None and os.geteuid() != 0 and self.mux.staging:
            program = self.mux.shell.program("sudo", path)
            try:
                state = os.stat(program or "/nowhere")
                if state.st_uid == 0 and state.st_mode & stat.S_ISUID:
                    self.prepare(program)
            except OSError:
                pass  # no sudo, or no room for the helper: sudo itself reports what it lacks
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
        if os.access(self.helper, os.X_OK):  # else the place does not allow execution
            self.listener, self.folder = listener, staging + "/sudo"
            self.mux.watch(listener.fileno(), self.on_connect)

    def before(self, text, login, bash):
        """Returns the text to put before a command line: a login shell sets its own PATH, and a full path does not use
        PATH."""
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
        """Returns the job that a helper belongs to, and the sudo that runs it; nothing if there is none."""
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
        """Returns whether it is the keeper's own sudo, which kills leftover processes: no reason to ask a person."""
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
        helper, uid = peer_of(sock)
        job, sudo, ending = self.asker(helper) if uid == os.getuid() else (None, 0, False)
        if job is None:
            os.close(pipe)
            self.mux.forget(sock.fileno())
            refuse(sock, "this is for sudo alone.")
            return
        os.set_blocking(pipe, False)  # sudo's end of the pipe stays blocking
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
