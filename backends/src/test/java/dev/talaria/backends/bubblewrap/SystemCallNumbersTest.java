package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import dev.talaria.backends.bubblewrap.SeccompFilterTest.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares the filter's numbers with the kernel's own headers (Debian's `linux-libc-dev`): the filter must refuse
/// exactly the intended system calls among all that a header names.
class SystemCallNumbersTest {
    private static final Pattern NUMBER = Pattern.compile("#define\\s+__NR(?:3264)?_(\\w+)\\s+(\\d+)\\b.*");
    private static final Set<String> NO_CALLS = Set.of("syscalls", "arch_specific_syscall"); // how many there are

    private static final long NEW_USER_NAMESPACE = 0x10000000;
    private static final long VSOCK = 40;
    private static final long TYPE_INTO_TERMINAL = 0x5412;

    private static final Set<String> REFUSED = Set.of(
            "acct",
            "add_key",
            "bpf",
            "delete_module",
            "finit_module",
            "init_module",
            "ioperm",
            "iopl",
            "kexec_file_load",
            "kexec_load",
            "keyctl",
            "mount",
            "open_by_handle_at",
            "perf_event_open",
            "pivot_root",
            "quotactl",
            "reboot",
            "request_key",
            "setns",
            "swapoff",
            "swapon",
            "syslog",
            "umount2",
            "userfaultfd",
            "vhangup",
            "io_uring_setup",
            "io_uring_enter",
            "io_uring_register",
            "open_tree",
            "move_mount",
            "fsopen",
            "fsconfig",
            "fsmount",
            "fspick",
            "mount_setattr",
            "open_tree_attr");

    /// A machine, and the file with the numbers of its system calls.
    record Machine(String name, int audit, List<String> headers) {
        @Override
        public String toString() {
            return name;
        }

        private Map<String, Integer> numbers() throws IOException {
            List<Path> found =
                    headers.stream().map(Path::of).filter(Files::exists).toList();
            assumeTrue(!found.isEmpty(), () -> "there is no " + headers.getLast() + "; install linux-libc-dev");
            Map<String, Integer> numbers = new TreeMap<>();
            for (String line : Files.readAllLines(found.getFirst())) {
                var parts = NUMBER.matcher(line);
                if (parts.matches() && !NO_CALLS.contains(parts.group(1))) {
                    numbers.put(parts.group(1), Integer.valueOf(parts.group(2)));
                }
            }
            assertThat(numbers).as("what %s says", found.getFirst()).hasSizeGreaterThan(250);
            return numbers;
        }

        /// Returns the names of all calls with this decision for these arguments.
        private Set<String> judged(Verdict verdict, long first, long second) throws IOException {
            Set<String> names = new TreeSet<>();
            numbers().forEach((call, number) -> {
                if (SeccompFilterTest.judge(Profile.WORKSPACE, name, audit, number, first, second) == verdict) {
                    names.add(call);
                }
            });
            return names;
        }
    }

    static Stream<Machine> machines() {
        return Stream.of(
                new Machine(
                        "amd64",
                        0xc000003e,
                        List.of("/usr/include/asm/unistd_64.h", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h")),
                new Machine("aarch64", 0xc00000b7, List.of("/usr/include/asm-generic/unistd.h")));
    }

    @ParameterizedTest
    @MethodSource("machines")
    void whatIsRefusedIsWhatWeMean(Machine machine) throws IOException {
        Set<String> known = new TreeSet<>(REFUSED);
        known.retainAll(machine.numbers().keySet()); // a header may be older than a call, and aarch64 has not all

        assertThat(machine.judged(Verdict.REFUSED, 0, 0)).isEqualTo(known);
        assertThat(known).hasSizeGreaterThan(REFUSED.size() - 5);
    }

    @ParameterizedTest
    @MethodSource("machines")
    void whatIsSaidNotToBeThereIsClone3(Machine machine) throws IOException {
        assertThat(machine.judged(Verdict.MISSING, 0, 0)).containsExactly("clone3");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void whatMakesUserNamespacesIsCloneAndUnshare(Machine machine) throws IOException {
        Set<String> refused = machine.judged(Verdict.REFUSED, NEW_USER_NAMESPACE, 0);
        refused.removeAll(REFUSED);

        assertThat(refused).containsExactly("clone", "unshare");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void whatHasFamiliesIsSocketAndSocketpair(Machine machine) throws IOException {
        assertThat(machine.judged(Verdict.NO_SUCH_FAMILY, VSOCK, 0)).containsExactly("socket", "socketpair");
    }

    @ParameterizedTest
    @MethodSource("machines")
    void whatTypesIntoATerminalIsIoctl(Machine machine) throws IOException {
        Set<String> refused = machine.judged(Verdict.REFUSED, 0, TYPE_INTO_TERMINAL);
        refused.removeAll(REFUSED);

        assertThat(refused).containsExactly("ioctl");
    }
}
