/// Reads and writes JSON, for the engine and its doors.
@NullMarked
package dev.talaria.engine.json;

import org.jspecify.annotations.NullMarked;
