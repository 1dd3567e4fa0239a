package dev.talaria.backends.bubblewrap;

import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The program that the kernel runs for every system call in a sandbox (classic BPF, as `seccomp(2)`
/// wants it).
///
/// It refuses, with EPERM, calls that no ordinary program needs and that serve to attack kernels.
/// Everything else is allowed. It reports `clone3`, whose flags it cannot read, as missing: libc then
/// uses `clone`. System calls of another architecture (i386, x32) have other numbers and would bypass
/// the filter: they end the process.
///
/// Of the kinds of sockets it allows only those of the network, which a network namespace contains,
/// and Unix sockets. The others (VSOCK, Bluetooth, ALG, ...) know no namespaces, or their kernel code
/// is often attacked. `closed` has no Unix sockets either, since a path leads to the host's and a
/// filter cannot read paths. Pairs of them are harmless, except for datagrams, which can be sent to
/// any path.
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
    private static final int NO_SUCH_FAMILY = 0x00050000 | 97; // EAFNOSUPPORT

    /// Offsets in `struct seccomp_data`. Of arguments the filter reads only the lower half, as the
    /// kernel does for these.
    private static final int NUMBER = 0;

    private static final int ARCHITECTURE = 4;
    private static final int FIRST_ARGUMENT = 16;
    private static final int SECOND_ARGUMENT = 24;

    private static final int NEW_USER_NAMESPACE = 0x10000000;
    private static final int TYPE_INTO_TERMINAL = 0x5412; // TIOCSTI
    private static final int PASTE_INTO_CONSOLE = 0x541c; // TIOCLINUX
    private static final int X32 = 0x40000000;

    private static final int UNIX = 1; // AF_UNIX
    private static final int DATAGRAM = 2; // a bit of SOCK_DGRAM and SOCK_RAW, but not of SOCK_STREAM
    private static final List<Integer> NETWORK = List.of(2, 10, 16); // AF_INET, AF_INET6, AF_NETLINK

    /// Calls that are refused whatever their arguments, with their numbers on x86-64 and aarch64.
    /// Calls of Linux 5 and later have the same numbers everywhere.
    private static final String REFUSED = """
            acct              163   89
            add_key           248  217
            bpf               321  280
            delete_module     176  106
            finit_module      313  273
            init_module       175  105
            ioperm            173    -
            iopl              172    -
            kexec_file_load   320  294
            kexec_load        246  104
            keyctl            250  219
            mount             165   40
            open_by_handle_at 304  265
            perf_event_open   298  241
            pivot_root        155   41
            quotactl          179   60
            reboot            169  142
            request_key       249  218
            setns             308  268
            swapoff           168  225
            swapon            167  224
            syslog            103  116
            umount2           166   39
            userfaultfd       323  282
            vhangup           153   58
            io_uring_setup    425  425
            io_uring_enter    426  426
            io_uring_register 427  427
            open_tree         428  428
            move_mount        429  429
            fsopen            430  430
            fsconfig          431  431
            fsmount           432  432
            fspick            433  433
            mount_setattr     442  442
            open_tree_attr    467  467
            """;

    private static final int CLONE3 = 435;

    /// The differences between machines.
    ///
    /// @param audit the kernel's number of the architecture
    /// @param x32 whether it has a second set of numbers
    /// @param column the column of its numbers in the table
    /// @param fork the number of `clone`
    private record Machine(
            int audit, boolean x32, int column, int ioctl, int fork, int unshare, int socket, int socketpair) {}

    private static final Machine X86_64 = new Machine(0xc000003e, true, 1, 16, 56, 272, 41, 53);
    private static final Machine AARCH64 = new Machine(0xc00000b7, false, 2, 29, 220, 97, 198, 199);

    private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

    private final List<Instruction> program = new ArrayList<>();

    private SeccompFilter() {}

    /// Returns the filter for a machine, named as in `os.arch`, if its numbers are known.
    static Optional<byte[]> of(String architecture, Profile profile) {
        return switch (architecture) {
            case "amd64", "x86_64" -> Optional.of(new SeccompFilter().build(X86_64, profile));
            case "aarch64", "arm64" -> Optional.of(new SeccompFilter().build(AARCH64, profile));
            default -> Optional.empty();
        };
    }

    private byte[] build(Machine machine, Profile profile) {
        load(ARCHITECTURE);
        add(EQUAL, 1, 0, machine.audit);
        give(KILL);
        load(NUMBER);
        if (machine.x32) {
            add(AT_LEAST, 0, 1, X32);
            give(KILL);
        }
        for (int number : refused(machine.column)) {
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
        sockets(machine, profile);
        add(EQUAL, 0, 5, machine.ioctl);
        load(SECOND_ARGUMENT);
        add(EQUAL, 1, 0, TYPE_INTO_TERMINAL);
        add(EQUAL, 0, 1, PASTE_INTO_CONSOLE);
        give(REFUSE);
        give(ALLOW);
        give(ALLOW);
        return bytes();
    }

    private void sockets(Machine machine, Profile profile) {
        List<Integer> families = new ArrayList<>(NETWORK);
        if (profile != Profile.CLOSED) {
            families.add(UNIX);
        }
        add(EQUAL, 0, 2 + 2 * families.size(), machine.socket);
        load(FIRST_ARGUMENT);
        for (int family : families) {
            add(EQUAL, 0, 1, family);
            give(ALLOW);
        }
        give(NO_SUCH_FAMILY);
        boolean closed = profile == Profile.CLOSED;
        add(EQUAL, 0, closed ? 7 : 4, machine.socketpair);
        load(FIRST_ARGUMENT);
        add(EQUAL, 1, 0, UNIX);
        give(NO_SUCH_FAMILY);
        if (closed) {
            load(SECOND_ARGUMENT);
            add(ANY_BIT, 0, 1, DATAGRAM);
            give(NO_SUCH_FAMILY);
        }
        give(ALLOW);
    }

    private static List<Integer> refused(int column) {
        return REFUSED.lines()
                .map(line -> line.split(" +", -1)[column])
                .filter(number -> !number.equals("-"))
                .map(Integer::valueOf)
                .toList();
    }

    private void load(int offset) {
        add(LOAD, 0, 0, offset);
    }

    private void give(int verdict) {
        add(RETURN, 0, 0, verdict);
    }

    /// Adds an instruction. A jump skips the given number of instructions.
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
