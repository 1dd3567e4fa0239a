# ---- files ------------------------------------------------------------------------------------------------------------

HELD = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_LINKS = 40


def write_file(path, data, folder=None):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=folder)
    try:
        while data:
            data = data[os.write(fd, data):]
    finally:
        os.close(fd)


def homes():
    """Returns the real paths of this user's home folder, by HOME and by the account."""
    found = [os.path.expanduser("~")]
    try:
        import pwd
        found.append(pwd.getpwuid(os.geteuid()).pw_dir)
    except (ImportError, KeyError):
        pass
    return list(dict.fromkeys(os.path.realpath(path) for path in found if path.startswith("/")))


class Held:
    """The folder of a file that is to be changed, held open from the check of its path to the change.

    The path is opened name by name and the kernel follows no link, so the names are the real path of the open folder.
    If somebody swaps one of them afterwards, the change is refused. It never reaches another folder than the checked
    one."""

    def __init__(self, path):
        self.folders, self.names, self.missing = [os.open("/", HELD)], [], []
        try:
            self.walk(path)
        except BaseException as e:
            self.close()
            if isinstance(e, OSError):
                e.filename = path
            raise

    def walk(self, path):
        left, links = self.split(path), 0
        while left:
            name = left.pop()
            if name == ".." and self.missing:
                self.missing.pop()
            elif name == "..":
                self.rise(1)
            elif self.missing:
                self.missing.append(name)
            else:
                links += self.step(name, left)
                if links > MOST_LINKS:
                    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not self.missing:
            raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))

    def step(self, name, left):
        """Enters a folder, or notes a name that is no folder; returns how many links were followed."""
        try:
            found = os.stat(name, dir_fd=self.folders[-1], follow_symlinks=False)
        except FileNotFoundError:
            self.missing.append(name)
            return 0
        if stat.S_ISLNK(found.st_mode):
            to = os.readlink(name, dir_fd=self.folders[-1])
            if to.startswith("/"):
                self.rise(len(self.names))
            left += self.split(to)
            return 1
        if stat.S_ISDIR(found.st_mode):
            self.folders.append(os.open(name, HELD, dir_fd=self.folders[-1]))
            self.names.append(name)
        elif left:
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        else:
            self.missing.append(name)
        return 0

    @staticmethod
    def split(path):
        """Returns the names of a path, the last first."""
        return [name for name in path.split("/") if name not in ("", ".")][::-1]

    def rise(self, count):
        for _ in range(min(count, len(self.names))):
            self.names.pop()
            os.close(self.folders.pop())

    def path(self):
        return "/" + "/".join(self.names + self.missing)

    def check(self):
        """Raises an error if the real path no longer leads to the open folder."""
        fd = os.open("/", HELD)
        try:
            for name in self.names:
                inner = os.open(name, HELD, dir_fd=fd)
                os.close(fd)
                fd = inner
            same = os.path.samestat(os.fstat(fd), os.fstat(self.folders[-1]))
        except OSError:
            same = False
        finally:
            os.close(fd)
        if not same:
            raise OSError(errno.EPERM, "It leads elsewhere than when it was checked")

    def enter(self):
        """Creates the missing folders; returns the descriptor of the last one and the file's name."""
        self.check()
        while len(self.missing) > 1:
            name = self.missing[0]
            try:
                os.mkdir(name, 0o777, dir_fd=self.folders[-1])
            except FileExistsError:
                pass
            self.folders.append(os.open(name, HELD, dir_fd=self.folders[-1]))
            self.names.append(self.missing.pop(0))
        return self.folders[-1], self.missing[0]

    def close(self):
        while self.folders:
            os.close(self.folders.pop())


class Upload:
    """A file on its way in: written beside its target and renamed at the end."""

    def __init__(self, mux, number, path, acknowledges):
        self.mux, self.number, self.acknowledges = mux, number, acknowledges
        self.held, self.fd, self.problem = Held(path), None, None
        self.path = self.held.path()

    def open(self):
        self.folder, self.name = self.held.enter()
        self.temporary = ".talaria-%s.part" % os.urandom(8).hex()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self.fd = os.open(self.temporary, flags, 0o666, dir_fd=self.folder)

    def write(self, data):
        count = len(data)
        try:
            if self.fd is None and not self.problem:
                self.open()
            while data and not self.problem:
                data = data[os.write(self.fd, data):]
        except OSError as e:
            self.problem = e
        if self.acknowledges:
            self.mux.send(b"w", self.number, struct.pack(">I", count))

    def drop(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None
            try:
                os.unlink(self.temporary, dir_fd=self.folder)
            except OSError:
                pass
        self.held.close()

    def keep_mode(self):
        try:
            old = os.stat(self.name, dir_fd=self.folder, follow_symlinks=False).st_mode
        except FileNotFoundError:
            return
        if stat.S_ISLNK(old):
            raise OSError(errno.EPERM, "It has become a link since it was checked")
        if not stat.S_ISREG(old):
            code = errno.EISDIR if stat.S_ISDIR(old) else errno.EINVAL
            raise OSError(code, "Not a regular file")
        os.fchmod(self.fd, old & 0o7777)

    def commit(self, number):
        try:
            if self.problem:
                raise self.problem
            if self.fd is None:
                self.open()
            self.keep_mode()
            self.held.check()
            os.rename(self.temporary, self.name, src_dir_fd=self.folder, dst_dir_fd=self.folder)
            os.close(self.fd)
            self.fd = None
        except OSError as e:
            e.filename = self.path
            raise
        finally:
            self.drop()
        self.mux.send(b"g", number, json.dumps({"path": self.path}).encode())


STAGING = re.compile("talaria-staging-[0-9a-f]{16}")


def staging_places():
    """Returns the places for relays' folders, best first."""
    places = (os.environ.get("TMPDIR"), "/tmp", "/dev/shm", os.path.expanduser("~/.cache"))
    return list(dict.fromkeys(os.path.abspath(place) for place in places if place))


def first_writable():
    """Creates our own folder at the first place that is writable and has room; returns its path and its lock, or
    nothing."""
    for place in staging_places():
        path = "%s/talaria-staging-%s" % (place, os.urandom(8).hex())
        try:
            os.mkdir(path, 0o700)
            lock = lock_folder(path)
            write_file(path + "/room", bytes(1 << 16))
            os.unlink(path + "/room")
            return path, lock
        except OSError:
            remove_own(path)
    return None, None


def lock_folder(path):
    """Locks a folder that we have just made, for as long as we live. The lock tells other relays that it is in use."""
    fd = own_folder(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not same_folder(path, fd):
            raise FileNotFoundError(errno.ENOENT, "Swept", path)
    except BlockingIOError:
        os.close(fd)
        raise  # another relay takes it for that of a dead one
    except OSError as e:
        if e.errno == errno.ENOENT:
            os.close(fd)
            raise
        # There are no locks here. Then no other relay can lock the folder either, and it stays.
    return fd


def sweep_staging():
    """Removes the folders of relays that were killed: those that belong to us alone and that nobody has locked."""
    for place in staging_places():
        try:
            names = [name for name in os.listdir(place) if STAGING.fullmatch(name)]
        except OSError:
            continue
        for name in names:
            try:
                sweep_one(place + "/" + name)
            except OSError:
                pass  # in use, or not ours: it stays


def sweep_one(path):
    fd = own_folder(path)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove_held(path, fd)
    finally:
        os.close(fd)
