package dev.talaria.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.backends.bubblewrap.BubblewrapBackend.Profile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs the filter as a kernel of another machine would. The numbers are those of the kernel's own tables
/// (arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h).
class SeccompFilterTest {
    private static final int X86_64 = 0xc000003e;
    private static final int I386 = 0x40000003;
    private static final int AARCH64 = 0xc00000b7;
    private static final int ARM = 0x40000028;

    enum Verdict {
        ALLOWED,
        REFUSED,
        MISSING,
        NO_SUCH_FAMILY,
        KILLED
    }

    /// Runs classic BPF over a `struct seccomp_data`.
    private static Verdict judge(String machine, int audit, int number, long first, long second) {
        return judge(Profile.WORKSPACE, machine, audit, number, first, second);
    }

    static Verdict judge(Profile profile, String machine, int audit, int number, long first, long second) {
        ByteBuffer program = ByteBuffer.wrap(SeccompFilter.of(machine, profile).orElseThrow())
                .order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, number).putInt(4, audit).putLong(16, first).putLong(24, second);
        int loaded = 0;
        for (int at = 0; ; at++) {
            int code = program.getShort(8 * at);
            int ifTrue = program.get(8 * at + 2) & 0xff;
            int ifFalse = program.get(8 * at + 3) & 0xff;
            int value = program.getInt(8 * at + 4);
            switch (code) {
                case 0x20 -> loaded = data.getInt(value);
                case 0x15 -> at += loaded == value ? ifTrue : ifFalse;
                case 0x35 -> at += Integer.compareUnsigned(loaded, value) >= 0 ? ifTrue : ifFalse;
                case 0x45 -> at += (loaded & value) != 0 ? ifTrue : ifFalse;
                case 0x06 -> {
                    return switch (value) {
                        case 0x7fff0000 -> Verdict.ALLOWED;
                        case 0x00050001 -> Verdict.REFUSED;
                        case 0x00050026 -> Verdict.MISSING;
                        case 0x00050061 -> Verdict.NO_SUCH_FAMILY;
                        case 0x80000000 -> Verdict.KILLED;
                        default -> throw new AssertionError("verdict " + Integer.toHexString(value));
                    };
                }
                default -> throw new AssertionError("instruction " + Integer.toHexString(code));
            }
        }
    }

    private static Verdict x86(int number, long first, long second) {
        return judge("amd64", X86_64, number, first, second);
    }

    private static Verdict arm(int number, long first, long second) {
        return judge("aarch64", AARCH64, number, first, second);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', textBlock = """
                    acct 163 89
                    add_key 248 217
                    bpf 321 280
                    delete_module 176 106
                    finit_module 313 273
                    init_module 175 105
                    ioperm 173 -1
                    iopl 172 -1
                    kexec_file_load 320 294
                    kexec_load 246 104
                    keyctl 250 219
                    mount 165 40
                    open_by_handle_at 304 265
                    perf_event_open 298 241
                    pivot_root 155 41
                    quotactl 179 60
                    reboot 169 142
                    request_key 249 218
                    setns 308 268
                    swapoff 168 225
                    swapon 167 224
                    syslog 103 116
                    umount2 166 39
                    userfaultfd 323 282
                    vhangup 153 58
                    io_uring_setup 425 425
                    io_uring_enter 426 426
                    io_uring_register 427 427
                    open_tree 428 428
                    move_mount 429 429
                    fsopen 430 430
                    fsconfig 431 431
                    fsmount 432 432
                    fspick 433 433
                    mount_setattr 442 442
                    open_tree_attr 467 467
                    """)
    void whatIsRefusedIsRefusedOnBoth(String name, int x86, int arm) {
        assertThat(x86 < 0 ? Verdict.REFUSED : x86(x86, 0, 0)).as(name).isEqualTo(Verdict.REFUSED);
        assertThat(arm < 0 ? Verdict.REFUSED : arm(arm, 0, 0)).as(name).isEqualTo(Verdict.REFUSED);
    }

    @ParameterizedTest
    @CsvSource({
        "read,0,63",
        "write,1,64",
        "openat,257,56",
        "execve,59,221",
        "futex,202,98",
        "ptrace,101,117",
        "openat2,437,437",
        "rt_sigreturn,15,139",
        "exit_group,231,94",
        "mmap,9,222"
    })
    void ordinaryCallsAreAllowed(String name, int x86, int arm) {
        assertThat(x86(x86, -1, -1)).as(name).isEqualTo(Verdict.ALLOWED);
        assertThat(arm(arm, -1, -1)).as(name).isEqualTo(Verdict.ALLOWED);
    }

    @Test
    void noUserNamespaceIsMadeAndOthersStay() {
        long user = 0x10000000;
        for (long flags : new long[] {user, user | 17, user | 0xffffffff00000000L}) {
            assertThat(x86(56, flags, 0)).isEqualTo(Verdict.REFUSED);
            assertThat(x86(272, flags, 0)).isEqualTo(Verdict.REFUSED);
            assertThat(arm(220, flags, 0)).isEqualTo(Verdict.REFUSED);
            assertThat(arm(97, flags, 0)).isEqualTo(Verdict.REFUSED);
        }
        assertThat(x86(56, 0x01200011, 0)).as("fork").isEqualTo(Verdict.ALLOWED);
        assertThat(arm(220, 0x01200011, 0)).as("fork").isEqualTo(Verdict.ALLOWED);
        assertThat(x86(435, 0, 0)).as("clone3").isEqualTo(Verdict.MISSING);
        assertThat(arm(435, 0, 0)).as("clone3").isEqualTo(Verdict.MISSING);
    }

    @Test
    void nobodyTypesIntoATerminal() {
        for (long request : new long[] {0x5412, 0x541c, 0xffffffff00005412L}) {
            assertThat(x86(16, 0, request)).isEqualTo(Verdict.REFUSED);
            assertThat(arm(29, 0, request)).isEqualTo(Verdict.REFUSED);
        }
        assertThat(x86(16, 0, 0x5413)).as("TIOCGWINSZ").isEqualTo(Verdict.ALLOWED);
        assertThat(arm(29, 0, 0x5413)).as("TIOCGWINSZ").isEqualTo(Verdict.ALLOWED);
    }

    @ParameterizedTest
    @CsvSource({
        "unix,1,ALLOWED,NO_SUCH_FAMILY",
        "inet,2,ALLOWED,ALLOWED",
        "inet6,10,ALLOWED,ALLOWED",
        "netlink,16,ALLOWED,ALLOWED",
        "packet,17,NO_SUCH_FAMILY,NO_SUCH_FAMILY",
        "bluetooth,31,NO_SUCH_FAMILY,NO_SUCH_FAMILY",
        "alg,38,NO_SUCH_FAMILY,NO_SUCH_FAMILY",
        "vsock,40,NO_SUCH_FAMILY,NO_SUCH_FAMILY"
    })
    void socketsAreOfTheNetworkOrInWorkspaceOfUnix(String name, int family, Verdict workspace, Verdict closed) {
        assertThat(judge(Profile.WORKSPACE, "amd64", X86_64, 41, family, 1))
                .as(name)
                .isEqualTo(workspace);
        assertThat(judge(Profile.WORKSPACE, "arm64", AARCH64, 198, family, 1))
                .as(name)
                .isEqualTo(workspace);
        assertThat(judge(Profile.CLOSED, "amd64", X86_64, 41, family, 1))
                .as(name)
                .isEqualTo(closed);
        assertThat(judge(Profile.CLOSED, "arm64", AARCH64, 198, family, 1))
                .as(name)
                .isEqualTo(closed);
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,ALLOWED",
        "1,5,ALLOWED",
        "1,2,NO_SUCH_FAMILY",
        "1,3,NO_SUCH_FAMILY",
        "1,0x80801,ALLOWED",
        "1,0x80802,NO_SUCH_FAMILY",
        "30,1,NO_SUCH_FAMILY"
    })
    void pairsInClosedSendToNoPath(int family, String type, Verdict verdict) {
        assertThat(judge(Profile.CLOSED, "amd64", X86_64, 53, family, Long.decode(type)))
                .isEqualTo(verdict);
        assertThat(judge(Profile.CLOSED, "arm64", AARCH64, 199, family, Long.decode(type)))
                .isEqualTo(verdict);
        assertThat(judge(Profile.WORKSPACE, "amd64", X86_64, 53, family, Long.decode(type)))
                .isEqualTo(family == 1 ? Verdict.ALLOWED : Verdict.NO_SUCH_FAMILY);
    }

    @Test
    void callsOfAnotherArchitectureEndTheProcess() {
        assertThat(judge("x86_64", I386, 3, 0, 0)).isEqualTo(Verdict.KILLED);
        assertThat(judge("x86_64", AARCH64, 0, 0, 0)).isEqualTo(Verdict.KILLED);
        assertThat(x86(0x40000000, 0, 0)).as("x32").isEqualTo(Verdict.KILLED);
        assertThat(judge("arm64", ARM, 3, 0, 0)).isEqualTo(Verdict.KILLED);
        assertThat(judge("arm64", X86_64, 63, 0, 0)).isEqualTo(Verdict.KILLED);
        assertThat(SeccompFilter.of("riscv64", Profile.WORKSPACE)).isEmpty();
    }
}
