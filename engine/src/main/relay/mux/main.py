# ---- the start --------------------------------------------------------------------------------------------------------

def raise_file_limit():
    """Raises the limit: a hundred runs at once need five descriptors each. Returns the old limits, for the scripts."""
    import resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else 1 << 16, hard))
    except (ValueError, OSError):
        pass
    return soft, hard


def read_exactly(fd, count):
    data = b""
    while len(data) < count:
        more = os.read(fd, count - len(data))
        if not more:
            os._exit(3)
        data += more
    return data


def mux():
    length, _kind, _number = HEADER.unpack(read_exactly(0, 9))
    config = json.loads(read_exactly(0, length))
    config["cwd_at_start"] = globals().get("START") or working_folder()
    try:
        os.setsid()
    except OSError:
        pass  # already a leader
    into, out = 0, 1
    if config.get("connect"):
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        channel.connect(config["connect"])
        into = out = os.dup(channel.fileno())
        os.set_inheritable(into, False)
        channel.close()
    else:
        into, out = os.dup(0), os.dup(1)
        os.set_inheritable(into, False)
        os.set_inheritable(out, False)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.set_inheritable(null, False)
    prctl(PR_SET_DUMPABLE, 0)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    relay = Mux(into, out, config)
    relay.null = null
    relay.subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1)
    relay.staging, relay.lock = first_writable()
    os.chdir("/")
    if relay.staging:
        relay.tools = ToolSocket(relay, relay.staging + "/tools.sock")
    os.write(out, b"\n" + config["magic"].encode() + b"\n")
    gc.freeze()
    relay.loop()


# The loader has set SOURCE, and CHILD_CODE if the program was compiled before.
CHILD_SOURCE = SOURCE.split(b"\n# ==== mux ====", 1)[0]  # noqa: F821
CHILD_CODE = globals().get("CHILD_CODE") or marshal.dumps(compile(CHILD_SOURCE, "relay.py", "exec"))
FILE_LIMITS = raise_file_limit()
mux()
