# ---- folders: what is removed is reached through descriptors, and no link is followed ---------------------------------

DEEPEST = 50  # deeper folders are moved up first: each level takes a descriptor
OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def own_folder(path):
    """Opens a folder that belongs to us alone: no link, our user's, mode 0700."""
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
    """Identifies the mount that a folder is on: by its device, and by the mount's own number if the kernel tells it,
    since two mounts of the same device have the same device number."""
    try:
        with open("/proc/self/fdinfo/%d" % fd, "rb") as f:
            number = [line for line in f.read().splitlines() if line.startswith(b"mnt_id:")]
    except OSError:
        number = []  # we may not read it, or there is no such file here
    return os.fstat(fd).st_dev, number


def remove_own(path):
    """Removes a folder that belongs to us alone, with everything in it. Leaves any other folder."""
    try:
        fd = own_folder(path)
    except OSError:
        return  # not there, or not ours
    try:
        remove_held(path, fd)
    except OSError:
        pass  # we may not remove something in it
    finally:
        os.close(fd)


def remove_held(path, fd):
    """Removes an open folder, unless something is mounted there."""
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
    """Removes a folder, or whatever was put in its place, inside of a folder that belongs to us alone. The script may
    have given it any mode."""
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
        pass  # we may not remove something in it
    finally:
        os.close(above)


def empty(top):
    mount = mount_of(top)
    for _ in range(10000):  # somebody may fill it while we empty it
        if not remove_inside(top, top, mount, 0):
            return


def remove_inside(folder, top, mount, depth):
    """Removes everything that it can, except for mounts; returns whether another pass may remove more."""
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
    """Opens a folder with the right to remove everything in it. Removes anything that is no folder at once."""
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
