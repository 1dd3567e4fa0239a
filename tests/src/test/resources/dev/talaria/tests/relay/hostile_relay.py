#!/usr/bin/python3 -IS
"""Speaks like a relay until it gets a job, and then breaks the protocol."""
import json
import os
import struct
import sys
import time

MODE = os.environ["HOSTILE"]


def take(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data


def put(data):
    data = memoryview(data)
    while data:
        data = data[os.write(1, data):]


def frame(kind, number, payload=b"", length=None):
    payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return struct.pack(">IcI", len(payload) if length is None else length, kind, number) + payload


def receive():
    length, kind, number = struct.unpack(">IcI", take(9))
    return kind, number, take(length)


def forever(data):
    while True:
        put(data)


def run(number):
    ended = frame(b"x", number, {"code": 0, "left": 0})
    if MODE == "forged ids":
        for other in range(1000, 3000):
            put(frame(b"O", other, b"x" * 100) + frame(b"x", other, {"code": 0}) + frame(b"!", other, {"error": "no"})
                + frame(b"g", other, {"path": "/x"}) + frame(b"f", other, b"data") + frame(b"w", other, b"\0\0\1\0")
                + frame(b"s", other, {"pid": 1}) + frame(b"a", other, {"ask": 1}) + frame(b"c", other)
                + frame(b"d", other, b"{}\n"))
        put(frame(b"o", 7) + frame(b"d", 7, b'{"id": 1, "tool": "terminal", "args": {"command": "id"}, "token": "a.b"}\n'))
        put(frame(b"O", number, b"mine\n") + ended)
    elif MODE == "reordered":
        put(frame(b"s", number, {"pid": 1}) + ended + frame(b"O", number, b"late") + ended
            + frame(b"s", number, {"pid": 1}) + frame(b"w", number, b"\0\0\1\0"))
    elif MODE == "wrong types":
        put(frame(b"s", number, {"pid": "one", "cwd": []}) + frame(b"w", number, b"\x80\0\0\0"))
        put(frame(b"x", number, {"code": 10 ** 300, "signal": {}, "left": "many", "survivors": [1, None, [2]],
                                 "maxrss": -1, "shell": {"cwd": 5}, "lost": 0}))
    elif MODE == "oversize":
        forever(frame(b"O", number, b"x" * 4096, length=1 << 30))
    elif MODE == "negative":
        put(frame(b"x", number, length=0xffffffff))
    elif MODE == "short payload":
        put(frame(b"w", number, b"\0"))
    elif MODE == "no object":
        put(frame(b"x", number, b"[1]"))
    elif MODE == "deep":
        put(frame(b"x", number, b'{"code": ' + b"[" * 500000 + b"]" * 500000 + b"}"))
    elif MODE == "unknown kind":
        put(frame(b"\xff", number))
    elif MODE == "garbage":
        forever(os.urandom(1 << 16))
    elif MODE == "endless connections":
        for other in range(1 << 31):
            put(b"".join(frame(b"o", other * 100 + i) for i in range(100)))
    elif MODE == "endless questions":
        forever(frame(b"a", number, {"ask": 1, "sudo": 1}) * 100)
    elif MODE == "half a frame":
        put(frame(b"x", number, b'{"code"', length=1 << 20))
        os._exit(0)
    elif MODE == "endless output":
        forever(frame(b"O", number, b"x" * (1 << 20)))


def main():
    if MODE == "endless greeting":
        forever(b"welcome to this machine\n")
    take(int(take(8)))
    config = json.loads(receive()[2])
    if MODE == "oversize greeting":
        put(("\n%s\n" % config["magic"]).encode() + frame(b"r", 0, b"{}", length=0x7fffffff))
        time.sleep(600)
    put(("\n%s\n" % config["magic"]).encode() + frame(b"r", 0, {
        "version": 1, "pid": os.getpid(), "python": "/usr/bin/python3", "python_version": [3, 11, 2], "staging": "/tmp",
        "home": "/", "cwd": "/tmp", "subreaper": True}))
    while MODE == "deaf":
        put(frame(b"p", 0))
        time.sleep(0.05)
    while True:
        kind, number, _payload = receive()
        if kind == b"R":
            run(number)
        elif kind == b"P":
            put(frame(b"p", 0))
        elif kind == b"F" and MODE == "endless file":
            forever(frame(b"f", number, b"x" * (1 << 20)))


if "EARLY=b" not in " ".join(sys.argv):  # it is called as a plain Python
    os.execv("/usr/bin/python3", ["python3"] + sys.argv[1:])
main()
