package dev.talaria.testkit;

/// An ability of a target beyond the minimum. The class that inherits a contract declares it. The
/// contract then asserts that it works, and otherwise that it fails in the agreed way, so that a
/// declaration cannot lie.
public enum Behaviour {
    /// Test and script share files and process numbers.
    SHARES_HOST,
    /// Test and script share the working folder, even if they share nothing else.
    SHARES_WORKING_FOLDER,
    /// The working folder can only be read; commands write to folders of their own. Undeclared: it
    /// can be written to.
    READ_ONLY_FOLDER,
    /// Every sandbox has process numbers of its own: those of another engine's sandbox mean nothing.
    OWN_PROCESS_NUMBERS,
    /// Scripts reach their tools over a socket, and a relay keeps interpreters warm. Undeclared: tool
    /// calls are files, and each run starts an interpreter.
    SOCKET,
    /// Unix sockets cannot be created there: no `forkserver`, and tools are called over loopback.
    NO_UNIX_SOCKETS,
    /// In compatibility mode a run has a socket of its own, so that requests need no token.
    /// Undeclared: such requests are refused.
    OWN_SOCKET,
    /// Scripts get the host's variables that the rules allow. Undeclared: the target's own
    /// environment.
    HOST_VARIABLES,
    /// The host's active virtual environment counts. Undeclared: the target's own interpreter runs
    /// scripts.
    HOST_INTERPRETER,
    /// Children are found and ended even when they forked twice and left the session. Undeclared: the
    /// result says so.
    WHOLE_TREE,
    /// The number of a script's processes can be limited. Undeclared: the result says that it is not
    /// counted.
    PROCESS_LIMIT,
    /// There is a bash for commands. Undeclared: sh runs them, and every result says so.
    BASH,
    /// There is a Python, so that a relay runs commands: variables and folder persist, a process can
    /// have a terminal. Undeclared: every command begins anew and its result says so, a terminal is
    /// refused.
    PYTHON,
    /// No command can damage a machine that people depend on, although the isolation is less than a
    /// container's.
    CLOSED,
    /// A new process takes long: tests use few processes instead of many.
    SLOW_FORKS
}
