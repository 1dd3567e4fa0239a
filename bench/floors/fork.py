"""The fork floor: the lowest cost of one run of a script.

    python3 fork.py SCRIPT

A Python with json, socket and threading loaded has compiled SCRIPT once. For each line on stdin it forks; the child
runs the compiled script with stdout on a pipe, flushes, and leaves by os._exit; the parent reads the pipe to its end
and waits for the child. The answer is one line: the nanoseconds from before the pipe was made to after the wait.
The time between the benchmark and this program is not measured.

It has no isolation, no limits, no timeout, no tool calls and no clean-up: the ratio shows what Talaria adds to this.
"""
import json  # noqa: F401  loaded, as a script that calls tools would have it
import os
import socket  # noqa: F401
import sys
import threading  # noqa: F401
import time


def child(code, pipe):
    os.dup2(pipe, 1)
    exec(code, {"__name__": "__main__"})
    sys.stdout.flush()
    os._exit(0)


def once(code):
    began = time.perf_counter_ns()
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            child(code, theirs)
        finally:
            os._exit(1)
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
    if status != 0 or not output:
        sys.exit("the floor's own script failed")
    return took


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        code = compile(file.read(), sys.argv[1], "exec")
    for _ in sys.stdin:
        answer = once(code)
        print(answer, flush=True)


main()
