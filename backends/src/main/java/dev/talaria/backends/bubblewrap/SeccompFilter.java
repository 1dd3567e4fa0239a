package dev.talaria.backends.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// The program that the kernel asks about every system call in a sandbox (classic BPF, as `seccomp(2)` wants it).
///
/// It refuses with EPERM what no ordinary program needs and what kernels are attacked with; everything else is
/// allowed. `clone3`, whose flags cannot be read from here, "is not there": libc then uses `clone`. System calls of
/// another architecture (i386, x32) have other numbers and would slip through: they end the process.
final class SeccompFilter {
    private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
    private static final int EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    private static final int AT_LEAST = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    private static final int ANY_BIT = 0x45; // BPF_JMP | BPF_JSET | BPF_K
    private static final int RETURN = 0x06; // BPF_RET | BPF_K

    private static final int ALLOW = 0x7fff0000;
    private static final int KILL = 0x80000000;
    private static final int REFUSE = 0x00050000 | 1; // EPERM
    private static final int MISSING = 0x00050000 | 38; // ENOSYS

    /// Offsets in `struct seccomp_data`; of arguments only the lower half is looked at, as the kernel does for these.
    private static final int NUMBER = 0;

    private static final int ARCHITECTURE = 4;
    private static final int FIRST_ARGUMENT = 16;
    private static final int SECOND_ARGUMENT = 24;

    private static final int NEW_USER_NAMESPACE = 0x10000000;
    private static final int TYPE_INTO_TERMINAL = 0x5412; // TIOCSTI
    private static final int PASTE_INTO_CONSOLE = 0x541c; // TIOCLINUX
    private static final int X32 = 0x40000000;

    /// A machine's numbers.
    ///
    /// @param audit how the kernel names the architecture
    /// @param fork the number of `clone`
    /// @param refused system calls that are refused whatever their arguments
    private record Machine(int audit, boolean x32, int ioctl, int fork, int unshare, Map<String, Integer> refused) {}

    /// New in Linux 5.x and later: the same number everywhere.
    private static final Map<String, Integer> COMMON = Map.ofEntries(
            Map.entry("io_uring_setup", 425),
            Map.entry("io_uring_enter", 426),
            Map.entry("io_uring_register", 427),
            Map.entry("open_tree", 428),
            Map.entry("move_mount", 429),
            Map.entry("fsopen", 430),
            Map.entry("fsconfig", 431),
            Map.entry("fsmount", 432),
            Map.entry("fspick", 433),
            Map.entry("mount_setattr", 442),
            Map.entry("open_tree_attr", 467));

    private static final int CLONE3 = 435;

    private static final Machine X86_64 = new Machine(
            0xc000003e,
            true,
            16,
            56,
            272,
            Map.ofEntries(
                    Map.entry("syslog", 103),
                    Map.entry("vhangup", 153),
                    Map.entry("pivot_root", 155),
                    Map.entry("acct", 163),
                    Map.entry("mount", 165),
                    Map.entry("umount2", 166),
                    Map.entry("swapon", 167),
                    Map.entry("swapoff", 168),
                    Map.entry("reboot", 169),
                    Map.entry("iopl", 172),
                    Map.entry("ioperm", 173),
                    Map.entry("init_module", 175),
                    Map.entry("delete_module", 176),
                    Map.entry("quotactl", 179),
                    Map.entry("kexec_load", 246),
                    Map.entry("add_key", 248),
                    Map.entry("request_key", 249),
                    Map.entry("keyctl", 250),
                    Map.entry("perf_event_open", 298),
                    Map.entry("open_by_handle_at", 304),
                    Map.entry("setns", 308),
                    Map.entry("finit_module", 313),
                    Map.entry("kexec_file_load", 320),
                    Map.entry("bpf", 321),
                    Map.entry("userfaultfd", 323)));

    private static final Machine AARCH64 = new Machine(
            0xc00000b7,
            false,
            29,
            220,
            97,
            Map.ofEntries(
                    Map.entry("umount2", 39),
                    Map.entry("mount", 40),
                    Map.entry("pivot_root", 41),
                    Map.entry("vhangup", 58),
                    Map.entry("quotactl", 60),
                    Map.entry("acct", 89),
                    Map.entry("kexec_load", 104),
                    Map.entry("init_module", 105),
                    Map.entry("delete_module", 106),
                    Map.entry("syslog", 116),
                    Map.entry("reboot", 142),
                    Map.entry("add_key", 217),
                    Map.entry("request_key", 218),
                    Map.entry("keyctl", 219),
                    Map.entry("swapon", 224),
                    Map.entry("swapoff", 225),
                    Map.entry("perf_event_open", 241),
                    Map.entry("open_by_handle_at", 265),
                    Map.entry("setns", 268),
                    Map.entry("finit_module", 273),
                    Map.entry("bpf", 280),
                    Map.entry("userfaultfd", 282),
                    Map.entry("kexec_file_load", 294)));

    private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

    private final List<Instruction> program = new ArrayList<>();

    private SeccompFilter() {}

    /// Returns the filter for a machine as `os.arch` names it, if its numbers are known.
    static Optional<byte[]> of(String architecture) {
        return switch (architecture) {
            case "amd64", "x86_64" -> Optional.of(new SeccompFilter().build(X86_64));
            case "aarch64", "arm64" -> Optional.of(new SeccompFilter().build(AARCH64));
            default -> Optional.empty();
        };
    }

    private byte[] build(Machine machine) {
        load(ARCHITECTURE);
        add(EQUAL, 1, 0, machine.audit);
        give(KILL);
        load(NUMBER);
        if (machine.x32) {
            add(AT_LEAST, 0, 1, X32);
            give(KILL);
        }
        TreeSet<Integer> refused = new TreeSet<>(machine.refused.values());
        refused.addAll(COMMON.values());
        for (int number : refused) {
            add(EQUAL, 0, 1, number);
            give(REFUSE);
        }
        add(EQUAL, 0, 1, CLONE3);
        give(MISSING);
        for (int number : List.of(machine.fork, machine.unshare)) {
            add(EQUAL, 0, 4, number);
            load(FIRST_ARGUMENT);
            add(ANY_BIT, 0, 1, NEW_USER_NAMESPACE);
            give(REFUSE);
            give(ALLOW);
        }
        add(EQUAL, 0, 5, machine.ioctl);
        load(SECOND_ARGUMENT);
        add(EQUAL, 1, 0, TYPE_INTO_TERMINAL);
        add(EQUAL, 0, 1, PASTE_INTO_CONSOLE);
        give(REFUSE);
        give(ALLOW);
        give(ALLOW);
        return bytes();
    }

    private void load(int offset) {
        add(LOAD, 0, 0, offset);
    }

    private void give(int verdict) {
        add(RETURN, 0, 0, verdict);
    }

    /// Adds an instruction; a jump leaves out as many as it says.
    private void add(int code, int ifTrue, int ifFalse, int value) {
        program.add(new Instruction(code, ifTrue, ifFalse, value));
    }

    private byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(8 * program.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction one : program) {
            bytes.putShort((short) one.code)
                    .put((byte) one.ifTrue)
                    .put((byte) one.ifFalse)
                    .putInt(one.value);
        }
        return bytes.array();
    }
}
