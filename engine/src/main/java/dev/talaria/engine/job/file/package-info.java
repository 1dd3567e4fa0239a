/// The `file` transport: scripts run by direct exec, tool calls are files, and one short command
/// transfers them.
@NullMarked
package dev.talaria.engine.job.file;

import org.jspecify.annotations.NullMarked;
