"""Runs a script and writes down exactly how it ended: a shell cannot tell exit code 137 from a death by KILL.

run.py REPORT LIMIT PROGRAM ARGUMENTS...    LIMIT: processes at one time, 0 for any number
"""
import fcntl
import json
import os
import signal
import sys
import time

try:
    import ctypes
    SUBREAPER = ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0  # orphans of the script become our children
except Exception:
    SUBREAPER = False

LOOK_EVERY = 0.05
LONGEST_END = 1.5  # the host waits a little longer than this for us
OURS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def parents():
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/" + name + "/stat", "rb") as f:
                    fields = f.read().rpartition(b")")[2].split(None, 2)
                if fields[0] not in (b"Z", b"X"):
                    found[int(name)] = int(fields[1])
            except (OSError, ValueError, IndexError):
                pass
    return found


def descendants():
    children = {}
    for pid, parent in parents().items():
        children.setdefault(parent, []).append(pid)
    found, todo = [], [os.getpid()]
    while todo:
        below = children.get(todo.pop(), ())
        found.extend(below)
        todo.extend(below)
    return found


def kill(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def watch(child, limit, report):
    """Waits for the child and returns its status. Meanwhile it counts the processes and ends them if there are too many."""
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            return status, usage
        count = len(descendants())
        report["processes"] = max(count, report.get("processes", 0))
        if count > limit:
            report["over_limit"] = "processes"
            kill(descendants(), signal.SIGSTOP)  # a stopped tree does not grow
            kill(descendants(), signal.SIGKILL)
        time.sleep(LOOK_EVERY)


def threads_of_user():
    """Returns the number of our user's threads, as RLIMIT_NPROC counts them."""
    count = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/" + name + "/status", "rb") as f:
                text = f.read()
            if int(text.partition(b"\nUid:")[2].split(None, 1)[0]) == os.getuid():
                count += int(text.partition(b"\nThreads:")[2].split(None, 1)[0])
        except (OSError, ValueError, IndexError):
            pass  # it has ended
    return count


def sees_everything():
    """Returns whether we see all processes of the machine: the kernel also counts those of other namespaces."""
    try:
        return os.readlink("/proc/self/ns/pid") == "pid:[4026531836]"
    except OSError:
        return False


def bound(limit):
    """Limits forks: the kernel refuses them when our user has that many more threads than now. It does not limit root."""
    if not sees_everything():
        return
    import resource
    come_and_go = 32  # threads of the same user that start later
    wanted, (soft, hard) = threads_of_user() + limit + come_and_go, resource.getrlimit(resource.RLIMIT_NPROC)
    wanted = min([wanted] + [known for known in (soft, hard) if known != resource.RLIM_INFINITY])
    resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))


def run(told, limit, argv):
    """Runs the script, reports how it ended and exits with the same code."""
    report = {"bound": "approximate" if os.getuid() and sees_everything() else "counted"} if limit else {}
    child = os.fork()
    if child == 0:
        for number in OURS + (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        if limit and os.getuid():
            bound(limit)
        try:
            os.execvp(argv[0], argv)
        except OSError as problem:
            os.write(2, ("%s: %s\n" % (argv[0], problem.strerror)).encode("utf-8", "replace"))
        os._exit(127)
    if limit:
        status, usage = watch(child, limit, report)
    else:
        _pid, status, usage = os.wait4(child, 0)
    code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
    report["code" if os.WIFEXITED(status) else "signal"] = code if os.WIFEXITED(status) else code - 128
    report["maxrss"] = usage.ru_maxrss * 1024
    os.write(told, json.dumps(report).encode())
    os._exit(code)


def children():
    try:
        with open("/proc/self/task/%d/children" % os.getpid()) as f:
            return [int(pid) for pid in f.read().split()]
    except OSError:  # a kernel without this file
        return descendants()


def reap():
    """Returns whether we have no child left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return False
    except ChildProcessError:
        return True


def end_all():
    """Kills and reaps until no child is left. Returns the processes that could not be ended. Each process becomes our
    child when its parent exits, so reading one small file finds even those that live for less than a millisecond."""
    give_up = time.monotonic() + LONGEST_END
    while not reap():
        kill(children(), signal.SIGKILL)
        if time.monotonic() > give_up:
            return descendants()
    return []


def name_of(pid):
    try:
        with open("/proc/%d/comm" % pid, "rb") as f:
            return "%s (%d)" % (f.read().decode("utf-8", "replace").strip(), pid)
    except OSError:
        return "process %d" % pid


def conclude(path, report):
    """Ends the processes that the script left behind, and records how everything ended."""
    if SUBREAPER:
        left = 0 if reap() else len(descendants())
        survivors = end_all()
        report.update(left=left, survivors=[name_of(pid) for pid in survivors[:100]], subreaper=True)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as f:
            json.dump(report, f)
    except OSError:
        pass  # the folder has gone; the exit code says nearly the same


def main():
    for number in OURS:
        signal.signal(number, lambda *_: None)  # the signal is for the script; we wait for its end
    try:
        folder = os.open(os.path.dirname(sys.argv[1]), os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)  # a sweep then does not take it for the folder of a killed host
    except OSError:
        pass  # the script will report what is wrong with its folder
    telling, told = os.pipe()
    os.set_blocking(telling, False)
    runner = os.fork()
    if runner == 0:
        run(told, int(sys.argv[2]), sys.argv[3:])
    while True:
        pid, status = os.waitpid(-1, os.WUNTRACED)
        if pid != runner:
            continue
        if not os.WIFSTOPPED(status):
            break
        os.kill(runner, signal.SIGCONT)  # a script may stop its parent, which must see its end
    try:
        report = json.loads(os.read(telling, 1 << 16))
    except (OSError, ValueError):
        report = {}  # the script has killed its parent
    conclude(sys.argv[1], report)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


main()
