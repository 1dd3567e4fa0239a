# ---- the script's own process -----------------------------------------------------------------------------------------

def become_child(sock, standby):
    """Runs in the freshly forked child: waits for its parameters, then becomes the script or command."""
    _signal.set_wakeup_fd(-1)
    _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())
    for fd in standby:
        os.close(fd)
    os.setpgid(0, 0)
    offer_to_kernel("self")
    try:
        data, fds = receive_with_fds(sock, socket.MSG_DONTWAIT)
    except BlockingIOError:
        rehearse()
        data, fds = receive_with_fds(sock)
    if not data:
        os._exit(0)
    p = parameters(data)
    for target, fd in enumerate(fds[:3]):
        os.dup2(fd, target)
    try:
        if p.get("pty"):
            take_terminal()
        prepare(p)
    except (OSError, ValueError) as e:
        sock.send(obstacle(e, p).encode("utf-8", "replace"))
        os._exit(126)
    wanted = p.get("fds", ())  # a shell's own, ascending; higher than all received ones, or all the same file
    for target, fd in zip(wanted, fds[3:]):
        os.dup2(fd, target)
    first = 3
    for fd in wanted:
        os.closerange(first, fd)
        first = fd + 1
    close_from(first)
    if "argv0" in p:
        run_command(p)
    else:
        run_script(p)


def parameters(data):
    p = marshal.loads(data)  # trusted: the mux runs on this machine and made it from JSON
    if "file" in p:
        with open(p["file"], "rb") as f:
            os.unlink(p["file"])
            p = marshal.loads(f.read())
    return p


def obstacle(error, p):
    """Returns the reason why a run could not begin."""
    return "%s: %s" % (error.strerror, error.filename or p.get("cwd")) if isinstance(error, OSError) else str(error)


def take_terminal():
    """Makes descriptor 0 this process's terminal, as a login would."""
    import fcntl
    import termios
    os.setpgid(0, os.getppid())  # we lead a group, so we cannot start a session; we join our keeper's group first
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


REHEARSAL = marshal.dumps({"set": {"HERMES_RPC_TOKEN": ""}, "unset": [], "cwd": "/", "folder": "/", "args": []}, 2)


def warm_up():
    """Runs our own code until the interpreter has specialized it. The interpreter writes that into the code, and each
    page that is written after a fork is copied."""
    for name in ("types", "re", "shlex", "traceback", "linecache", "collections", "subprocess", "functools", "datetime"):
        __import__(name)
    for _ in range(20):
        rehearse()
    gc.collect()
    gc.freeze()


def rehearse():
    """Rehearses a run while idle: memory pages shared with the keeper are copied now, not during the run."""
    p = marshal.loads(REHEARSAL)
    prepare(p)
    renew_paths(p)
    sys.argv[:] = ["/"] + p["args"]
    main = fresh_main("/")
    fd = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    execute(b"".join(iter(lambda: os.read(fd, 1 << 20), b"")) or b"print(end='')", "/", main)
    os.close(fd)
    os.listdir("/proc/self/fd")
    gc.get_count()
    sys.stdout.flush()
    sys.stderr.flush()
    del os.environ["HERMES_RPC_TOKEN"]


def prepare(p):
    for name in p["unset"]:
        os.environ.pop(name, None)
    for name, value in p["set"].items():
        os.environ[name] = value
    if "TZ" in p["set"] or "TZ" in p["unset"]:
        time.tzset()
    if p.get("memory"):
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (p["memory"], p["memory"]))
    if p.get("processes"):
        bound_processes(p["processes"], p.get("group"))
    os.chdir(p["cwd"])


def run_command(p):
    for number in NOT_FOR_COMMANDS:
        _signal.signal(number, _signal.SIG_DFL)
    try:
        os.execvpe(p.get("program") or p["argv0"][0], p["argv0"], os.environ)
    except OSError as e:
        os.write(2, ("%s: %s\n" % (p["argv0"][0], e.strerror)).encode("utf-8", "replace"))
        os._exit(127 if e.errno == errno.ENOENT else 126)


def flush_quietly(*_):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # a print was interrupted half-way, or the reader has gone
            pass


def renew_paths(p):
    """Sets the module path that `python3 script.py` would have now, with new .pth files."""
    sys.path[:] = [p["folder"]] + [e for e in os.environ.get("PYTHONPATH", "").split(os.pathsep) if e] + BASE_PATH
    for folder, (changed, known) in SITE_FOLDERS.items():
        try:
            if os.stat(folder).st_mtime_ns != changed:
                renew_site(folder, known)
        except OSError:
            pass


def renew_site(folder, known):
    """Adds packages that were installed since the zygote started."""
    import site
    sys.path_importer_cache.pop(folder, None)
    if folder not in sys.path:
        sys.path.append(folder)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".pth") and known.get(name) != os.stat(os.path.join(folder, name)).st_mtime_ns:
            site.addpackage(folder, name, None)


def run_script(p):
    path = p["folder"] + "/script.py"
    renew_paths(p)
    if p["stubs"]:
        compile_stubs(p["stubs"])
    sys.argv[:] = [path] + p["args"]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[:] = [sys.executable] + sys.argv
    if os.environ.get("PYTHONUNBUFFERED"):
        sys.stdout.reconfigure(write_through=True)
    main = fresh_main(path)
    sys.modules["__main__"] = main
    plain = len(main.__dict__)
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    source = b"".join(iter(lambda: os.read(fd, 1 << 20), b""))
    os.close(fd)
    status = execute(source, path, main)
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
    except BaseException:
        sys.excepthook(*sys.exc_info())
    if len(os.listdir("/proc/self/fd")) > 4:  # more than stdin, stdout, stderr and the listing itself
        flush_files()
    if len(main.__dict__) > plain or gc.get_count() > (200, 0, 0):
        sys.modules.pop("__main__", None)
        del main
        gc.collect()  # finalizers run, and still see their globals
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        status = status or 120
    if status < 0:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), _signal.SIGINT)
    os._exit(status & 0xff)


def fresh_main(path):
    main = type(sys)("__main__")
    main.__dict__.update(__file__=path, __builtins__=builtins, __cached__=None)
    return main


def flush_files():
    """Flushes files that were left open, since the collector may close a file below its own buffer."""
    files = [o for o in gc.get_objects() if isinstance(o, (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom))]
    for file in sorted(files, key=lambda o: not isinstance(o, io.TextIOWrapper)):
        try:
            file.flush()
        except Exception:
            pass


def execute(source, path, main):
    try:
        code = compile(source, path, "exec", dont_inherit=True)
    except BaseException as e:
        sys.excepthook(type(e), e.with_traceback(None), None)
        return 1
    try:
        exec(code, main.__dict__)
        return 0
    except SystemExit as e:
        if e.code is None or isinstance(e.code, int):
            return (e.code or 0) & 0xff
        flush_quietly()
        print(e.code, file=sys.stderr)
        return 1
    except BaseException as e:
        flush_quietly()
        # The hook shows the value's own traceback. It must begin in the script, not here.
        e.with_traceback(e.__traceback__.tb_next if e.__traceback__ else None)
        sys.excepthook(type(e), e, e.__traceback__)
        return -1 if isinstance(e, KeyboardInterrupt) else 1


def compile_stubs(folder):
    """Stores the compiled stub module beside its source, so that only the first run compiles it."""
    cached = os.path.join(folder, "__pycache__", "hermes_tools." + sys.implementation.cache_tag + ".pyc")
    if not os.path.exists(cached):
        try:
            import py_compile
            py_compile.compile(os.path.join(folder, "hermes_tools.py"), cached, doraise=True)
        except Exception:
            pass
