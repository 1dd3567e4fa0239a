/// Jobs without a relay, for sandboxes without Python. Each job is one exec, and a shell script marks
/// the end of its output.
@NullMarked
package dev.talaria.engine.job.direct;

import org.jspecify.annotations.NullMarked;
