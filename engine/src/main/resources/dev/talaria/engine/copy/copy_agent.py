"""The sandbox's end of a copy. The host sends it over stdin for every copy; nothing is installed.

Python >= 3.8, standard library only. Input after this program: messages (8 digits, so many bytes of JSON) and contents that
they announce. Output: frames as a relay sends them, of the kinds m (message) and d (data). The first message names what
to do:

  put       receives one file: writes it beside its target and renames it at the end; a later try continues a cut copy
  get       sends one file, or a folder as a tar archive
  put_tree  receives a folder as a tar archive
  sync      reports which files of a list are missing here or differ, and receives those as a tar.gz archive
  changes   sends the files of a folder that differ from a list, as a tar.gz archive
"""
import errno
import fcntl
import hashlib
import json
import os
import signal
import stat
import struct
import sys
import time
import zlib

PART = 1 << 20
STALE = 24 * 3600
FRESH = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
STATE = ".talaria-sync.json"
HEADER = struct.Struct(">IcI")  # of a frame, as the relay has it: payload length, kind, a number that is not used


class Cut(Exception):
    """The host has gone."""


def take(count):
    parts = []
    while count:
        data = os.read(0, min(count, PART))
        if not data:
            raise Cut
        parts.append(data)
        count -= len(data)
    return b"".join(parts)


def message():
    return json.loads(take(int(take(8))))


def write_all(fd, data):
    data = memoryview(data)
    while data:
        data = data[os.write(fd, data):]


def say(**told):
    data = json.dumps(told).encode()
    write_all(1, HEADER.pack(len(data), b"m", 0) + data)


def digest(fd, count):
    """Returns the hash of a file's first bytes. The file's position does not change."""
    seen, at = hashlib.sha256(), 0
    while at < count:
        data = os.pread(fd, min(PART, count - at), at)
        if not data:
            return ""
        seen.update(data)
        at += len(data)
    return seen.hexdigest()


def target(path, name):
    """Returns the path for `name`: in the given folder, or the given path itself."""
    path = os.path.expanduser(path)
    if os.path.isdir(path) or path.endswith("/"):
        path = os.path.join(path, name)
    return os.path.realpath(path)


# ---- one file -----------------------------------------------------------------------------------------------------------

def part_file(folder, name):
    """Opens the part that an earlier try left, if it is our own, or a new one."""
    path = os.path.join(folder, ".talaria-%s.part" % (name or os.urandom(8).hex()))
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    if lock(fd):
        found = os.fstat(fd)
        if not same_file(path, found):  # its owner has finished and renamed it
            os.close(fd)
            return part_file(folder, name)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_nlink == 1:
            return path, fd
    os.close(fd)
    return part_file(folder, None)


