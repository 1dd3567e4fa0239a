"""Tells Talaria's doctor where it runs. Arguments: the process id of Talaria and a folder that should be closed."""
import json
import os
import platform
import sys


def text(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""


def link(path):
    try:
        return os.readlink(path)
    except OSError:
        return ""


def opens(path, flags):
    try:
        os.close(os.open(path, flags))
        return True
    except OSError:
        return False


def calls_tools():
    try:
        from hermes_tools import terminal

        return terminal("echo here").get("output", "").strip() == "here"
    except ImportError:
        return None


talaria, folder = sys.argv[1:]
print(
    json.dumps(
        {
            "python": platform.python_version(),
            "executable": os.path.realpath(sys.executable),
            "uid": os.getuid(),
            "boot": text("/proc/sys/kernel/random/boot_id"),
            "mnt": link("/proc/self/ns/mnt"),
            "pid": link("/proc/self/ns/pid"),
            "tty": opens("/dev/tty", os.O_RDWR),
            "memory": opens("/proc/%s/mem" % talaria, os.O_RDONLY),
            "writes": os.access(folder, os.W_OK),
            "tools": calls_tools(),
        }
    )
)
