# ---- descriptors: sockets, pipes and files ----------------------------------------------------------------------------

MESSAGE = 1 << 17  # largest message between mux and its children; longer parameters go through a file
HEADER = struct.Struct(">IcI")  # of a frame


def send_with_fds(sock, data, fds=()):
    extra = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("%di" % len(fds), *fds))] if fds else []
    sock.sendmsg([data], extra)


def receive_with_fds(sock, flags=0):
    data, extra, _flags, _address = sock.recvmsg(MESSAGE, socket.CMSG_SPACE(32), flags | socket.MSG_CMSG_CLOEXEC)
    fds = []
    for level, kind, value in extra:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            fds.extend(struct.unpack("%di" % (len(value) // 4), value[:len(value) // 4 * 4]))
    return data, fds


def peer_of(sock):
    """Returns the pid and the user of the process at the other end of a Unix socket."""
    return struct.unpack("3i", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[:2]


def is_ours(sock):
    """Tells whether our own user or root is at the other end of a Unix socket."""
    return peer_of(sock)[1] in (os.getuid(), 0)


def read_now(read, *how):
    """Reads from something that does not block. Returns None if there is nothing yet, b"" if there will be nothing."""
    try:
        return read(*how)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def send_waiting(sock, parts):
    """Sends as many of the waiting parts as a socket takes now; returns the number of bytes."""
    sent = 0
    try:
        while parts:
            done = sock.send(parts[0])
            sent += done
            if done < len(parts[0]):
                parts[0] = parts[0][done:]
            else:
                parts.popleft()
    except BlockingIOError:
        pass
    return sent


def nameless_file(content, folder):
    """Returns a descriptor of a file without a name. Only processes that inherit it can read it."""
    try:
        fd = os.memfd_create("talaria", os.MFD_CLOEXEC)
    except (AttributeError, OSError):  # an old kernel
        name = "%s/f%s" % (folder, os.urandom(8).hex())
        fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(name)
    while content:
        content = content[os.write(fd, content):]
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def close_from(first):
    if sys.version_info >= (3, 10):
        os.closerange(first, 1 << 30)  # one close_range call
        return
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= first:
            try:
                os.close(int(name))
            except OSError:
                pass


def tell_kernel(path, data):
    """Writes to a file of the kernel; returns whether that worked."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(fd, data)
        finally:
            os.close(fd)
        return True
    except OSError:
        return False
