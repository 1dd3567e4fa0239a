package dev.talaria.cli.log;

import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/// Writes one line for each event, and its stack trace.
final class StderrLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    StderrLogger(String name) {
        this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
        return StderrLogging.shows(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return StderrLogging.shows(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return StderrLogging.shows(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return StderrLogging.shows(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return StderrLogging.shows(Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null; // the position in the code is not shown
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable problem) {
        PrintStream err = System.err;
        String text = PlainText.of(MessageFormatter.basicArrayFormat(message, arguments));
        synchronized (err) { // a stack trace stays together
            LocalTime now = LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS);
            err.println(now + " " + level + " " + shortName() + ": " + text);
            if (problem != null) {
                problem.printStackTrace(err);
            }
        }
    }

    private String shortName() {
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
