# ---- files ------------------------------------------------------------------------------------------------------------

def write_file(path, data, folder=None):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        while data:
            data = data[os.write(fd, data):]
    finally:
        os.close(fd)


class Upload:
    """A file on its way in: written beside its target and renamed at the end."""

    def __init__(self, mux, path):
        self.mux, self.path, self.problem = mux, os.path.realpath(path), None
        self.temporary = "%s.talaria-%d-%d" % (self.path, os.getpid(), id(self))
        try:
            os.makedirs(os.path.dirname(self.path), exist_ok=True)
            self.fd = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except OSError as e:
            self.problem = e

    def write(self, data):
        try:
            while data and not self.problem:
                data = data[os.write(self.fd, data):]
        except OSError as e:
            self.problem = e

    def drop(self):
        try:
            os.unlink(self.temporary)
        except OSError:
            pass

    def commit(self, number):
        try:
            if self.problem:
                raise self.problem
            try:
                state = os.stat(self.path)
                os.fchmod(self.fd, state.st_mode & 0o7777)
            except FileNotFoundError:
                pass
            os.close(self.fd)
            os.rename(self.temporary, self.path)
        except OSError as e:
            self.drop()
            e.filename = self.path
            raise
        self.mux.send(b"g", number, json.dumps({"path": self.path}).encode())


STAGING = re.compile("talaria-staging-[0-9a-f]{16}")


def staging_places():
    """Returns where folders of relays may be, best first."""
    places = (os.environ.get("TMPDIR"), "/tmp", "/dev/shm", os.path.expanduser("~/.cache"))
    return list(dict.fromkeys(os.path.abspath(place) for place in places if place))


def first_writable():
    """Makes our own folder where that is allowed and there is room; returns its path and what locks it, or nothing."""
    for place in staging_places():
        path = "%s/talaria-staging-%s" % (place, os.urandom(8).hex())
        try:
            os.mkdir(path, 0o700)
            lock = lock_folder(path)
            write_file(path + "/room", bytes(1 << 16))
            os.unlink(path + "/room")
            return path, lock
        except OSError:
            remove_tree(path)
    return None, None


def lock_folder(path):
    """Locks a folder that was just made, as long as we live: that tells whoever sweeps whose it is."""
    fd = own_folder(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not same_folder(path, fd):
            raise FileNotFoundError(errno.ENOENT, "Swept", path)
    except BlockingIOError:
        os.close(fd)
        raise  # somebody has taken it for a dead one's
    except OSError as e:
        if e.errno == errno.ENOENT:
            os.close(fd)
            raise
        # No locks there: then nobody who sweeps can lock it, and it stays.
    return fd


def sweep_staging():
    """Removes the folders of relays that were killed: ours alone, and locked by nobody."""
    for place in staging_places():
        try:
            names = [name for name in os.listdir(place) if STAGING.fullmatch(name)]
        except OSError:
            continue
        for name in names:
            try:
                sweep_one(place + "/" + name)
            except OSError:
                pass  # a living one's, or not ours: it stays


def sweep_one(path):
    fd = own_folder(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        empty(fd)
        if same_folder(path, fd):
            os.rmdir(path)
    finally:
        os.close(fd)
