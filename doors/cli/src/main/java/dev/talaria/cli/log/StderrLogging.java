package dev.talaria.cli.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/// Creates loggers that write to stderr.
public final class StderrLogging implements SLF4JServiceProvider {
    private static volatile Level level = Level.WARN; // set before the first logger, read by all threads

    private @Nullable ILoggerFactory loggers; // set by initialize(), before the first use
    private @Nullable IMarkerFactory markers; // likewise
    private final MDCAdapter context = new NOPMDCAdapter();

    /// Installs these loggers. A call after the first logger was created has no effect.
    public static void install(boolean debug) {
        level = debug ? Level.DEBUG : Level.WARN;
        System.setProperty("slf4j.provider", StderrLogging.class.getName());
        System.setProperty("slf4j.internal.verbosity", "WARN");
    }

    static boolean shows(Level asked) {
        return asked.toInt() >= level.toInt();
    }

    @Override
    public void initialize() {
        loggers = StderrLogger::new;
        markers = new BasicMarkerFactory();
    }

    @Override
    public @Nullable ILoggerFactory getLoggerFactory() {
        return loggers;
    }

    @Override
    public @Nullable IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}
