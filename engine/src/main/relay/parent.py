# ---- parent: what keepers and guardians have in common ----------------------------------------------------------------

def wake_pipe():
    """Returns both ends of a pipe from which something can be read when a child has ended."""
    wake, wake_in = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wake_in, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
    return wake, wake_in


class Parent:
    """A process that has one child at a time, and ends and reaps all that this leaves."""

    def __init__(self):
        self.me, self.child = os.getpid(), 0
        self.status, self.usage = None, {}  # status: the child's wait status, once it was reaped
        self.subreaper = prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.pthread_sigmask(signal.SIG_BLOCK, NOT_FOR_KEEPERS)
        self.wake, self.wake_in = wake_pipe()
        self.poll_wake = select.poll()
        self.poll_wake.register(self.wake, select.POLLIN)

    def drain_wake(self):
        read_now(os.read, self.wake, 4096)

    def wait(self, seconds):
        self.poll_wake.poll(seconds * 1000)
        self.drain_wake()

    def reap(self):
        """Reaps ended children and notes how the child ended; returns whether no child is left."""
        nobody_left, status = reap(self.usage, self.child)
        if status is not None:
            self.status = status
        return nobody_left

    def living(self):
        return [] if self.reap() else descendants(self.me)

    def ask_to_end(self):
        tree = descendants(self.me)
        send_signal(tree, signal.SIGTERM)
        send_signal(tree, signal.SIGCONT)

    def report(self, left, survivors):
        """Returns how the child ended, and what it has used."""
        ended = {"left": left, "survivors": [name_of(pid) for pid in survivors], "subreaper": self.subreaper}
        if os.WIFSIGNALED(self.status):
            ended["signal"] = os.WTERMSIG(self.status)
        else:
            ended["code"] = os.WEXITSTATUS(self.status)
        return dict(ended, **self.usage)
