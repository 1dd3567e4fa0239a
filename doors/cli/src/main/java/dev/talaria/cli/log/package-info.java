/// Where log lines go: stderr, warnings and errors alone unless `TALARIA_DEBUG=1`.
///
/// Our own few lines instead of a logging library, which would be the largest single part of a start.
@NullMarked
package dev.talaria.cli.log;

import org.jspecify.annotations.NullMarked;
