"""Runs a script and writes down exactly how it ended: a shell cannot tell exit code 137 from a death by KILL.

run.py REPORT LIMIT PROGRAM ARGUMENTS...    LIMIT: processes at one time, 0 for any number
"""
import json
import os
import signal
import sys
import time

LOOK_EVERY = 0.05
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
    """Returns the child's status; counts its processes meanwhile and ends them if there are too many."""
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            return status, usage
        count = len(descendants())
        report["processes"] = max(count, report.get("processes", 0))
        if count > limit:
            report["over_limit"] = "processes"
            kill(descendants(), signal.SIGSTOP)  # what stands still does not grow
            kill(descendants(), signal.SIGKILL)
        time.sleep(LOOK_EVERY)


def run(path, limit, argv):
    """Runs the script, writes down its end and leaves with the same code."""
    report = {}
    child = os.fork()
    if child == 0:
        for number in OURS + (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
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
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as f:
            json.dump(report, f)
    except OSError:
        pass  # the folder has gone; the exit code says nearly the same
    os._exit(code)


def main():
    for number in OURS:
        signal.signal(number, lambda *_: None)  # for the script: we stay to see its end
    runner = os.fork()
    if runner == 0:
        run(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
    while True:
        # A script may stop its parent, but then nobody would see its end.
        _pid, status = os.waitpid(runner, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
        os.kill(runner, signal.SIGCONT)


main()
