"""The shell floor: the lowest cost of one command.

    python3 shell.py

For each line on stdin it starts `bash -c 'echo hi'` by a bare posix_spawn with stdout on a pipe, reads the pipe to its
end and waits. The answer is one line: the nanoseconds from before the pipe was made to after the wait.

It has no login shell, no state, no timeout and no search for remaining processes.
"""
import os
import sys
import time

BASH = next(p for p in (f + "/bash" for f in os.environ["PATH"].split(":")) if os.access(p, os.X_OK))


def once():
    began = time.perf_counter_ns()
    ours, theirs = os.pipe()
    pid = os.posix_spawn(BASH, ["bash", "-c", "echo hi"], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, theirs, 1)])
    os.close(theirs)
    output = b""
    while True:
        chunk = os.read(ours, 65536)
        if not chunk:
            break
        output += chunk
    os.close(ours)
    _, status = os.waitpid(pid, 0)
    took = time.perf_counter_ns() - began
    if status != 0 or output != b"hi\n":
        sys.exit("the floor's own command failed")
    return took


for _ in sys.stdin:
    answer = once()
    print(answer, flush=True)
