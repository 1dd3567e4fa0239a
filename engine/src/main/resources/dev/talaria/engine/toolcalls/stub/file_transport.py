import atexit as _atexit
import select as _select

_FOLDER = _os.environ.get("HERMES_RPC_DIR", "")
_BLOCK = 10000  # request numbers that a process claims at a time
_SHORT, _LONG = 5, 50  # milliseconds between checks for answers without an announcement

_pool = None


def _path(name):
    return _os.path.join(_FOLDER, name)


def _claim():
    """Claim a block of numbers that no other process uses, with a file that stays. Return the number before it."""
    try:
        taken = [int(name[6:]) for name in _os.listdir(_FOLDER) if name.startswith("claim_") and name[6:].isdigit()]
        block = max(taken, default=-1) + 1
        while True:
            try:
                _os.close(_os.open(_path("claim_%03d" % block), _os.O_WRONLY | _os.O_CREAT | _os.O_EXCL, 0o600))
                return block * _BLOCK
            except FileExistsError:
                block += 1
    except FileNotFoundError as problem:
        raise RuntimeError(_GONE) from problem


def _open_waker(path):
    """Open the named pipe for the host's announcements of answers. Return None if there can be none."""
    try:
        try:
            _os.mkfifo(path, 0o600)
        except FileExistsError:
            pass
        # Opened for reading and writing, so that there is no end of file when the host closes its end.
        return _os.open(path, _os.O_RDWR | _os.O_NONBLOCK | _os.O_NOFOLLOW)
    except OSError:
        return None


def _ring(path):
    """Tell the host that a request is there, if it listens."""
    try:
        bell = _os.open(path, _os.O_WRONLY | _os.O_NONBLOCK)
    except OSError:
        return
    try:
        _os.write(bell, b"!")
    except OSError:
        pass
    finally:
        _os.close(bell)


class _Link(_Exchange):
    """The process's requests and responses as files, shared by its threads."""

    def __init__(self):
        super().__init__()
        if not _FOLDER:
            raise RuntimeError("HERMES_RPC_DIR is not set: tools can be called only from a script that execute_code runs")
        self.last = _claim()
        self.end = self.last + _BLOCK
        self.pause = _SHORT
        self.waker_path = _path("wake_%d" % _os.getpid())
        self.waker = _open_waker(self.waker_path)
        if self.waker is not None:
            self.poll = _select.poll()
            self.poll.register(self.waker, _select.POLLIN)

    def next_number(self):
        if self.last >= self.end:
            self.last = _claim()
            self.end = self.last + _BLOCK
        return self.last + 1

    def send(self, number, tool, body):
        text = '{"tool": %s, "args": %s, "seq": %d, "token": %s}' % (_quote(tool), body, number, _quote(_TOKEN))
        path = _path("req_%06d" % number)
        try:
            with open(_os.open(path + ".tmp", _os.O_WRONLY | _os.O_CREAT | _os.O_EXCL, 0o600), "wb") as file:
                file.write(text.encode("ascii"))
            _os.rename(path + ".tmp", path)
        except FileNotFoundError as problem:
            raise RuntimeError(_GONE) from problem
        self.pause = _SHORT
        _ring(_path("bell"))

    def receive(self):
        self.wait()
        try:
            present = set(_os.listdir(_FOLDER))
        except FileNotFoundError:
            self.gone = True
            return
        for number in list(self.waiting):
            name = "res_%06d" % number
            if name in present:
                self.take(number, _path(name))
                self.pause = _SHORT

    def wait(self):
        if self.waker is None:
            _time.sleep(self.pause / 1000)
        elif self.poll.poll(self.pause):
            try:
                _os.read(self.waker, 4096)
            except BlockingIOError:
                pass
        self.pause = min(self.pause * 2, _LONG)

    def take(self, number, path):
        try:
            with open(path, "rb") as file:
                text = file.read().decode("utf-8", "surrogatepass")
            self.answer(number, _decode(text))
        except (OSError, ValueError, RecursionError) as problem:
            self.answer(number, None, RuntimeError("Unreadable answer from the agent: %s" % problem))
        try:
            _os.unlink(path)
        except OSError:
            pass

    def close(self):
        if self.waker is not None:
            _os.close(self.waker)
            self.waker = None


async def _aio_call(tool, args):
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    global _pool
    with _opening:
        if _pool is None:
            _pool = ThreadPoolExecutor(128, "hermes_tools")
    return await asyncio.get_running_loop().run_in_executor(_pool, _call, tool, args)


def _forget_pool():
    global _pool
    _pool = None


def _at_exit():
    if _link is not None:
        try:
            _os.unlink(_link.waker_path)
        except OSError:
            pass


_os.register_at_fork(after_in_child=_forget_pool)
_atexit.register(_at_exit)


