"""Runs commands one after another in the box and says what each did.

It is process 1 of the box: whatever a command leaves behind becomes its child, so that a command has ended when there are no
children. A line in is a command (base64); a line out holds, with tabs between: "late" or "done", the watched files that
changed, and each call of a leaf as base64 of its words, which have a 0x1f behind each.
"""

import base64
import os
import shutil
import signal
import stat
import sys

HOME = os.environ["HOME"]
WORK = HOME + "/work"
LOG = "/run/leaf.log"
LIMIT = float(sys.argv[1])  # seconds
FILES = {
    ".bashrc": "# mine\n",
    ".profile": "# mine\n",
    ".ssh/authorized_keys": "ssh-ed25519 AAAA me\n",
    "work/build/app.o": "object\n",
    "work/build/lib/util.o": "object\n",
    "work/notes.txt": "one\ntwo\nthree foo\n",
    "work/run.sh": "echo running\n",
    "work/src/main.c": "int main(void) { return 0; }\n",
}
WATCHED = [name for name in FILES if not name.startswith(("work/run", "work/src"))]
OURS = {".bashrc", ".profile", ".ssh", "work", "work/build", "work/build/lib", "work/src"} | set(FILES)


def entries(folder, prefix=""):
    for entry in os.scandir(folder):
        name = prefix + entry.name
        yield name
        if entry.is_dir(follow_symlinks=False):
            yield from entries(entry.path, name + "/")


def look(name):
    try:
        found = os.lstat(HOME + "/" + name)
        if not stat.S_ISREG(found.st_mode):
            return "another kind"
        with open(HOME + "/" + name, "rb") as file:
            return found.st_ino, found.st_mode, file.read(1000)  # times are too coarse
    except OSError:
        return None


def empty(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            os.chmod(entry.path, 0o700)
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)


def fresh():
    empty(HOME)
    for name, text in FILES.items():
        path = HOME + "/" + name
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(path, 0o755 if name.endswith(".sh") else 0o644)
    return {name: look(name) for name in FILES}


def ended(late):
    """Waits for the command and all that it started."""
    def kill(*_):
        late.append(True)
        os.kill(-1, signal.SIGKILL)  # everything in the box but this process
        signal.setitimer(signal.ITIMER_REAL, 0.2)

    signal.signal(signal.SIGALRM, kill)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        signal.setitimer(signal.ITIMER_REAL, 0)


def run(command, before):
    late = []
    null = [(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)]
    null += [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)]
    words = [b"bash", b"-c", command]
    try:
        os.posix_spawn("/bin/bash", words, os.environ, file_actions=null, setsid=True, setsigdef=[signal.SIGPIPE])
    except OSError as error:
        print("box:", error, file=sys.stderr)
    ended(late)
    now = {name: look(name) for name in FILES}
    changed = [name for name in WATCHED if now[name] != before[name]]
    listed = set(entries(HOME))
    changed += [name for name in listed - OURS if name.startswith(".")]
    with open(LOG, "rb") as log:
        calls = [base64.b64encode(call).decode() for call in log.read().split(b"\x1e")[1:]]
    return bool(late), changed, calls, now != before or listed != OURS


def main():
    before = fresh()
    os.chdir(WORK)
    for line in sys.stdin.buffer:
        if os.path.getsize(LOG) if os.path.exists(LOG) else True:
            with open(LOG, "wb"):
                os.chmod(LOG, 0o666)
        late, changed, calls, dirty = run(base64.b64decode(line), before)
        if dirty:
            os.chdir("/")
            before = fresh()
            os.chdir(WORK)
        if not HOME.startswith("/tmp/") and os.listdir("/tmp"):
            empty("/tmp")
        print("late" if late else "done", ",".join(changed), ",".join(calls), sep="\t", flush=True)


main()
