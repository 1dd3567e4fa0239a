"""The agent's tools as Python functions.

Written for one run by Talaria. A call travels to the agent, which checks and runs it; its result comes back as plain
Python values. Calls may be made from many threads at once, and with asyncio through `aio`.
"""
import json as _json
import os as _os
import shlex as _shlex
import threading as _threading
import time as _time

_TOKEN = _os.environ.get("HERMES_RPC_TOKEN", "")
_GONE = "Agent process disconnected"
_DROPPED = object()  # in place of a waiting thread: its caller was interrupted and will not read the answer


def json_parse(text):
    """Parse JSON that may hold raw control characters or start with a byte order mark.

    Use it for text printed by programs, such as terminal(...)["output"]. Results of tools are parsed already; a dict or
    list is returned as it is.
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


_encode = _json.JSONEncoder(allow_nan=False, default=_plain).encode
_quote = _json.encoder.encode_basestring_ascii
_decode = _json.JSONDecoder().decode


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


def _open_gate(gate):
    try:
        gate.release()
    except RuntimeError:
        pass  # already open


class _Exchange:
    """Calls in flight over one channel.

    No thread of our own: of the threads that wait, one (the leader) receives for all and opens the gates of those whose
    answers came; when its own answer is there, it wakes another to lead. An interrupt may strike between any two
    steps, so every step can be done twice and a leader that leaves early is replaced.
    """

    def __init__(self):
        self.lock = _threading.Lock()  # guards last, pending and answers
        self.last = 0
        self.pending = {}  # number -> None, the gate of a waiting thread, or _DROPPED; oldest first
        self.answers = {}  # number -> (value, problem)
        self.leading = _threading.RLock()  # held by the leader; an RLock, since only its owner can release it
        self.gone = False

    def call(self, tool, args):
        body = _encode(args)
        gate = None
        with self.lock:
            self.last = number = self.next_number()
            self.pending[number] = None
        try:
            self.send(number, tool, body)
            while number not in self.answers:
                if self.leading.acquire(False):
                    try:
                        self.lead(number)
                    finally:
                        self.leading.release()
                        self.wake_one()
                elif gate is None:
                    gate = self.new_gate(number)  # then try to lead once more: the leader may just have left
                else:
                    gate.acquire()
            answer = self.answers.pop(number)
        except BaseException:
            self.drop(number)
            raise
        return _result(answer)

    def lead(self, number):
        while number not in self.answers:
            if self.gone:
                raise RuntimeError(_GONE)
            self.receive()

    def next_number(self):
        return self.last + 1

    def new_gate(self, number):
        gate = _threading.Lock()
        gate.acquire()
        with self.lock:
            if number in self.pending:
                self.pending[number] = gate
            else:
                gate.release()
        return gate

    def answer(self, number, value, problem=None):
        with self.lock:
            if number is None:
                number = next(iter(self.pending), None)  # an answer without a number is the oldest call's
            if number in self.pending:
                waiter = self.pending[number]
                if waiter is not _DROPPED:
                    self.answers[number] = value, problem
                    if waiter is not None:
                        _open_gate(waiter)
                del self.pending[number]

    def wake_one(self):
        if self.pending:
            with self.lock:
                for waiter in self.pending.values():
                    if waiter is not None and waiter is not _DROPPED:
                        _open_gate(waiter)
                        break

    def drop(self, number):
        with self.lock:
            self.answers.pop(number, None)
            if number in self.pending:
                self.pending[number] = _DROPPED
        try:
            self.leading.release()  # an interrupt between acquire and try left it held
        except RuntimeError:
            pass  # not ours
        self.wake_one()


