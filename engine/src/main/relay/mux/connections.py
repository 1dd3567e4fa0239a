# ---- connections: tool calls on their way -----------------------------------------------------------------------------

class Connection:
    """A tool-call connection of a script, passed on to the host byte by byte."""

    def __init__(self, mux, number, sock, window):
        self.mux, self.number, self.sock, self.credit = mux, number, sock, window
        self.out, self.pending = collections.deque(), 0
        self.paused = self.full = False
        sock.setblocking(False)
        mux.watch(sock.fileno(), self.on_event)

    def on_event(self, events):
        if events & select.EPOLLOUT:
            self.push()
        if events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR):
            self.pump()

    def pump(self):
        if self.sock.fileno() < 0:
            return
        if self.credit <= 0:
            self.paused = True
            self.remask()
            return
        data = read_now(self.sock.recv, min(self.credit, BIG_PIPE))
        if data is None:
            return
        if data:
            self.credit -= len(data)
            self.mux.send(b"d", self.number, data)
        else:
            self.close(True)

    def add_credit(self, amount):
        self.credit += amount
        if self.paused:
            self.paused = False
            self.remask()

    def remask(self):
        self.mux.mask(self.sock.fileno(), (0 if self.paused else select.EPOLLIN) | (select.EPOLLOUT if self.out else 0))

    def feed(self, data):
        self.out.append(data)
        self.pending += len(data)
        if self.pending > MAX_FRAME:  # it sends requests and reads no answers
            self.close(True)
        elif len(self.out) == 1:
            self.push()

    def push(self):
        try:
            self.pending -= send_waiting(self.sock, self.out)
        except OSError:
            self.close(True)
            return
        if self.out or self.full:
            self.full = bool(self.out)
            self.remask()

    def close(self, tell):
        if self.mux.connections.pop(self.number, None):
            self.mux.forget(self.sock.fileno())
            self.sock.close()
            if tell:
                self.mux.send(b"c", self.number, b"")


class ToolSocket:
    """The socket that scripts connect to for tool calls."""

    def __init__(self, mux, path):
        self.mux, self.last = mux, 0
        try:
            self.listener, self.address = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), path
        except OSError:  # a sandbox without Unix sockets, and with a network of its own
            self.listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            self.listener.bind(("127.0.0.1", 0))
            self.address = "tcp://127.0.0.1:%d" % self.listener.getsockname()[1]
        else:
            self.listener.bind(path)
            os.chmod(path, 0o600)
        self.listener.listen(256)
        self.listener.setblocking(False)
        mux.watch(self.listener.fileno(), self.on_connect)

    def on_connect(self, _events):
        try:
            sock, _ = self.listener.accept()
        except OSError:
            return
        if sock.family == socket.AF_INET:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        elif not is_ours(sock):
            sock.close()
            return
        self.last += 1
        self.mux.connections[self.last] = Connection(self.mux, self.last, sock, self.mux.config["window"])
        self.mux.send(b"o", self.last, b"")
