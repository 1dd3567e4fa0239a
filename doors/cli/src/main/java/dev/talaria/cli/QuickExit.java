package dev.talaria.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Ends the process by `_exit`. A JVM that exits waits 300 ms for threads in native code, and one that virtual threads
/// wait for sockets with always is: more than all the rest of a short run.
final class QuickExit {
    private static final FutureTask<MethodHandle> EXIT = new FutureTask<>(QuickExit::find);
    private static volatile boolean prepared; // written by the caller's thread, read by main

    private QuickExit() {}

    /// Looks the function up on another thread, while there is something else to wait for.
    static void prepare() {
        if (!prepared && QuickExit.class.getModule().isNativeAccessEnabled()) { // else the JVM would complain on stderr
            prepared = true;
            Thread.ofPlatform().daemon().name("quick-exit").start(EXIT); // platform: linking keeps its carrier
        }
    }

    /// Ends the process. A JVM that is to write an AOT cache must go the long way.
    static void now(int code) {
        if (prepared && !Boolean.getBoolean("talaria.training")) {
            try {
                EXIT.get().invokeExact(code);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                // Not a Linux we know: the long way, then.
            } catch (Throwable e) {
                throw new IllegalStateException("_exit did not", e);
            }
        }
        System.exit(code);
    }

    @SuppressWarnings("restricted") // the launcher and the jar's manifest allow native access
    private static MethodHandle find() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("_exit"), FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
    }
}
