# ---- shells -----------------------------------------------------------------------------------------------------------

# The state that a shell writes at the end of its command line: behind the command line, in the same nameless file.
STATE = r"""@ printf "\0state\0%s\0%s\0" "${PWD-}" "${OLDPWD-}"; @ export -p; @ printf "\0end";"""

# The programs of all shells. They contain nothing of the user, so `ps` shows no command lines. While a command line
# runs, its descriptor is closed and the shell keeps a copy that no child inherits. At an `exit` only that copy may be
# left, and the sticky bit tells it from a file of the user. At the usual end the trap has nothing left to do. Braces
# hide our own steps from `set -x`. Each program is one line, so that $LINENO is right.
BASH = " ".join((
    r"""IFS= @ read -r -d "" -u 98 __talaria;""", "%RESTORE%", r"""@ trap '{ [[ ${__talaria-} ]] ||""",
    r"""for __talaria in 98 10 11 12; do""",
    r"""if [[ -k /proc/self/fd/$__talaria ]]; then {""", STATE,
    r"""} >>/proc/self/fd/$__talaria; @ break; fi; done; } 2>/dev/null' EXIT;""",
    r"""@ eval "@ unset __talaria; $__talaria" 98>&-; { __talaria=$?; {""", STATE, r"""} >&98; \exec 98>&-;""",
    r"""@ exit $__talaria; } 2>/dev/null""")).replace("@", r"\builtin")
RESTORED_BASH = BASH.replace("%RESTORE%", r"\builtin . /proc/self/fd/99; \exec 99<&-;")
BASH = BASH.replace("%RESTORE% ", "")
SH = " ".join((
    r"""trap '{ [ "${__talaria-}" ] || for __talaria in 9 10 11 12; do if [ -k /proc/self/fd/$__talaria ]; then {""", STATE,
    r"""} >>/proc/self/fd/$__talaria; break; fi; done; } 2>/dev/null' EXIT;""",
    r"""eval ". /proc/self/fd/8" 9>&-; { __talaria=$?; {""", STATE, r"""} >&9; exec 9>&-;""",
    r"""exit $__talaria; } 2>/dev/null""")).replace("@", "command")
# The differences between a login shell and a new shell. A plain shell is started to print the defaults.
SNAPSHOT = r"""{ printf "\0state\0\0\0"; export -p; printf "\0"; declare -f; printf "\0"; alias -p; printf "\0"; shopt -p; set +o
umask -p; printf "\0"; BASH_ENV= "$BASH" --norc --noprofile -O expand_aliases -c "umask $1; shopt -p; set +o; umask -p"
printf "\0end"; } >&98 2>/dev/null"""
NO_BASH = ("There is no bash in this sandbox: sh runs the commands. Exported variables and the folder persist; the login "
           "shell's functions, aliases and options are not loaded.")
LARGEST_STATE = 16 << 20
PRIVATE = ("PWD", "OLDPWD", "SHLVL", "_", "SHELLOPTS", "BASHOPTS", "PPID", "UID", "EUID", "IFS", "LINENO", "RANDOM")
PRIVATE_PREFIXES = ("HERMES_RPC_", "BASH_", "TALARIA_", "SUDO_ASKPASS")


def state_file(content, staging):
    """Returns a nameless file that a shell can append its state to."""
    fd = nameless_file(content, staging)
    os.fchmod(fd, 0o1600)
    fcntl.fcntl(fd, fcntl.F_SETFL, os.O_APPEND)
    return fd


class Exports:
    """Parses the output of `export -p`, in the dialects of bash, dash and busybox."""
    LINE = re.compile(rb"""(?:declare -(\S+)|export) ([A-Za-z_]\w*)(?:=((?:"(?:[^"\\]|\\.)*"|\$'(?:[^'\\]|\\.)*'|'[^']*'"""
                      rb"""|\\.|[^\s"'\\])*))?\n""", re.S)
    PART = re.compile(rb""""((?:[^"\\]|\\.)*)"|\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\\(.)|([^\s"'\\]+)""", re.S)
    ESCAPED = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.S)
    UNQUOTED = re.compile(rb'\\([$`"\\])')
    LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"v": b"\v", b"f": b"\f", b"E": b"\x1b",
               b"e": b"\x1b"}

    @classmethod
    def read(cls, text):
        found = {}
        for attributes, name, value in cls.LINE.findall(text):
            if value and b"a" not in attributes.lower():
                found[os.fsdecode(name)] = os.fsdecode(b"".join(map(cls.part, cls.PART.findall(value))))
        return found

    @classmethod
    def part(cls, groups):
        double, ansi, single, escaped, bare = groups
        if double:
            return cls.UNQUOTED.sub(rb"\1", double)
        if ansi:
            return cls.ESCAPED.sub(cls.escape, ansi)
        return single or escaped or bare

    @classmethod
    def escape(cls, match):
        code = match.group(1)
        if code[:1].isdigit():
            return bytes((int(code, 8) & 0xff,))
        if code[:1] == b"x" and len(code) > 1:
            return bytes((int(code[1:], 16),))
        return cls.LETTERS.get(code, code)


