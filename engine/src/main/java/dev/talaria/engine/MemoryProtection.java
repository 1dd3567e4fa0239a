package dev.talaria.engine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes this process not dumpable, so that other programs of the same user cannot read its memory, its environment
/// and its open files. Child processes do not inherit this, and root can still read everything.
///
/// The files below `/proc/self` then belong to root, so their owner is not this process's user.
final class MemoryProtection {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryProtection.class);
    private static final int SET_DUMPABLE = 4; // PR_SET_DUMPABLE

    private MemoryProtection() {}

    /// Starts the change in a thread of its own, since linking the system call is slow. The result completes
    /// when the change is made or has failed.
    static CompletableFuture<Void> start() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        // platform: starting the first virtual thread of a process is slow, too
        Thread.ofPlatform().daemon().name("not-dumpable").start(() -> {
            try {
                set(0);
            } catch (Throwable e) { // linking may throw errors, and calls go on without the protection
                LOG.warn("Programs of the same user can read this one's memory: {}", e.toString());
            } finally {
                done.complete(null);
            }
        });
        return done;
    }

    @SuppressWarnings("restricted") // the launcher passes --enable-native-access; other programs have to do so
    private static void set(long value) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MemorySegment address = linker.defaultLookup().findOrThrow("prctl");
        MethodHandle prctl = linker.downcallHandle(
                address,
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        int failed = (int) prctl.invokeExact(SET_DUMPABLE, value);
        if (failed != 0) {
            throw new IllegalStateException("the kernel refused");
        }
    }
}
