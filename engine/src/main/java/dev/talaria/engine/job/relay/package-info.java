/// The host's end of the relay: the live channel to a sandbox. The other end is `relay.py`.
@NullMarked
package dev.talaria.engine.job.relay;

import org.jspecify.annotations.NullMarked;
