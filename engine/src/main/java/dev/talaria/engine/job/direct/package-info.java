/// Jobs without a relay, where a sandbox has no Python: each is one exec, and a shell script marks where its output
/// ends.
@NullMarked
package dev.talaria.engine.job.direct;

import org.jspecify.annotations.NullMarked;