def lock(fd):
    """Locks the file and returns whether that worked. The earlier try of a killed host may take a moment to end."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except BlockingIOError:
        pass

    def give_up(*_):
        raise TimeoutError
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        return True
    except TimeoutError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def same_file(path, found):
    try:
        there = os.stat(path, follow_symlinks=False)
        return (there.st_dev, there.st_ino) == (found.st_dev, found.st_ino)
    except FileNotFoundError:
        return False


def sweep(folder):
    """Removes the parts of copies that nobody has continued for a day."""
    for name in os.listdir(folder):
        if name.startswith(".talaria-") and name.endswith(".part"):
            try:
                path = os.path.join(folder, name)
                if time.time() - os.lstat(path).st_mtime > STALE:
                    fd = os.open(path, FILE)
                    try:
                        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(path)
                    finally:
                        os.close(fd)
            except OSError:
                pass


def receive(fd, count):
    """Moves bytes from stdin to a file, in the kernel if possible."""
    if hasattr(os, "splice"):
        try:
            fcntl.fcntl(0, 1031, PART)  # F_SETPIPE_SZ
        except OSError:
            pass
        try:
            while count:
                done = os.splice(0, fd, min(count, PART))
                if not done:
                    raise Cut
                count -= done
        except OSError as e:
            if e.errno not in (errno.EINVAL, errno.ENOSYS):
                raise
    buffer = memoryview(bytearray(PART))
    while count:
        done = os.readv(0, [buffer[:min(count, PART)]])
        if not done:
            raise Cut
        write_all(fd, buffer[:done])
        count -= done


def put(order):
    path = target(order["path"], order["name"])
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    try:
        old = os.stat(path).st_mode
        if not stat.S_ISREG(old):
            raise OSError(errno.EISDIR if stat.S_ISDIR(old) else errno.EINVAL, "Not a regular file", path)
    except FileNotFoundError:
        pass
    sweep(folder)
    temporary, fd = part_file(folder, order.get("part"))
    keep = bool(order.get("part"))
    try:
        size, start = order["size"], 0
        if keep:
            have = os.fstat(fd).st_size
            have = have if have <= size else 0
            say(have=have, sha256=digest(fd, have))
            start = min(message()["from"], have)
        os.ftruncate(fd, start)
        os.lseek(fd, start, os.SEEK_SET)
        receive(fd, size - start)
        os.fchmod(fd, order["mode"] & 0o777)
        os.utime(fd, (order["mtime"], order["mtime"]))
        os.rename(temporary, path)
    except (Cut, SystemExit):  # a later try continues here
        if not keep:
            os.unlink(temporary)
        raise
    except BaseException:
        os.unlink(temporary)
        raise
    say(path=path)


def get(order):
    path = os.path.expanduser(order["path"])
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    found = os.fstat(fd)
    if stat.S_ISDIR(found.st_mode) and order.get("folders"):
        say(kind="folder", path=os.path.realpath(path))
        say(left_out=send_tree(path, ""))
        return
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "Not a regular file", path)
    have = order.get("have", 0)
    start = have if have and have <= found.st_size and digest(fd, have) == order["sha256"] else 0
    start = max(start, min(order.get("offset", 0), found.st_size))
    say(kind="file", path=os.path.realpath(path), size=found.st_size, start=start, mode=found.st_mode & 0o777,
        mtime=int(found.st_mtime))
    send_file(fd, start, found.st_size - start)
    say(over=True)


def send_file(fd, at, count):
    while count:
        part = min(count, PART)
        write_all(1, HEADER.pack(part, b"d", 0))
        count -= part
        while part:
            try:
                done = os.sendfile(1, fd, at, part)
            except OSError as e:
                if e.errno not in (errno.EINVAL, errno.ENOSYS):
                    raise
                data = os.pread(fd, part, at)
                write_all(1, data)
                done = len(data)
            if not done:
                raise OSError(errno.EIO, "The file became shorter while it was copied")
            at += done
            part -= done


# ---- folders ------------------------------------------------------------------------------------------------------------

class In:
    def read(self, count):
        return os.read(0, min(count, PART))


class Out:
    """Sends written bytes as data, in frames of a suitable size."""

    def __init__(self):
        self.held = bytearray()

    def write(self, data):
        self.held += data
        while len(self.held) >= PART:
            self.send(PART)
        return len(data)

    def send(self, count):
        write_all(1, HEADER.pack(count, b"d", 0))
        write_all(1, self.held[:count])
        del self.held[:count]

    def flush(self):
        if self.held:
            self.send(len(self.held))


class Steady:
    """A file that returns exactly as many bytes as it had at first, even if it changes meanwhile."""

    def __init__(self, fd, size):
        self.fd, self.left = fd, size

    def read(self, count):
        data = os.read(self.fd, min(count, self.left))
        if not data:
            data = bytes(min(count, self.left))
        self.left -= len(data)
        return data


def walk(root, skip=()):
    """Yields the content of a folder by name: relative path, folder's descriptor, name, state. It follows no link."""
    def visit(folder, prefix):
        for name in sorted(os.listdir(folder)):
            if prefix + name in skip or name in skip:
                continue
            try:
                found = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                continue
            yield prefix + name, folder, name, found
            if stat.S_ISDIR(found.st_mode):
                try:
                    inner = os.open(name, FOLDER, dir_fd=folder)
                except OSError:
                    continue
                try:
                    yield from visit(inner, prefix + name + "/")
                finally:
                    os.close(inner)
    top = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield from visit(top, "")
    finally:
        os.close(top)


def send_tree(root, mode, wanted=None, skip=()):
    """Sends a folder, and returns the names that it had to leave out."""
    import tarfile
    out, left_out = Out(), []
    tar = tarfile.open(fileobj=out, mode="w|" + mode, format=tarfile.PAX_FORMAT)
    for path, folder, name, found in walk(root, skip):
        kind = found.st_mode
        if wanted and not wanted(path, folder, name, found):
            continue
        try:
            path.encode()
        except UnicodeEncodeError:
            left_out.append(path.encode("utf-8", "replace").decode())
            continue
        info = tarfile.TarInfo(path)
        info.mode, info.mtime = kind & 0o777, int(found.st_mtime)
        if stat.S_ISDIR(kind):
            info.type = tarfile.DIRTYPE
            tar.addfile(info)
        elif stat.S_ISLNK(kind):
            info.type, info.linkname = tarfile.SYMTYPE, os.readlink(name, dir_fd=folder)
            tar.addfile(info)
        elif stat.S_ISREG(kind):
            try:
                fd = os.open(name, FILE, dir_fd=folder)
            except OSError:
                left_out.append(path)
                continue
            info.size = os.fstat(fd).st_size
            tar.addfile(info, Steady(fd, info.size))
            os.close(fd)
        else:
            left_out.append(path)
    tar.close()
    out.flush()
    return left_out[:1000]


