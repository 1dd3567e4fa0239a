"""The common part of the relay's tests: its program, joined as in the build, and real counterparts that talk to it.

    python3 engine/src/test/python/run.py        all tests; PythonTest.java runs the same

Each wait is for an event, for at most WAIT seconds: a busy machine is no failure.
"""
import collections
import json
import marshal
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import types
import unittest
from xml.etree import ElementTree

ENGINE = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
WAIT = 60
HEADER = struct.Struct(">IcI")
CREDIT = struct.Struct(">cI")
# Like RelayStart.java's loader: the program comes over stdin, as source or compiled.
LOADER = """import marshal, os
def read(count):
    data = b""
    while len(data) < count:
        data += os.read(0, count - len(data)) or os._exit(3)
    return data
SOURCE = read(int(read(8)))
if SOURCE[:1] == bytes(1):
    code, CHILD_CODE, SOURCE = marshal.loads(SOURCE[1:])
else:
    code = compile(SOURCE, "relay.py", "exec")
exec(code)
"""


def joined():
    """Returns the program's files, joined in the order of engine/pom.xml."""
    parts = []
    for files in ElementTree.parse(ENGINE + "/pom.xml").iter("{http://maven.apache.org/POM/4.0.0}filelist"):
        folder = files.get("dir").replace("${project.basedir}", ENGINE)
        for name in files.get("files").split(","):
            with open(os.path.join(folder, name.strip()), "rb") as f:
                parts.append((name.strip(), f.read()))
    assert parts and parts[-1][0] == "main.py", "engine/pom.xml does not say how relay.py is joined"
    return parts


def definitions(source):
    """Returns the definitions of a part of the program."""
    names = {"__name__": "relay"}
    exec(compile(source, "relay.py", "exec"), names)
    return types.SimpleNamespace(**names)


PARTS = joined()
SOURCE = b"".join(text for _name, text in PARTS)
KEEPERS_SOURCE = SOURCE.split(b"\n# ==== mux ====", 1)[0]
keepers = definitions(KEEPERS_SOURCE)  # the part for zygotes and keepers
KEEPERS_CODE = marshal.dumps(compile(KEEPERS_SOURCE, "relay.py", "exec"))
COMPILED = bytes(1) + marshal.dumps((compile(SOURCE, "relay.py", "exec"), KEEPERS_CODE, SOURCE))
relay = definitions(b"".join(text for name, text in PARTS if name != "main.py"))  # the whole program, not started


def eventually(true, what):
    """Polls until a condition is true."""
    give_up = time.monotonic() + WAIT
    while not true():
        if time.monotonic() > give_up:
            raise AssertionError("In %d s this did not happen: %s" % (WAIT, what))
        time.sleep(0.005)


def exists(pid):
    """Returns whether there is such a process, including zombies."""
    return os.path.exists("/proc/%d" % pid)


def lives(pid):
    return pid in keepers.parents() and keepers.parents().get(pid, (0, b"Z"))[1] != b"Z"


def children(pid):
    return [child for child, (parent, state) in keepers.parents().items() if parent == pid and state != b"Z"]


def read_some(fd):
    """Waits for data in a pipe and returns it; empty at the end of the pipe."""
    if not select.select([fd], [], [], WAIT)[0]:
        raise AssertionError("Nothing came through the pipe")
    return os.read(fd, 1 << 16)


def read_line(fd):
    line = b""
    while not line.endswith(b"\n"):
        if not select.select([fd], [], [], WAIT)[0]:
            raise AssertionError("No line came, only %r" % line)
        byte = os.read(fd, 1)
        if not byte:
            raise AssertionError("The pipe ended after %r" % line)
        line += byte
    return line[:-1]


def read_all(fd):
    data = b""
    while True:
        more = read_some(fd)
        if not more:
            return data
        data += more


def plain_environment():
    """Returns our variables, without those that change the interpreter."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def python(code, *args):
    """Returns the command that runs a piece of Python."""
    return [sys.executable, "-S", "-c", code] + list(args)


class Case(unittest.TestCase):
    """A test with its own folder, which checks that nothing stays open."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="relay-test-")
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name, content=None):
        path = os.path.join(self.folder, name)
        if content is not None:
            with open(path, "wb") as f:
                f.write(content)
        return path

    def pipe(self):
        ends = os.pipe()
        for fd in ends:
            self.addCleanup(self.close, fd)
        return ends

    @staticmethod
    def close(fd):
        try:
            os.close(fd)
        except OSError:
            pass  # the test has closed it

    def content(self, path):
        with open(path, "rb") as f:
            return f.read()


Frame = collections.namedtuple("Frame", "kind number payload")
Result = collections.namedtuple("Result", "output errors report")


