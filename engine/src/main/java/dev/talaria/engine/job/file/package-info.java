/// The `file` transport: scripts by direct exec, their tool calls as files, one short command per exchange.
@NullMarked
package dev.talaria.engine.job.file;

import org.jspecify.annotations.NullMarked;