class Visit:
    """One command line in a shell, with the state that it began with, to find out its changes."""

    def __init__(self, fds, length, environment, cwd, moves, snapshot):
        self.fds, self.length, self.environment, self.cwd = fds, length, environment, cwd
        self.moves, self.snapshot, self.note = moves, snapshot, None
        self.sudo = False  # whether it may ask for sudo's password

    def written(self):
        """Returns the state that the shell wrote at its end, in parts; nothing if it did not get that far."""
        size = min(os.fstat(self.fds[0]).st_size - self.length, LARGEST_STATE)
        text = os.pread(self.fds[0], size, self.length) if size > 0 else b""
        start = text.rfind(b"\0state\0")
        return text[start + 7:-4].split(b"\0") if start >= 0 and text.endswith(b"\0end") else []

    def close(self):
        fds, self.fds = set(self.fds), ()
        for fd in fds:
            os.close(fd)

    __del__ = close  # for a visit that never began


class Shell:
    """The state that survives from one command line to the next. It is kept in memory, and changed only between two
    events: no command sees half of a change, and no secret reaches a disk."""

    def __init__(self):
        self.exports = None  # all exports except for names that are never kept
        self.cwd = self.previous = None
        self.script, self.script_fd = b"", None  # functions, aliases and options; and a file of them
        self.never, self.known = (), {}  # parts of names that are not kept; names already checked
        self.seen = b"", {}  # the last `export -p`, and its parsed content
        self.hidden = None  # a folder on some command lines' PATH that is not kept
        self.programs = {}  # the paths of shells found before

    def keeps(self, name):
        known = self.known.get(name)
        if known is None:
            upper = name.upper()
            known = self.known[name] = name.isidentifier() and not (
                name in PRIVATE or name.startswith(PRIVATE_PREFIXES) or any(word in upper for word in self.never))
        return known

    def program(self, name, path):
        known = self.programs.get((name, path))
        if not known or not os.access(known, os.X_OK):
            candidates = [folder + "/" + name for folder in path.split(":") + ["/bin", "/usr/bin", "/usr/local/bin"]]
            known = next((c for c in candidates if c.startswith("/") and os.access(c, os.X_OK)), None)
            self.programs = {(name, path): known}
        return known

    def enter(self, mux, p, child, environment):
        """Completes the child's parameters; returns its visit and its environment."""
        line = p["shell"]
        if "never" in line:
            self.never, self.known = tuple(line["never"]), {}
        take, workdir = line.get("take"), line.get("workdir")
        bash = self.program("bash", environment.get("PATH", ""))
        if self.exports is not None:
            kept = {k: v for k, v in environment.items() if not self.keeps(k)}
            kept.update(self.exports)
            environment = kept
        environment.setdefault("PAGER", "cat")
        environment.setdefault("GIT_PAGER", "cat")
        environment.update(line.get("own", ()))
        note = None if bash else NO_BASH
        home = environment.get("HOME") or os.path.expanduser("~")
        cwd = self.cwd or self.expand(p.get("cwd") or mux.config["cwd_at_start"], home)
        if workdir:
            cwd = os.path.join(cwd, self.expand(workdir, home))
        elif self.cwd and not os.path.isdir(cwd):
            while cwd != "/" and not os.path.isdir(cwd):
                cwd = os.path.dirname(cwd)
            note = "The folder %s of this session is gone; the command ran in %s." % (self.cwd, cwd)
        environment.pop("SHLVL", None)  # it belongs to the shell that started us
        environment["PWD"] = cwd if "/.." not in cwd else ""  # some shells would show it unchanged
        if self.previous:
            environment["OLDPWD"] = self.previous
        text = line.get("command", "").encode("utf-8", "surrogatepass")
        assisted = environment
        if line.get("sudo") and mux.sudo.ready(environment.get("PATH", "")):
            self.hidden = mux.sudo.folder
            assisted = dict(environment, PATH=mux.sudo.folder + ":" + environment.get("PATH", ""))
            text = mux.sudo.before(text, take == "login", bash) + text
        fds = [state_file(text if bash else b"\\exec 8>&-;" + text, mux.staging)]
        length = os.fstat(fds[0]).st_size
        child.update(cwd=cwd, merged=True, program=bash or self.program("sh", environment.get("PATH", "")) or "/bin/sh")
        if not bash:
            child.update(argv0=["sh", "-c", SH], fds=[8, 9])
            fds.append(fds[0])
        elif take == "snapshot":
            child.update(argv0=["bash", "-l", "-O", "expand_aliases", "-c", SNAPSHOT, "bash", "%04o" % current_umask()],
                         fds=[98])
        else:
            restored = self.script and take != "login"
            # --norc: below an sshd, bash would read ~/.bashrc before every command
            child.update(argv0=["bash", "-l" if take == "login" else "--norc",
                                "-O", "expand_aliases", "-c", RESTORED_BASH if restored else BASH],
                         fds=[98, 99] if restored else [98])
            if restored:  # each shell opens it anew, so one file is enough
                self.script_fd = self.script_fd or state_file(self.script, mux.staging)
                fds.append(os.dup(self.script_fd))
        visit = Visit(fds, length, environment, cwd, not workdir, take == "snapshot")
        visit.note, visit.sudo = note, assisted is not environment
        return visit, assisted

    @staticmethod
    def expand(path, home):
        if path == "~" or path.startswith("~/"):
            return home + path[1:]
        return os.path.expanduser(path)

    def leave(self, visit, failed):
        """Takes over the changes of a command line, unless it was killed; returns a report for the host."""
        try:
            parts = [] if failed else visit.written()
        finally:
            visit.close()
        told = {"note": visit.note} if visit.note else {}
        if visit.snapshot:
            if len(parts) == 7:
                self.take_snapshot(parts, visit.environment)
                told["cwd"] = visit.cwd
            elif visit.note:  # without bash there is nothing to take
                told["cwd"] = visit.cwd
        elif len(parts) == 3:
            self.take_exports(parts[2], visit)
            cwd, previous = os.fsdecode(parts[0]), os.fsdecode(parts[1])
            if visit.moves and cwd.startswith("/") and cwd != visit.cwd:
                self.cwd, self.previous = cwd, previous
                if os.path.realpath(cwd) != os.path.realpath(visit.cwd):
                    told["cwd"] = cwd
        return told

    def take_exports(self, text, visit):
        """Applies only the changes, so that two command lines at the same time keep the changes of both."""
        if text != self.seen[0]:
            self.seen = text, {k: v for k, v in Exports.read(text).items() if self.keeps(k)}
            if self.hidden and "PATH" in self.seen[1]:
                path = self.seen[1]["PATH"].split(":")
                self.seen[1]["PATH"] = ":".join(folder for folder in path if folder != self.hidden)
        before = {k: v for k, v in visit.environment.items() if self.keeps(k)}
        after = self.seen[1]
        if self.exports is None:
            self.exports = dict(before)
        if before != after:
            self.exports.update((k, v) for k, v in after.items() if before.get(k) != v)
            for name in before.keys() - after.keys():
                self.exports.pop(name, None)

    def take_snapshot(self, parts, environment):
        exports = {k: v for k, v in Exports.read(parts[2]).items() if self.keeps(k)}
        given = {k: v for k, v in environment.items() if self.keeps(k)}
        # Variables prepared for this sandbox win over a profile. The profile may add folders to the PATH.
        path = given.get("PATH", "").split(":") if given.get("PATH") else []
        path += [folder for folder in exports.get("PATH", "").split(":") if folder and folder not in path]
        self.exports = dict(exports, **given)
        if path:
            self.exports["PATH"] = ":".join(path)
        usual = set(parts[6].splitlines())
        options = [line for line in parts[5].splitlines()
                   if b"login_shell" not in line and b"restricted_shell" not in line and line not in usual
                   and line not in (b"set -o errexit", b"set -o nounset", b"set -o noexec")]
        aliases = parts[4].strip()
        functions = wanted_functions(parts[3], aliases)
        self.script = b"".join(part + b"\n" for part in options + functions + [aliases] if part)


def wanted_functions(text, aliases):
    """Leaves out functions for completion and prompts, which begin with one underscore, unless another function uses
    them: every command line has to read the rest."""
    found = dict(re.findall(rb"^(\S+) \(\) \n(.*?^\})", text, re.M | re.S))
    private = [name for name in found if name[:1] == b"_" and name[1:2] != b"_"]
    kept = {name: body for name, body in found.items() if name not in private}
    todo = list(kept.values()) + [aliases]
    while todo:
        words = set(re.findall(rb"[\w.:-]+", todo.pop()))
        for name in private:
            if name in words and name not in kept:
                kept[name] = found[name]
                todo.append(found[name])
    return [name + b" ()\n" + body for name, body in kept.items()]


def current_umask():
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