class Unpacker:
    """A folder for unpacking an archive. Nothing is written outside of it: no link is followed."""

    def __init__(self, root):
        os.makedirs(root, exist_ok=True)
        self.root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.files, self.refused = 0, []

    def folder(self, parts):
        """Returns a descriptor of a folder below the root. It creates missing folders."""
        fd = os.dup(self.root)
        for part in parts:
            try:
                os.mkdir(part, 0o777, dir_fd=fd)
            except FileExistsError:
                pass
            try:
                inner = os.open(part, FOLDER, dir_fd=fd)
            finally:
                os.close(fd)
            fd = inner
        return fd

    def unpack(self, tar):
        modes = []
        for member in tar:
            parts = [p for p in member.name.split("/") if p not in ("", ".")]
            if ".." in parts or not parts and not member.isdir() or member.name.startswith("/"):
                self.refused.append(member.name)
                continue
            try:
                if member.isdir():
                    os.close(self.folder(parts))
                    modes.append((parts, member.mode))
                    continue
                folder = self.folder(parts[:-1])
                try:
                    self.place(tar, member, folder, parts[-1])
                finally:
                    os.close(folder)
            except OSError as e:
                if e.errno not in (errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ELOOP):
                    raise
                self.refused.append(member.name)
        for parts, mode in reversed(modes):
            fd = self.folder(parts)
            os.fchmod(fd, mode & 0o777)
            os.close(fd)

    def place(self, tar, member, folder, name):
        temporary = ".talaria-%s.part" % os.urandom(8).hex()
        try:
            if member.issym():
                os.symlink(member.linkname, temporary, dir_fd=folder)
            elif member.isreg():
                fd = os.open(temporary, FRESH, 0o600, dir_fd=folder)
                try:
                    source, left = tar.extractfile(member), member.size
                    while left:
                        data = source.read(min(left, PART))
                        if not data:
                            raise Cut
                        write_all(fd, data)
                        left -= len(data)
                    os.fchmod(fd, member.mode & 0o777)
                    os.utime(fd, (member.mtime, member.mtime))
                finally:
                    os.close(fd)
            else:
                self.refused.append(member.name)
                return
            os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            self.files += 1
        except BaseException:
            try:
                os.unlink(temporary, dir_fd=folder)
            except OSError:
                pass
            raise


def put_tree(order):
    import tarfile
    path = target(order["path"], order["name"])
    unpacker = Unpacker(path)
    with tarfile.open(fileobj=In(), mode="r|") as tar:
        unpacker.unpack(tar)
    say(path=path, files=unpacker.files, left_out=unpacker.refused[:1000])


# ---- sync ---------------------------------------------------------------------------------------------------------------

def same(folder, name, found, entry):
    """Returns whether a file matches its entry in the list: [size, hash, mode]."""
    if not stat.S_ISREG(found.st_mode) or found.st_size != entry[0]:
        return False
    fd = os.open(name, FILE, dir_fd=folder)
    try:
        return digest(fd, entry[0]) == entry[1]
    finally:
        os.close(fd)


def sync(order):
    """Synchronizes with one question, one answer and one archive, for any number of files."""
    import tarfile
    wanted = json.loads(zlib.decompress(take(order["list"])))
    path = os.path.realpath(os.path.expanduser(order["path"]))
    os.makedirs(path, exist_ok=True)
    here = set()
    for below, folder, name, found in walk(path):
        if below in wanted and same(folder, name, found, wanted[below]):
            here.add(below)
            if (found.st_mode & 0o777) != wanted[below][2]:
                os.chmod(name, wanted[below][2], dir_fd=folder)
    missing = [index for index, name in enumerate(wanted) if name not in here]
    say(path=path, missing=missing)
    unpacker = Unpacker(path)
    if missing:
        with tarfile.open(fileobj=In(), mode="r|gz") as tar:
            unpacker.unpack(tar)
    forget(path, wanted)
    say(left_out=unpacker.refused[:1000])


def forget(path, wanted):
    """Removes unchanged files of an earlier sync that the host no longer has."""
    try:
        with open(os.path.join(path, STATE), encoding="utf-8") as f:
            earlier = json.load(f)
    except (OSError, ValueError):
        earlier = {}
    old = {name: entry for name, entry in earlier.items() if name not in wanted}
    if old:
        for below, folder, name, found in walk(path):
            try:
                if below in old and same(folder, name, found, old[below]):
                    os.unlink(name, dir_fd=folder)
            except OSError:
                pass
    temporary = os.path.join(path, ".talaria-%s.part" % os.urandom(8).hex())
    with open(temporary, "x", encoding="utf-8") as f:
        json.dump(wanted, f)
    os.rename(temporary, os.path.join(path, STATE))


def changes(order):
    known = json.loads(zlib.decompress(take(order["list"])))
    path = os.path.realpath(os.path.expanduser(order["path"]))

    def wanted(below, folder, name, found):
        return not stat.S_ISDIR(found.st_mode) and not (
            below in known and same(folder, name, found, known[below]))
    say(path=path)
    say(left_out=send_tree(path, "gz", wanted, set(order["skip"]) | {STATE}))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        order = message()
        {"put": put, "get": get, "put_tree": put_tree, "sync": sync, "changes": changes}[order["do"]](order)
    except Cut:
        sys.exit(1)
    except OSError as e:
        what = "%s: %s" % (e.filename, e.strerror) if e.filename else e.strerror or str(e)
        say(error=what, errno=errno.errorcode.get(e.errno, ""))
        sys.exit(1)


main()
