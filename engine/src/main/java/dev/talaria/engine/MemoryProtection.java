package dev.talaria.engine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes this program's memory, environment and open files to other programs of the same user: what
/// Linux calls not dumpable. Nothing that is started gets this from us, and root is not kept out.
///
/// The files below `/proc/self` belong to root from then on, so they do not tell who we are.
final class MemoryProtection {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryProtection.class);
    private static final int SET_DUMPABLE = 4; // PR_SET_DUMPABLE

    private MemoryProtection() {}

    /// Begins, and returns what completes when it is done: finding the way into the kernel takes longer than much else
    /// of a start.
    static CompletableFuture<Void> start() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        // platform: the first virtual thread of a process takes its time, too
        Thread.ofPlatform().daemon().name("not-dumpable").start(() -> {
            try {
                set(0);
            } catch (Throwable e) { // an error of linking, too, and whoever waits goes on
                LOG.warn("Programs of the same user can read this one's memory: {}", e.toString());
            } finally {
                done.complete(null);
            }
        });
        return done;
    }

    @SuppressWarnings("restricted") // the command line allows it; a library's user may have to
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
