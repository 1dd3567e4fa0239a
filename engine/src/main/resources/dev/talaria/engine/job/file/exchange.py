"""The sandbox's end of the file transport. The host sends it over stdin for every step; nothing is installed.

Python >= 3.8, standard library only. Input after this program: an order, one line of JSON, and the contents it announces.
Output: the line that the order chose, then frames as a relay sends them. The steps:

  prepare   creates a private folder and writes a run's files into it
  exchange  writes answers, waits for requests and sends them
  finish    reports how the script ended and removes the folder

The script can change everything in the folder: we follow no link in it, wait for nothing and trust nothing.
"""
import errno
import fcntl
import json
import os
import re
import select
import stat
import struct
import sys
import time

SAFELY = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MOST_REQUESTS = 256
MOST_BYTES = 32 << 20
MOST_WAKERS = 1000
FOLDER = re.compile("hermes_exec_[0-9a-f]{24}")
STALE = 600
HEADER = struct.Struct(">IcI")  # of a frame, as the relay has it: payload length, kind, a number that is not used


def frame(kind, payload=b""):
    out = sys.stdout.buffer
    out.write(HEADER.pack(len(payload), kind, 0))
    out.write(payload)
    out.flush()


def write_new(name, content, folder=None):
    fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY, 0o600, dir_fd=folder)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(fd, view):]
    finally:
        os.close(fd)


def replace(name, content, folder):
    """Replaces a file. Readers see the whole file or nothing."""
    fresh = ".%s.%s" % (name, os.urandom(8).hex())
    try:
        write_new(fresh, content, folder)
        os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        remove(fresh, folder)
        raise


def remove(name, folder):
    """Removes a file. Returns whether we removed it, and nobody else."""
    try:
        os.unlink(name, dir_fd=folder)
        return True
    except OSError as problem:
        if problem.errno not in (errno.EISDIR, errno.EPERM):
            return False
    try:
        os.rmdir(name, dir_fd=folder)
    except OSError:
        pass  # a folder with content is no request, and may stay
    return False


def read_regular(name, folder, limit):
    """Returns the content of our own file; None if it is not one. Raises OverflowError if it is too long."""
    if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        return None
    fd = os.open(name, os.O_RDONLY | SAFELY, dir_fd=folder)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            return None
        if found.st_size > limit:
            raise OverflowError
        content = b""
        while len(content) <= limit:
            part = os.read(fd, min(limit + 1 - len(content), 1 << 20))
            if not part:
                return content
            content += part
        raise OverflowError
    finally:
        os.close(fd)


# ---- prepare ------------------------------------------------------------------------------------------------------

def prepare(order, source):
    files = [(name, source.read(size)) for name, size in order["files"]]
    os.umask(0o077)
    problems = []
    home = os.path.expanduser("~")
    for parent in (os.environ.get("TMPDIR", ""), "/tmp", "/dev/shm", home + "/.cache" if home != "~" else ""):
        if not os.path.isabs(parent):
            continue
        folder = os.path.join(parent, order["name"])
        sweep(parent)
        try:
            if parent.endswith("/.cache"):
                os.makedirs(parent, exist_ok=True)
            os.mkdir(folder, 0o700)
        except OSError as problem:
            problems.append("%s: %s" % (parent, problem.strerror))
            continue
        try:
            for name in ("rpc", "stubs", "turns"):
                os.mkdir(os.path.join(folder, name), 0o700)
            for name, content in files:
                write_new(os.path.join(folder, name), content)
            try:
                os.mkfifo(os.path.join(folder, "rpc", "bell"), 0o600)
            except OSError:
                pass  # then polling finds requests
            frame(b"p", os.fsencode(folder))
            return
        except OSError as problem:
            problems.append("%s: %s" % (parent, problem.strerror))
            remove_tree(folder)
    frame(b"!", "; ".join(problems).encode("utf-8", "replace"))


def sweep(parent):
    """Removes the folders of killed hosts: folders of our user, without a running script, and too old for a living
    host."""
    try:
        names = [name for name in os.listdir(parent) if FOLDER.fullmatch(name)]
    except OSError:
        return
    for path in [os.path.join(parent, name) for name in names]:
        try:
            fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | SAFELY)
            try:
                found = os.fstat(fd)
                if (found.st_uid == os.geteuid() and found.st_mode & 0o777 == 0o700
                        and time.time() - found.st_mtime > STALE):
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # run.py holds it
                    remove_tree(path)
            finally:
                os.close(fd)
        except OSError:
            pass


# ---- exchange -----------------------------------------------------------------------------------------------------

class Gone(Exception):
    pass


