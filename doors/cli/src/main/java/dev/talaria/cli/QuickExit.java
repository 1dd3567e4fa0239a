package dev.talaria.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Ends the process by `_exit`. A normal exit of the JVM waits 300 ms for threads in native code. There is always
/// one, since virtual threads wait for sockets. This is longer than the rest of a short run.
final class QuickExit {
    private static final FutureTask<MethodHandle> EXIT = new FutureTask<>(QuickExit::find);
    private static volatile boolean prepared; // written by the caller's thread, read by main

    private QuickExit() {}

    /// Looks up the function in another thread during another wait.
    static void prepare() {
        if (!prepared && QuickExit.class.getModule().isNativeAccessEnabled()) { // otherwise the JVM warns on stderr
            prepared = true;
            Thread.ofPlatform().daemon().name("quick-exit").start(EXIT); // platform: linking blocks its carrier
        }
    }

    /// Ends the process. A JVM that writes an AOT cache must exit normally.
    static void now(int code) {
        if (prepared && !Boolean.getBoolean("talaria.training")) {
            try {
                EXIT.get().invokeExact(code);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                // This Linux has no such function, so the JVM exits normally.
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
