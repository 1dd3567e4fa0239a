/// Reads a command's text as a shell would, without running it. Rules are matched on the result.
@NullMarked
package dev.talaria.engine.gate.reading;

import org.jspecify.annotations.NullMarked;