def exchange(order, source):
    answers = [(number, source.read(size)) for number, size in order["answers"]]
    try:
        outer = os.open(order["folder"], os.O_RDONLY | os.O_DIRECTORY | SAFELY)
        folder = os.open("rpc", os.O_RDONLY | os.O_DIRECTORY | SAFELY, dir_fd=outer)
    except OSError:
        frame(b"e", b"gone")
        return
    turn = order["turn"]
    turns = take_turn(turn, outer)
    for number, content in answers:
        try:
            replace("res_%06d" % number, content, folder)
        except OSError as problem:
            frame(b"u", b"%d %s" % (number, (problem.strerror or "").encode()))
    if answers:
        ring_wakers(folder)
    frame(b"d")
    bell = open_bell(folder)
    try:
        reason = wait(order, turn, turns, folder, bell)
    except Gone:
        reason = b"gone"
    frame(b"e", reason)


def take_turn(turn, outer):
    """Tells earlier exchanges of this one. Each has its own file: one that starts late must not hide its successor."""
    try:
        turns = os.open("turns", os.O_RDONLY | os.O_DIRECTORY | SAFELY, dir_fd=outer)
    except OSError:
        return None
    try:
        write_new(str(turn), b"", turns)
        for name in os.listdir(turns):
            if name.isdigit() and int(name) < turn:
                remove(name, turns)
    except OSError:
        pass
    return turns


def wait(order, turn, turns, folder, bell):
    poll = select.poll()
    poll.register(1, 0)  # shows when the reader has gone
    if bell is not None:
        ring(bell)
        poll.register(bell, select.POLLIN)
    give_up = time.monotonic() + order["wait"]
    while True:
        if hand_over(folder, order["max"]):
            return b"requests"
        if superseded(turn, turns):
            if bell is not None:
                ring(bell)  # the signal may have been for our successor
            return b"superseded"
        left = give_up - time.monotonic()
        if left <= 0:
            return b"waited"
        for fd, _events in poll.poll(min(left, order["look"]) * 1000):
            if fd == 1:
                os._exit(0)
            try:
                os.read(bell, 4096)
            except OSError:
                pass


def open_bell(folder):
    try:
        if not stat.S_ISFIFO(os.stat("bell", dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        # Opened for reading and writing, so that there is no end of file when a stub closes its end.
        fd = os.open("bell", os.O_RDWR | SAFELY, dir_fd=folder)
    except OSError:
        return None
    if stat.S_ISFIFO(os.fstat(fd).st_mode):
        return fd
    os.close(fd)
    return None


def ring(fd):
    try:
        os.write(fd, b"!")
    except OSError:
        pass


def superseded(turn, turns):
    try:
        return turns is not None and any(name.isdigit() and int(name) > turn for name in os.listdir(turns))
    except OSError:
        return False


def hand_over(folder, limit):
    """Sends all requests to the host and removes them. Returns whether there were any."""
    if os.fstat(folder).st_nlink == 0:
        raise Gone
    try:
        names = [name for name in os.listdir(folder) if name.startswith("req_") and not name.endswith(".tmp")]
    except OSError:
        raise Gone
    count = size = 0
    for name in sorted(names, key=lambda n: (len(n), n)):
        kind, content = b"q", None
        try:
            content = read_regular(name, folder, limit)
        except OverflowError:
            kind, content = b"o", os.fsencode(name)
        except OSError as problem:
            if problem.errno == errno.ENOENT:
                continue
        # Only one exchange can remove it, so a request is sent once even if two read it at the same time.
        if remove(name, folder) and content is not None:
            frame(kind, content)
            count, size = count + 1, size + len(content)
            if count >= MOST_REQUESTS or size >= MOST_BYTES:
                break
    return count > 0


def ring_wakers(folder):
    """Tells waiting stubs through their named pipes that answers have come."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith("wake_")]
    except OSError:
        return
    for name in names[:MOST_WAKERS]:
        try:
            if stat.S_ISFIFO(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                fd = os.open(name, os.O_WRONLY | SAFELY, dir_fd=folder)
                ring(fd)
                os.close(fd)
        except OSError:
            pass  # nobody waits there


# ---- finish -------------------------------------------------------------------------------------------------------

def finish(order, _source):
    path = order["folder"]
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | SAFELY)
        frame(b"x", read_regular("exit", folder, 1 << 16) or b"")
        os.close(folder)
    except (OSError, OverflowError):
        frame(b"x")
    remove_tree(path)
    frame(b"e", b"there" if os.path.lexists(path) else b"removed")


def remove_tree(path):
    os.chdir("/")
    os.spawnlp(os.P_WAIT, "rm", "rm", "-rf", "--", path)
    if os.path.lexists(path):
        for _folder, below, _files, held in os.fwalk(path):  # through descriptors, following no link
            for name in below:
                try:
                    place = os.open(name, os.O_PATH | os.O_DIRECTORY | SAFELY, dir_fd=held)
                    os.chmod("/proc/self/fd/%d" % place, 0o700)
                    os.close(place)
                except OSError:
                    pass
        os.spawnlp(os.P_WAIT, "rm", "rm", "-rf", "--", path)


def main():
    source = sys.stdin.buffer
    order = json.loads(source.readline())
    sys.stdout.buffer.write(b"\n" + order["mark"].encode() + b"\n")
    {"prepare": prepare, "exchange": exchange, "finish": finish}[order["step"]](order, source)


main()
