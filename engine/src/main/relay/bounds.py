# ---- bounds: how many processes a run may have ------------------------------------------------------------------------

GROUP_NAME = "talaria-run-%d-"  # the pid of the mux that made it; a later mux removes the groups of a dead one


class PidsGroup:
    """A control group of the kernel that limits the number of processes and threads of a run, where we may create
    one."""

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def make(cls, most, number):
        """Returns a group with this limit, or None if none can be created."""
        for parent in pids_folders():
            name = GROUP_NAME % os.getpid() + str(number)
            group = cls(parent + "/" + name)
            try:
                os.mkdir(group.folder, 0o755)
            except OSError:
                continue
            if not os.path.exists(group.folder + "/pids.max"):
                tell_kernel(parent + "/cgroup.subtree_control", b"+pids")
            if group.write("pids.max", b"%d" % most):
                return group
            group.remove()
        return None

    def write(self, name, data):
        return tell_kernel(self.folder + "/" + name, data)

    def take(self, pid):
        """Moves a process into the group (0: the calling process); returns whether it is there."""
        return self.write("cgroup.procs", b"%d" % pid)

    def refusals(self):
        """Returns the number of refused forks."""
        return counted(self.folder + "/pids.events", b"max")

    def members(self):
        try:
            with open(self.folder + "/cgroup.procs", "rb") as f:
                return [int(pid) for pid in f.read().split() if pid != b"0"]  # 0: in a namespace that is not ours
        except (OSError, ValueError):
            return []

    def kill(self):
        """Kills all processes in the group. Nobody in it can fork from now on, so one look finds all of them."""
        self.write("pids.max", b"0")
        send_signal(self.members(), signal.SIGKILL)

    def remove(self):
        """Removes the group; returns whether it has gone. A group with processes in it stays."""
        try:
            os.rmdir(self.folder)
            return True
        except FileNotFoundError:
            return True
        except OSError:
            return False


def pids_folders():
    """Returns the folders in which a control group that counts processes may be created. For version 1 that is our own
    group. For version 2 the parent of our group comes first, since a group that has processes in it can have no limited
    groups below."""
    found, groups = [], control_groups()
    if "pids" in groups:
        found.append("/sys/fs/cgroup/pids" + groups["pids"])
    elif "" in groups and os.path.exists("/sys/fs/cgroup/cgroup.controllers"):
        own = "/sys/fs/cgroup" + groups[""]
        found += [os.path.dirname(own), own] if groups[""] else [own]
    return [folder for folder in found if os.access(folder, os.W_OK) and ".." not in folder.split("/")]


def sweep_groups():
    """Removes the groups of relays that were killed. A group that still has processes in it stays."""
    for parent in pids_folders():
        try:
            names = os.listdir(parent)
        except OSError:
            continue
        for name in names:
            words = name.split("-")
            if name.startswith("talaria-run-") and len(words) == 4 and words[2].isdigit() \
                    and not os.path.exists("/proc/" + words[2]):
                PidsGroup(parent + "/" + name).remove()


COME_AND_GO = 32  # room for threads of the same user that start later; the counting keeper enforces the limit itself


def threads_of_user(uid):
    """Returns the number of the user's threads, as RLIMIT_NPROC counts them."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/" + name + "/status", "rb") as f:
                    text = f.read()
                if int(text.partition(b"\nUid:")[2].split(None, 1)[0]) == uid:
                    count += int(text.partition(b"\nThreads:")[2].split(None, 1)[0])
            except (OSError, ValueError, IndexError):
                pass  # the process has ended
    return count


def sees_everything():
    """Tells whether we can see all processes of the machine: the kernel also counts those of other namespaces."""
    try:
        return os.readlink("/proc/self/ns/pid") == "pid:[4026531836]"  # the first namespace, in every kernel
    except OSError:
        return False


def bound_processes(most, group):
    """Limits the forks of the calling process and its children: by their group, else by the threads that their user has
    now and may have besides. The kernel does not limit root."""
    if group and PidsGroup(group).take(0) or os.getuid() == 0 or not sees_everything():
        return
    import resource
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    wanted = threads_of_user(os.getuid()) + most + COME_AND_GO
    for known in (soft, hard):
        if known != resource.RLIM_INFINITY:
            wanted = min(wanted, known)
    resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))
