import socket as _socket

_ADDRESS = _os.environ.get("HERMES_RPC_SOCKET", "")
_QUOTED_TOKEN = _quote(_TOKEN)
_NO_SIGNAL = getattr(_socket, "MSG_NOSIGNAL", 0)
_CHUNK = (65536,)

_aio_links = {}  # event loop -> connection


def _connect():
    if not _ADDRESS:
        raise RuntimeError("HERMES_RPC_SOCKET is not set: tools can be called only from a script that execute_code runs")
    try:
        if _ADDRESS.startswith("tcp://"):
            host, _, port = _ADDRESS[6:].rpartition(":")
            connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
            connection.settimeout(None)
            connection.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
            connection.connect((host, int(port)))
        else:
            connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
            connection.settimeout(None)
            connection.connect(_ADDRESS)
    except OSError as problem:
        raise RuntimeError(_GONE) from problem
    return connection


def _request(number, tool, body):
    # The id comes first: the server can still find it in a line that is too long to parse.
    text = '{"id": %d, "tool": %s, "args": %s, "token": %s}\n' % (number, _quote(tool), body, _QUOTED_TOKEN)
    return text.encode("ascii")


def _response(line):
    """Return number, value and problem of an answer. The number is None if the line has none."""
    try:
        message = _decode(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as problem:
        return None, None, RuntimeError("Unreadable answer from the agent: %s" % problem)
    if type(message) is dict and "id" in message and "result" in message:
        number = message["id"]
        return number if type(number) is int else None, message["result"], None
    return None, message, None


def _split(inbox):
    """Return the complete lines of the chunks received so far, and the rest in a list."""
    lines = (inbox[0] if len(inbox) == 1 else b"".join(inbox)).split(b"\n")
    rest = lines.pop()
    return lines, [rest] if rest else []


class _Link(_Exchange):
    """The process's connection, shared by its threads."""

    def __init__(self):
        super().__init__()
        self.socket = _connect()
        self.recv = self.socket.recv
        self.inbox = []  # chunks not yet split into lines; only the leader uses them

    def send(self, number, tool, body):
        line = _request(number, tool, body)
        if self.retired:
            raise _Retired
        try:
            self.socket.sendall(line, _NO_SIGNAL)
        except OSError as problem:
            self.retired = True
            raise RuntimeError(_GONE) from problem
        except BaseException:
            self.retired = True  # interrupted: half a line may be sent, and must not become part of the next
            raise

    def receive(self):
        inbox = self.inbox
        if not inbox or b"\n" not in inbox[-1]:
            try:
                inbox.extend(map(self.recv, _CHUNK))  # in one step, so that an interrupt loses nothing
            except OSError:
                self.gone = True
                return
            if not inbox[-1]:
                self.gone = True
                return
            if b"\n" not in inbox[-1]:
                return
        lines, rest = _split(inbox)
        for line in lines:
            self.answer(*_response(line))
        inbox[:] = rest

    def close(self):
        self.socket.close()


class _AioLink:
    """An event loop's connection. Only that loop's thread uses it."""

    def __init__(self, loop):
        self.socket = _connect()
        self.socket.setblocking(False)
        self.gone = False
        self.last = 0
        self.pending = {}  # number -> future, oldest first; a cancelled call's future stays until its answer comes
        self.inbox = []
        self.outbox = bytearray()
        loop.add_reader(self.socket, self.readable, loop)

    def call(self, loop, tool, args):
        body = _encode(args)
        self.last += 1
        future = self.pending[self.last] = loop.create_future()
        idle = not self.outbox
        self.outbox += _request(self.last, tool, body)
        if idle:
            self.writable(loop)
        return future

    def writable(self, loop):
        try:
            sent = self.socket.send(self.outbox, _NO_SIGNAL)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            return self.close(loop)
        del self.outbox[:sent]
        if self.outbox:
            loop.add_writer(self.socket, self.writable, loop)
        else:
            loop.remove_writer(self.socket)

    def readable(self, loop):
        try:
            chunk = self.socket.recv(262144)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""
        if not chunk:
            return self.close(loop)
        self.inbox.append(chunk)
        if b"\n" in chunk:
            lines, self.inbox = _split(self.inbox)
            for line in lines:
                self.answer(*_response(line))

    def answer(self, number, value, problem):
        if number is None:
            number = next(iter(self.pending), None)
        future = self.pending.pop(number, None)
        if future is not None and not future.done():
            future.set_result((value, problem))

    def close(self, loop):
        self.gone = True
        if not loop.is_closed():
            loop.remove_reader(self.socket)
            loop.remove_writer(self.socket)
        self.socket.close()
        while self.pending:
            self.answer(None, None, RuntimeError(_GONE))


async def _aio_call(tool, args):
    import asyncio

    loop = asyncio.get_running_loop()
    link = _aio_links.get(loop)
    if link is None or link.gone:
        with _opening:
            for other in [other for other in _aio_links if other.is_closed()]:
                _aio_links.pop(other).close(other)
            link = _aio_links[loop] = _AioLink(loop)
    return _result(await link.call(loop, tool, args))


def _forget_aio_links():
    for link in _aio_links.values():
        link.socket.close()
    _aio_links.clear()


_os.register_at_fork(after_in_child=_forget_aio_links)


