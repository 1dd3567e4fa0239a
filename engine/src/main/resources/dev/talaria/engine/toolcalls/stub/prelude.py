"""The agent's tools as Python functions.

Talaria generates this module. A call goes to the agent, which checks and runs it. Its result is a plain Python value.
Many threads may call at once; `aio` has the same tools for asyncio.
"""
import json as _json
import os as _os
import shlex as _shlex
import threading as _threading
import time as _time

_TOKEN = _os.environ.get("HERMES_RPC_TOKEN", "")
_GONE = "Agent process disconnected"
_DROPPED = object()  # instead of a waiting thread: its caller was interrupted and will not read the answer


def json_parse(text):
    """Parse JSON that may hold raw control characters or start with a byte order mark.

    Use it for text printed by programs, such as terminal(...)["output"]. Results of tools are already parsed; a dict or
    list is returned unchanged.
    """
    if isinstance(text, (dict, list)):
        return text
    if isinstance(text, (bytes, bytearray)):
        text = text.decode("utf-8")
    if isinstance(text, str) and text.startswith("\ufeff"):
        text = text[1:]
    return _json.loads(text, strict=False)


def shell_quote(s):
    """Quote text so that a shell reads it as one word: terminal("ls -l " + shell_quote(name))."""
    return _shlex.quote(s)


def retry(fn, max_attempts=3, delay=2):
    """Return fn(), trying again after delay, 2 * delay, 4 * delay ... seconds when it raises."""
    attempt = 1
    while True:
        try:
            return fn()
        except Exception:
            if attempt >= max_attempts:
                raise
        _time.sleep(delay * 2 ** (attempt - 1))
        attempt += 1


def _plain(value):
    if isinstance(value, _os.PathLike):
        return _os.fspath(value)
    raise TypeError("Tool arguments must be JSON values, not " + type(value).__name__)


_quote = _json.encoder.encode_basestring_ascii
try:
    # The C encoder. JSONEncoder.encode creates it for every value, which is half of the time for small values.
    _chunks = _json.encoder.c_make_encoder(None, _plain, _quote, None, ": ", ", ", False, False, False)

    def _encode(value):
        return "".join(_chunks(value, 0))

    _encode({})
except TypeError:
    _encode = _json.JSONEncoder(allow_nan=False, default=_plain).encode

_decoder = _json.JSONDecoder()


def _decode(text):
    value, end = _decoder.raw_decode(text)
    return value if end == len(text) else _decoder.decode(text)


def _result(answer):
    value, problem = answer
    if problem is not None:
        raise problem
    if isinstance(value, str):
        try:
            return _decode(value)
        except (ValueError, RecursionError):
            return value
    return value


class _Waiter:
    """A running call. Its gate is a lock, which is closed while the caller's thread waits."""

    __slots__ = ("answer", "gate")

    def __init__(self):
        self.answer = None  # (value, problem)
        self.gate = None

    def close_gate(self):
        gate = _threading.Lock()
        gate.acquire()
        self.gate = gate

    def open_gate(self):
        try:
            self.gate.release()
        except RuntimeError:
            pass  # already open


class _Retired(Exception):
    """The channel takes no further requests. Its running calls go on."""


class _Exchange:
    """The running calls of one channel.

    There is no extra thread. One of the waiting threads, the leader, receives for all and opens the gates of the
    answered calls. When its own answer has come, another thread becomes the leader. An interrupt may come between any
    two steps, so every step can be repeated, and a leader that leaves early is replaced.
    """

    def __init__(self):
        self.sending = _threading.Lock()  # numbers go out in order, for servers that answer in order
        self.lock = _threading.Lock()  # guards last and waiting
        self.last = 0
        self.waiting = {}  # number -> waiter, oldest first; an interrupted caller's stays until its answer comes
        self.leading = _threading.RLock()  # held by the leader; an RLock, since only its owner can release it
        self.gone = self.retired = False

    def call(self, tool, args):
        body = _encode(args)
        waiter = _Waiter()
        number = 0
        try:
            with self.sending:
                with self.lock:
                    self.last = number = self.next_number()
                    self.waiting[number] = waiter
                self.send(number, tool, body)
            while waiter.answer is None:
                if self.leading.acquire(False):
                    try:
                        self.lead(waiter)
                    finally:
                        self.leading.release()
                        self.wake_one()
                elif waiter.gate is None:
                    waiter.close_gate()  # then check again: the leader may just have left
                else:
                    waiter.gate.acquire()
            with self.lock:
                del self.waiting[number]
        except BaseException:
            self.drop(number, waiter)
            raise
        return _result(waiter.answer)

    def next_number(self):
        return self.last + 1

    def lead(self, waiter):
        while waiter.answer is None:
            if self.gone:
                raise RuntimeError(_GONE)
            self.receive()

    def answer(self, number, value, problem=None):
        with self.lock:
            if number is None:  # a server without numbers answers the oldest call
                number = next((n for n, waiter in self.waiting.items() if waiter.answer is None), None)
            waiter = self.waiting.get(number)
            if waiter is None:
                return
            if waiter.gate is _DROPPED:
                del self.waiting[number]
                return
            if waiter.answer is None:
                waiter.answer = value, problem
            if waiter.gate is not None:
                waiter.open_gate()

    def wake_one(self):
        """Make another thread the leader, and open the gates of all answered calls."""
        if self.waiting:
            with self.lock:
                for waiter in self.waiting.values():
                    if waiter.gate is not None and waiter.gate is not _DROPPED:
                        waiter.open_gate()
                        if waiter.answer is None:
                            break

    def drop(self, number, waiter):
        with self.lock:
            waiter.gate = _DROPPED
            if waiter.answer is not None:
                self.waiting.pop(number, None)
        try:
            self.leading.release()  # an interrupt between acquire and try left it held
        except RuntimeError:
            pass  # not ours
        self.wake_one()


_link = None  # the process's channel, shared by its threads
_opening = _threading.Lock()
_inside = set()  # threads that are in _call


def _fresh_link():
    global _link
    with _opening:
        if _link is None or _link.retired or _link.gone:
            _link = _Link()
        return _link


def _call(tool, args):
    me = _threading.get_ident()
    if me in _inside:
        # A signal handler or finaliser interrupted a call of this same thread, which continues only after we return.
        link = _Link()
        try:
            return link.call(tool, args)
        finally:
            link.close()
    try:
        _inside.add(me)
        while True:
            link = _link
            if link is None or link.retired or link.gone:
                link = _fresh_link()
            try:
                return link.call(tool, args)
            except _Retired:
                pass
    finally:
        _inside.discard(me)


def _after_fork():
    # The channel belongs to the parent. The child opens its own when it calls a tool.
    global _link, _opening
    if _link is not None:
        _link.close()
    _link = None
    _opening = _threading.Lock()
    _inside.clear()


_os.register_at_fork(after_in_child=_after_fork)


