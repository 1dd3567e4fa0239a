# ---- zygote -----------------------------------------------------------------------------------------------------------

BASE_PATH = []
SITE_FOLDERS = {}


def zygote(sock, files):
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_NOFILE, files)  # the mux has raised its own
    except (ImportError, ValueError, OSError):
        pass
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2 and os.path.exists("/proc/self/fd/" + name):
            os.set_inheritable(int(name), False)  # a keeper's child inherits only what it is passed
    BASE_PATH.extend(p for p in sys.path if p)
    folders = [p for p in BASE_PATH if os.path.basename(p) in ("site-packages", "dist-packages")]
    site = sys.modules.get("site")
    if site is not None and site.ENABLE_USER_SITE and site.getusersitepackages() not in folders:
        folders.append(site.getusersitepackages())  # the folder may be created later
    for folder in folders:
        try:
            names = [n for n in os.listdir(folder) if n.endswith(".pth")]
            SITE_FOLDERS[folder] = (os.stat(folder).st_mtime_ns,
                                    {n: os.stat(os.path.join(folder, n)).st_mtime_ns for n in names})
        except OSError:
            SITE_FOLDERS[folder] = (0, {})
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps keepers; their sockets tell the mux
    prctl(PR_SET_DUMPABLE, 0)  # a process that could write to our memory would control every later run
    # Our signal to flush the output: nobody else sends it, and after an exec it is ignored. TERM keeps its default: a
    # child between fork and its first step would otherwise lose it.
    signal.signal(signal.SIGURG, flush_quietly)
    signal.pthread_sigmask(signal.SIG_BLOCK, NOT_FOR_KEEPERS)
    gc.collect()
    gc.freeze()
    warm, waiting = False, select.poll()
    waiting.register(sock, select.POLLIN)
    while True:
        if not warm and not waiting.poll(10):  # the first runs do not wait for the warm-up
            warm = True
            warm_up()
        data, fds = receive_with_fds(sock)
        if not data:
            os._exit(0)
        if os.fork() == 0:
            try:
                sock.close()
                Keeper(socket.socket(fileno=fds[0]), warm).loop()
            finally:
                os._exit(1)
        os.close(fds[0])
