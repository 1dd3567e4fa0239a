"""Talaria's relay: the one live channel between a sandbox and its host.

Sent over stdin, never installed: engine/pom.xml joins the files of this folder to one program, relay.py. Python >= 3.8,
standard library only. Three roles, see ARCHITECTURE.md:

  mux     talks to the host in frames; owns pipes, files and the tool-call socket; forks no script
  zygote  one per interpreter: a warm, clean Python that forks keepers and knows nothing else
  keeper  parent of one run at a time: forks the script, kills and reaps all it leaves, reports

A frame is: payload length (4 bytes), kind (1 byte), id (4 bytes), payload. Nothing but JSON is parsed.
The part above the line "# ==== mux ====" is all that zygotes and keepers are given; the files in mux/ are below it.
"""
import os


def start_python(python, environment):
    """Starts an interpreter that waits for its program on descriptor 3; returns its pid, our end of the socket, and its
    stderr."""
    import _signal
    import _socket
    import fcntl
    ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    errors, errors_in = os.pipe()
    os.set_blocking(errors, False)
    # The mark is also in argv, which everybody can read: the environment of a process that is not dumpable is closed to
    # its own user.
    mark = ["TALARIA_JOB=" + environment["TALARIA_JOB"]] if "TALARIA_JOB" in environment else []
    fd = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 10)  # never 3 itself: a dup2 onto itself keeps CLOEXEC
    try:
        pid = os.posix_spawn(
            python, [python, "-c", ZYGOTE_LOADER] + mark, environment,
            file_actions=[(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                          (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0),
                          (os.POSIX_SPAWN_DUP2, errors_in, 2), (os.POSIX_SPAWN_DUP2, fd, 3)],
            setsigdef=[_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGPIPE])
    finally:
        os.close(fd)
        theirs.close()
        os.close(errors_in)
    return pid, ours.detach(), errors


def working_folder():
    try:
        return os.getcwd()
    except OSError:  # somebody has removed the folder
        return "/"


ZYGOTE_LOADER = ('import os,sys,marshal;b=b"";exec("while len(b)<8 or len(b)<8+int(b[:8]): '
                 'b+=os.read(3,(8 if len(b)<8 else 8+int(b[:8]))-len(b)) or os._exit(3)");'
                 'version,code,source,files=marshal.loads(b[8:]);'
                 'exec(marshal.loads(code) if version==sys.version else compile(source,"relay.py","exec"));'
                 'zygote(socket.socket(fileno=3),files)')
STARTED = {}  # interpreters that start while we load: path -> (environment, result of start_python)
if globals().get("EARLY"):  # from the loader: the interpreter's path, then variables
    _words = os.fsdecode(EARLY).split("\0")  # noqa: F821
    _environment = dict(word.split("=", 1) for word in _words[1:])
    START = working_folder()
    os.chdir("/")  # an interpreter looks for modules where it starts, and a project may have its own json.py
    try:
        STARTED[_words[0]] = _environment, start_python(_words[0], _environment)
    except (OSError, ValueError):
        pass  # the first run will report it
