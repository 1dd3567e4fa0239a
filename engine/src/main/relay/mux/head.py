# ==== mux ====
import collections
import fcntl
import re
import termios

CREDIT = struct.Struct(">cI")
CHUNK = 1 << 16
BIG_PIPE = 1 << 20
MAX_FRAME = 64 << 20
F_SETPIPE_SZ = 1031
YOUNG, YOUTH = 2 * (os.cpu_count() or 2), 0.005  # runs that may begin at the same time, and how long that takes
DRAIN = 0.5  # how long we wait for output when the tree is dead but another process holds the pipe


def pair():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    a.setblocking(False)
    for end in (a, b):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE * 2)
    return a, b
