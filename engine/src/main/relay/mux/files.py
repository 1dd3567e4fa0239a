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


def first_writable():
    """Makes our own folder where that is allowed and there is room; returns its path, or None."""
    for folder in (os.environ.get("TMPDIR"), "/tmp", "/dev/shm", os.path.expanduser("~/.cache")):
        if folder:
            path = "%s/talaria-%s" % (os.path.abspath(folder), os.urandom(8).hex())
            try:
                os.mkdir(path, 0o700)
                write_file(path + "/room", bytes(1 << 16))
                os.unlink(path + "/room")
                return path
            except OSError:
                remove_tree(path)
    return None
