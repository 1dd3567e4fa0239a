# ---- folders: what is removed is reached through descriptors, and no link is followed ---------------------------------

DEEPEST = 50  # deeper folders are moved up first: each level takes a descriptor
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def own_folder(path):
    """Opens a folder that is ours alone: no link, our user's, mode 0700."""
    fd = os.open(path, OPEN_FOLDER)
    found = os.fstat(fd)
    if found.st_uid != os.geteuid() or found.st_mode & 0o777 != 0o700:
        os.close(fd)
        raise PermissionError(errno.EPERM, "Not ours alone", path)
    return fd


def same_folder(path, fd):
    found, there = os.fstat(fd), os.stat(path, follow_symlinks=False)
    return (found.st_dev, found.st_ino) == (there.st_dev, there.st_ino)


def mount_of(fd):
    """Tells on which mount a folder is: by its device, and where the kernel says so by the mount's own number, since what
    is mounted from the same device has the same one."""
    try:
        with open("/proc/self/fdinfo/%d" % fd, "rb") as f:
            number = [line for line in f.read().splitlines() if line.startswith(b"mnt_id:")]
    except OSError:
        number = []  # closed to us, or no such file here
    return os.fstat(fd).st_dev, number


def remove_own(path):
    """Removes a folder that is ours alone with all that is in it; anything else is left."""
    try:
        fd = own_folder(path)
    except OSError:
        return  # not there, or not ours
    try:
        remove_held(path, fd)
    except OSError:
        pass  # something in it is not ours to remove
    finally:
        os.close(fd)


def remove_held(path, fd):
    """Removes a folder that is open, unless something is mounted there."""
    around = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        mounted = mount_of(around) != mount_of(fd)
    finally:
        os.close(around)
    if not mounted:
        empty(fd)
        if same_folder(path, fd):
            os.rmdir(path)


def remove_run_folder(path):
    """Removes a folder, or whatever was put in its place, in a folder that is ours alone: the script may have given it any
    mode."""
    place, name = os.path.split(path)
    try:
        above = own_folder(place)
    except OSError:
        return
    try:
        fd = enter(name, above)
        if fd is not None:
            try:
                empty(fd)
            finally:
                os.close(fd)
            os.rmdir(name, dir_fd=above)
    except OSError:
        pass  # something in it is not ours to remove
    finally:
        os.close(above)


def empty(top):
    mount = mount_of(top)
    for _ in range(10000):  # somebody may fill it as we empty it
        if not remove_inside(top, top, mount, 0):
            return


def remove_inside(folder, top, mount, depth):
    """Removes what it can, and nothing that is mounted there; returns whether another pass may do more."""
    again = False
    for name in os.listdir(folder):
        try:
            inner = enter(name, folder, mount)
            if inner is None:
                continue
            try:
                if depth == DEEPEST:
                    os.rename(name, "deep-" + os.urandom(8).hex(), src_dir_fd=folder, dst_dir_fd=top)
                    again = True
                    continue
                again |= remove_inside(inner, top, mount, depth + 1)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)
        except OSError:
            pass
    return again


def enter(name, above, mount=None):
    """Opens a folder in which everything can be removed; what is no folder is removed at once."""
    found = os.stat(name, dir_fd=above, follow_symlinks=False)
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=above)
        return None
    place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
    try:
        if mount_of(place) != (mount or mount_of(above)):
            raise OSError(errno.EXDEV, "Something is mounted there", name)
        if found.st_mode & 0o700 != 0o700 and found.st_uid == os.geteuid():
            os.chmod("/proc/self/fd/%d" % place, 0o700)
        return os.open(".", OPEN_FOLDER, dir_fd=place)
    finally:
        os.close(place)