class Host:
    """The other end of a real relay's channel."""

    def __init__(self, window=1 << 20, silence_limit=600, by_socket=False, program=COMPILED):
        self.folder = tempfile.mkdtemp(prefix="relay-host-")
        self.count, self.buffer, self.aside = 0, bytearray(), collections.deque()
        self.mark = os.urandom(8).hex()
        config = {"magic": os.urandom(8).hex(), "silence_limit": silence_limit, "mark": self.mark, "window": window}
        listener = None
        if by_socket:
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            config["connect"] = self.folder + "/host"
            listener.bind(config["connect"])
            listener.listen(1)
            listener.settimeout(WAIT)
        self.errors = open(self.folder + "/errors", "w+b")
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", LOADER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            bufsize=0, env=dict(plain_environment(), TMPDIR=self.folder))
        self.into, self.out = self.process.stdout.fileno(), self.process.stdin.fileno()
        self.write(b"%08d" % len(program) + program)
        payload = json.dumps(config).encode()
        self.write(HEADER.pack(len(payload), b"c", 0) + payload)
        if listener:
            self.channel, _ = listener.accept()
            listener.close()
            self.process.stdin.close()
            self.process.stdout.close()
            self.into = self.out = self.channel.fileno()
        else:
            self.channel = None
        hello = b"\n" + config["magic"].encode() + b"\n"
        while len(self.buffer) < len(hello):
            self.more()
        assert self.buffer.startswith(hello), "The relay said %r, not its line" % bytes(self.buffer[:200])
        del self.buffer[:len(hello)]
        ready = self.receive()
        assert ready.kind == b"r", ready
        self.info = json.loads(ready.payload)
        self.pid, self.staging = self.info["pid"], self.info["staging"]

    # -- frames

    def write(self, data):
        data = memoryview(data)
        while data:
            data = data[os.write(self.out, data):]

    def write_alone(self, data):
        """Writes, and waits until the relay has read it: later bytes come in another piece."""
        self.write(data)
        eventually(lambda: relay.waiting_in(self.out) == 0, "the relay reads")

    def send(self, kind, number, payload=b""):
        payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.write(HEADER.pack(len(payload), kind, number) + payload)

    def ask(self, kind, payload=b""):
        """Sends a frame with a new number, and returns the number."""
        self.count += 1
        self.send(kind, self.count, payload)
        return self.count

    def credit(self, number, stream, amount):
        self.send(b"A", number, CREDIT.pack(stream, amount))

    def more(self):
        if not select.select([self.into], [], [], WAIT)[0]:
            raise AssertionError("The relay says nothing" + self.complaints())
        data = os.read(self.into, 1 << 20)
        if not data:
            raise EOFError("The relay has hung up" + self.complaints())
        self.buffer += data

    def complaints(self):
        self.errors.seek(0)
        return ": " + self.errors.read().decode("utf-8", "replace")

    def receive(self):
        """Returns the next frame of any kind."""
        while len(self.buffer) < 9 or len(self.buffer) < 9 + HEADER.unpack_from(self.buffer)[0]:
            self.more()
        length, kind, number = HEADER.unpack_from(self.buffer)
        payload = bytes(self.buffer[9:9 + length])
        del self.buffer[:9 + length]
        return Frame(kind, number, payload)

    def of(self, number):
        """Returns the next frame with this number, and keeps the others for later."""
        for frame in self.aside:
            if frame.number == number:
                self.aside.remove(frame)
                return frame
        while True:
            frame = self.receive()
            if frame.number == number:
                return frame
            self.aside.append(frame)

    def answer(self, number):
        """Returns the answer to a question: the last frame, and the data before it."""
        data = b""
        while True:
            frame = self.of(number)
            if frame.kind != b"f":
                return frame, data
            data += frame.payload

    def ping(self):
        """Waits until the relay has read everything so far."""
        number = self.ask(b"P")
        frame = self.of(number)
        assert frame.kind == b"p", frame

    # -- runs

    def run(self, **p):
        p.setdefault("env", {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.folder})
        p.setdefault("env_hash", "e" + str(abs(hash(tuple(sorted(p["env"].items()))))))
        return self.ask(b"R", p)

    def program(self, argv, **p):
        return self.run(kind="program", argv=argv, **p)

    def script(self, code, **p):
        return self.run(kind="script", code=code, args=p.pop("args", []), stub_hash="0", stub="", **p)

    def line(self, command, workdir=None, take=None, never=None, **p):
        shell = {"command": command, "workdir": workdir, "take": take}
        if never is not None:
            shell["never"] = never
        return self.run(kind="program", shell={k: v for k, v in shell.items() if v is not None}, **p)

    def result(self, number):
        """Returns all frames of a run until its end, and gives credit meanwhile."""
        output = {b"O": b"", b"E": b""}
        while True:
            frame = self.of(number)
            if frame.kind in output:
                output[frame.kind] += frame.payload
                self.credit(number, frame.kind, len(frame.payload))
            elif frame.kind == b"x":
                return Result(output[b"O"], output[b"E"], json.loads(frame.payload))
            elif frame.kind == b"!":
                raise AssertionError("The run failed: %r" % frame.payload)

    def started(self, number):
        """Waits until a background run has started, and returns the relay's report."""
        frame = self.of(number)
        assert frame.kind == b"s", frame
        return json.loads(frame.payload)

    def output(self, number, length):
        """Returns this many bytes of a running job's output."""
        data = b""
        while len(data) < length:
            frame = self.of(number)
            assert frame.kind == b"O", frame
            data += frame.payload
        return data

    def line_of(self, number):
        """Returns the next line of a running job's output. No output may follow it yet."""
        data = b""
        while not data.endswith(b"\n"):
            data += self.output(number, 1)
        return data[:-1]

    # -- the end

    def hang_up(self):
        """Closes the channel and returns the relay's exit code."""
        if self.channel:
            self.channel.close()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()
        return self.process.wait(WAIT)

    def close(self):
        try:
            self.hang_up()
        finally:
            self.process.kill()
            self.process.wait()
            self.errors.close()
            shutil.rmtree(self.folder, True)


