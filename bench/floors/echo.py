"""The client of the echo floor: the lowest cost of one tool call.

    python3 echo.py SOCKET REQUEST

Connects to the Unix socket SOCKET, where a bare Java thread parses each JSON line and sends it back. For each number N
on stdin it makes N round trips with the JSON object REQUEST, a tool call as scripts make it, and answers with one line:
the nanoseconds of each, from before the request is made into text to after the answer is parsed.
"""
import json
import socket
import sys
import time


def round_trip(connection, request):
    began = time.perf_counter_ns()
    connection.sendall(json.dumps(request).encode() + b"\n")
    line = connection.recv(65536)
    while not line.endswith(b"\n"):
        chunk = connection.recv(65536)
        if not chunk:
            sys.exit("the echo server hung up")
        line += chunk
    answer = json.loads(line)
    took = time.perf_counter_ns() - began
    if answer != request:
        sys.exit("the echo server sent something else")
    return took


def main():
    request = json.loads(sys.argv[2])
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(sys.argv[1])
        for line in sys.stdin:
            print(*(round_trip(connection, request) for _ in range(int(line))), flush=True)


main()
