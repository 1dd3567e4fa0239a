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


def remove_tree(path):
    """Removes a folder, or whatever was put in its place, whatever modes its owner gave to what is in it."""
    try:
        top = enter(path, None)
        if top is None:
            return
        try:
            empty(top)
        finally:
            os.close(top)
        os.rmdir(path)
    except OSError:
        pass  # something is not ours to remove


def empty(top):
    for _ in range(10000):  # somebody may fill it as we empty it
        if not remove_inside(top, top, 0):
            return


def remove_inside(folder, top, depth):
    """Removes what it can; returns whether another pass may do more."""
    again = False
    for name in os.listdir(folder):
        try:
            inner = enter(name, folder)
            if inner is None:
                continue
            try:
                if depth == DEEPEST:
                    os.rename(name, "deep-" + os.urandom(8).hex(), src_dir_fd=folder, dst_dir_fd=top)
                    again = True
                    continue
                again |= remove_inside(inner, top, depth + 1)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=folder)
        except OSError:
            pass
    return again


def enter(name, above):
    """Opens a folder in which everything can be removed; what is no folder is removed at once."""
    found = os.stat(name, dir_fd=above, follow_symlinks=False)
    if not stat.S_ISDIR(found.st_mode):
        os.unlink(name, dir_fd=above)
        return None
    if found.st_mode & 0o700 != 0o700 and found.st_uid == os.geteuid():
        place = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        try:
            os.chmod("/proc/self/fd/%d" % place, 0o700)
        finally:
            os.close(place)
    return os.open(name, OPEN_FOLDER, dir_fd=above)