class SharedHost(Case):
    """Tests that share one relay: its start takes longer than most of them."""
    WINDOW = 1 << 20

    @classmethod
    def setUpClass(cls):
        cls.host = Host(window=cls.WINDOW)
        cls.addClassCleanup(cls.host.close)

    def tearDown(self):
        self.host.ping()  # it still answers
        self.assertEqual(list(self.host.aside), [], "Nobody asked for this")


class Zygote:
    """A real zygote, started as the mux starts it."""

    def __init__(self, files=None, environment=None):
        import resource
        environment = plain_environment() if environment is None else environment
        self.pid, ours, self.errors = keepers.start_python(sys.executable, environment)
        self.sock = socket.socket(fileno=ours)
        files = files or resource.getrlimit(resource.RLIMIT_NOFILE)
        program = marshal.dumps((sys.version, KEEPERS_CODE, KEEPERS_SOURCE, files), 2)
        self.sock.sendall(b"%08d" % len(program) + program)
        self.status = None

    def keeper(self):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        keepers.send_with_fds(self.sock, b"K", [theirs.fileno()])
        theirs.close()
        return Keeper(ours)

    def wait(self):
        """Returns its exit status, as wait reports it."""
        def ended():
            if self.status is None:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                self.status = status if pid else None
            return self.status is not None
        eventually(ended, "the zygote ends")
        return self.status

    def close(self):
        self.sock.close()
        self.wait()
        os.close(self.errors)


class Keeper:
    """The mux's end of a real keeper's socket."""

    def __init__(self, sock):
        self.sock = sock
        sock.settimeout(WAIT)
        self.pid = int(self.hear(b"K"))

    def hear(self, kind):
        data = self.sock.recv(1 << 17)
        assert data[:1] == kind, "The keeper said %r" % data
        return data[1:]

    def tell(self, message):
        self.sock.send(message)

    def report(self):
        return json.loads(self.hear(b"E"))

    def spawn(self, argv, folder=None, cwd="/", program=None, environment=None):
        """Starts a command. Returns its number and the pipe with its output."""
        out, into = os.pipe()
        null = os.open("/dev/null", os.O_RDWR)
        p = {"program": program or argv[0], "argv0": argv, "env": plain_environment() if environment is None else environment,
             "cwd": cwd, "fds": [], "folder": folder, "announced": True}
        try:
            keepers.send_with_fds(self.sock, b"S" + marshal.dumps(p, 2), [null, into, into])
        finally:
            os.close(into)
            os.close(null)
        return out

    def began(self):
        return int(self.hear(b"P"))

    def fork(self, folder):
        """Makes the keeper fork the next script's process. Returns the gate for its parameters."""
        gate, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        keepers.send_with_fds(self.sock, b"F" + folder.encode(), [theirs.fileno()])
        theirs.close()
        return gate

    def script(self, folder, code, *args, limit=None, **more):
        """Runs a script and returns the pipe with its output."""
        with open(folder + "/script.py", "w") as f:
            f.write(code)
        gate, (out, into) = self.fork(folder), os.pipe()
        if limit:
            self.tell(b"L" + json.dumps((limit, None)).encode())
        null = os.open("/dev/null", os.O_RDWR)
        p = dict({"set": {}, "unset": [], "cwd": folder, "folder": folder, "args": list(args), "stubs": None}, **more)
        keepers.send_with_fds(gate, marshal.dumps(p, 2), [null, into, into])
        for fd in (into, null):
            os.close(fd)
        gate.close()
        return out

    def close(self):
        self.sock.close()
        eventually(lambda: not lives(self.pid), "the keeper leaves")
