# ---- the channel to the host ------------------------------------------------------------------------------------------

class Channel:
    """The event loop and the frames to and from the host. Subclasses define what frames mean (dispatch, leave,
    jobs)."""

    def __init__(self, into, out):
        self.into, self.out_fd = into, out
        self.epoll = select.epoll()
        self.handlers, self.masked = {}, set()
        self.out = collections.deque()
        self.later, self.resting = collections.deque(), []
        self.buffer = bytearray()
        self.inflow, self.inflow_left = None, 0  # the job whose input is arriving, and the bytes still to come
        self.pouring = self.rested = False  # flood of input: the kernel moves its bytes; we have let some gather
        self.wide = set()  # the pipes to and from the host that were enlarged for a flood
        self.moving = False  # whether the kernel still has to move a pipe's content to the host
        self.aside = []  # streams that wait for the end of that move
        self.heard = time.monotonic()

    def watch(self, fd, handler, events=select.EPOLLIN):
        if fd in self.handlers:
            self.mask(fd, events)
        else:
            self.epoll.register(fd, events)
        self.handlers[fd] = handler

    def mask(self, fd, events):
        """Sets the events that a handler waits for. With no events the descriptor is unregistered: else epoll would
        report a hang-up for ever."""
        if fd in self.masked:
            if events:
                self.masked.discard(fd)
                self.epoll.register(fd, events)
        elif events:
            self.epoll.modify(fd, events)
        else:
            self.masked.add(fd)
            self.epoll.unregister(fd)

    def forget(self, fd):
        self.masked.discard(fd)
        if self.handlers.pop(fd, None):
            try:
                self.epoll.unregister(fd)
            except OSError:
                pass

    def send(self, kind, number, payload, to_follow=0):
        header = HEADER.pack(len(payload) + to_follow, kind, number)
        if not self.out:
            try:
                done = os.writev(self.out_fd, (header, payload))
            except BlockingIOError:
                done = 0
            except OSError:
                self.leave()
            if done == len(header) + len(payload):
                return
            if done < len(header):
                self.out.append(header[done:])
            self.out.append(memoryview(payload)[max(0, done - len(header)):])
            self.watch_out()
        else:
            self.out.append(header)
            self.out.append(payload)

    def move(self, kind, number, fd, count):
        """Sends a frame whose payload is already in a pipe. The kernel moves it; we do not read it."""
        self.send(kind, number, b"", count)
        self.moving = True
        self.widen(self.out_fd)
        self.out.append([fd, count])
        self.flush()
        if self.out:
            self.watch_out()

    def widen(self, fd):
        """Enlarges a pipe to or from the host; returns whether it is large."""
        if fd not in self.wide and self.into != self.out_fd and resize_pipe(fd, BIG_PIPE):
            self.wide.add(fd)
        return fd in self.wide

    def narrow(self):
        """Shrinks the pipes after a flood: a user may have only few large pipes."""
        self.wide = {fd for fd in self.wide if not resize_pipe(fd, CHUNK)}

    def moved(self):
        self.moving = False
        self.later.extend(self.aside)
        self.aside = []

    def watch_out(self):
        if self.out_fd == self.into:
            self.mask(self.into, select.EPOLLIN | (select.EPOLLOUT if self.out else 0))
        elif self.out:
            self.watch(self.out_fd, self.flush, select.EPOLLOUT)
        else:
            self.forget(self.out_fd)

    def flush(self, _events=0):
        while self.out:
            first = self.out[0]
            try:
                if isinstance(first, list):
                    if not waiting_in(first[0]):  # a script read from its own pipe: other bytes fill the frame
                        self.out[0] = bytes(first[1])
                        self.moved()
                        continue
                    first[1] -= os.splice(first[0], self.out_fd, first[1], flags=os.SPLICE_F_NONBLOCK)
                    if first[1]:
                        continue
                    self.moved()
                else:
                    done = os.write(self.out_fd, first)
                    if done < len(first):
                        self.out[0] = memoryview(first)[done:]
                        continue
            except BlockingIOError:
                return
            except OSError:
                self.leave()
            self.out.popleft()
        self.watch_out()

    def on_host(self, events):
        if events & select.EPOLLOUT:
            self.flush()
        if not events & ~select.EPOLLOUT:
            return
        for _ in range(16):  # in a flood; then it is the turn of others
            if self.inflow_left and self.splice_in():
                self.heard = time.monotonic()
            elif not self.take():
                return
            if not self.pouring:
                return

    def take(self):
        """Reads from the host; returns whether there was anything to read."""
        data = read_now(os.read, self.into, HEADER.size - len(self.buffer) if self.pouring else BIG_PIPE)
        if data is None:
            return False
        if not data:
            self.leave()
        self.heard = time.monotonic()
        pouring, self.pouring = self.pouring, False
        buffer = self.buffer
        buffer += data
        start = 0
        while len(buffer) - start >= (1 if self.inflow_left else 9):
            if self.inflow_left:
                part = bytes(buffer[start:start + self.inflow_left])
                start += len(part)
                self.inflow_left -= len(part)
                self.inflow.feed(part)
                continue
            length, kind, number = HEADER.unpack_from(buffer, start)
            if length > MAX_FRAME:
                self.leave()
            if len(buffer) - start - 9 < length:
                if kind != b"I" or number not in self.jobs:
                    break
                self.inflow, self.inflow_left = self.jobs[number], length  # passed on as it arrives
                self.pouring = pouring
                start += 9
                continue
            payload = bytes(buffer[start + 9:start + 9 + length])
            start += 9 + length
            self.dispatch(kind, number, payload)
        del buffer[:start]
        return True

    def splice_in(self):
        """Lets the kernel move a job's input from the host's pipe; returns whether there is nothing to read."""
        job = self.inflow
        if job.input or job.stdin is None or job.terminal is not None or not hasattr(os, "splice"):
            return False
        if not self.rested and self.inflow_left > CHUNK and self.widen(self.into) and waiting_in(self.into) < BIG_PIPE // 4:
            self.rested = True  # as with a flood of output: many small steps would cost more than the bytes
            self.pouring = False
            self.mask(self.into, 0)
            self.resting.append(lambda: self.mask(self.into, select.EPOLLIN))
            return True
        try:
            done = os.splice(self.into, job.stdin, self.inflow_left, flags=os.SPLICE_F_NONBLOCK)
        except OSError:  # its pipe is full, ours is empty, or its reader has gone: the next read finds out which
            done = 0
        self.rested = self.pouring = bool(done)
        if done:
            self.inflow_left -= done
            job.took(done)
        return bool(done)
