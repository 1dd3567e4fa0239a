# ---- processes: all that zygotes, keepers and the mux do with them ----------------------------------------------------

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

import _signal  # the plain calls: the wrappers in `signal` cost more than the calls themselves

try:
    import ctypes
    _prctl = ctypes.CDLL(None, use_errno=True).prctl
except Exception:  # without ctypes there is no subreaper, and results say so
    _prctl = None

PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
NOT_FOR_KEEPERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT,
                   signal.SIGURG, signal.SIGALRM)
NOT_FOR_COMMANDS = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGURG)  # a command gets their defaults
# pause, rt_sigsuspend, rt_sigtimedwait
SIGNAL_WAITS = {"x86_64": (b"34", b"130", b"128"), "aarch64": (b"133", b"137")}.get(os.uname().machine, ())
FLUSH = 0.05  # the time that a script has to flush its output before TERM
KILL = 'kill -9 "$@"'  # as root, through sudo


def prctl(option, value):
    return _prctl is not None and _prctl(option, value, 0, 0, 0) == 0


def parents():
    """Returns {pid: (parent pid, state)} of every visible process."""
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


def state_of(pid):
    """Returns the letter for a process's state: Z if it is a zombie, X if it is not there."""
    try:
        with open("/proc/%d/stat" % pid, "rb") as f:
            return f.read().rpartition(b")")[2].split(None, 1)[0]
    except OSError:
        return b"X"


def send_signal(pids, number):
    """Signals each pid; returns the pids that we may not signal."""
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
    """Reaps ended children. Returns (no child is left, status of `first` or None)."""
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


def kill_all(find, wait, seconds=5.0, strike=None, grows=False):
    """Kills and reaps until `find()` returns nobody; returns the pids that could not be ended.

    Every orphan below a subreaper becomes its child, so nothing escapes by forking twice or by setsid. The caller may
    know that a tree grows. Such a tree is stopped first and killed when no new processes appear: a limit does not help
    meanwhile, since a killed process makes room for the next one. As long as new processes appear there is progress,
    which is slow on a busy machine: a growing tree gets four times as long as a process that does not die."""
    began, rounds, survivors, known = time.monotonic(), 0, [], set()
    give_up = began + seconds
    while True:
        pids = find()
        if not pids:
            return []
        fresh = not known.issuperset(pids)
        if fresh:
            give_up = min(time.monotonic() + seconds, began + 4 * seconds)
            known.update(pids)
        if grows or rounds and fresh or rounds >= 3 or len(pids) > 64:
            pids = hold_all(find, pids, min(time.monotonic() + (2 if grows else 0.3), give_up))
            grows = False
        survivors = send_signal(pids, signal.SIGKILL)
        if rounds >= 3 and strike:
            strike()
        if len(survivors) == len(pids) or time.monotonic() > give_up:
            return pids
        rounds += 1
        wait(0.02)


def hold_all(find, pids, until):
    """Stops processes until no new ones appear, but not for ever: a process that forks and exits cannot be stopped.
    Returns all."""
    seen = set()
    while set(pids) - seen:
        hold(set(pids) - seen)
        seen |= set(pids)
        if time.monotonic() > until:
            break
        pids = find()
    return pids


def hold(pids):
    """Stops processes. If another process continues them, the kernel still refuses their forks, unless they belong to
    root."""
    send_signal(pids, signal.SIGSTOP)
    try:
        import resource
        for pid in pids:
            try:
                resource.prlimit(pid, resource.RLIMIT_NPROC, (0, 0))
            except OSError:
                pass  # it has ended, or belongs to another user
    except (ImportError, AttributeError):
        pass  # this interpreter lacks them


def control_groups():
    """Returns {controller: path} of our control groups. The group of version 2 has no name of a controller."""
    groups = {}
    try:
        with open("/proc/self/cgroup") as f:
            for line in f:
                _number, controllers, path = line.rstrip("\n").split(":", 2)
                for controller in controllers.split(","):
                    groups[controller] = path.rstrip("/")
    except (OSError, ValueError):
        return {}
    return groups


def memory_files():
    """Returns two files of our control group: the count of kills for want of memory, and the limit, if they exist."""
    groups = control_groups()
    for root, count, limit in (("", "memory.events", "memory.max"),
                               ("memory", "memory.oom_control", "memory.limit_in_bytes")):
        for path in (groups.get(root, ""), ""):  # a container may see its own group as the root
            folder = os.path.join("/sys/fs/cgroup", root) + path + "/"
            if os.path.exists(folder + count):
                return folder + count, folder + limit
    return "", ""


def counted(file, what):
    """Returns what the kernel has counted in a file of a control group; 0 if it counts nothing there."""
    try:
        with open(file, "rb") as f:
            return sum(int(line.split()[1]) for line in f if line.startswith(what + b" "))
    except (OSError, ValueError, IndexError):
        return 0


def memory_kills(file):
    """Returns how often the kernel killed a process of this group for want of memory."""
    return counted(file, b"oom_kill")


def memory_limit(file):
    try:
        with open(file, "rb") as f:
            limit = int(f.read())  # "max" is no number
        return limit if limit < 1 << 60 else 0
    except (OSError, ValueError):
        return 0


def offer_to_kernel(pid):
    """Makes the kernel kill this process before the relay when memory runs out, if it is still ours and the kernel has
    such a file."""
    tell_kernel("/proc/%s/oom_score_adj" % pid, b"500")


def name_of(pid):
    try:
        with open("/proc/%d/comm" % pid, "rb") as f:
            return "%s (%d)" % (f.read().decode("utf-8", "replace").strip(), pid)
    except OSError:
        return "process %d" % pid
