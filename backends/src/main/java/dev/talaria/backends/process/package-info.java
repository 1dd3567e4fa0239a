/// Programs that are started on this machine: commands, and the clients that take commands elsewhere. Used by every
/// place.
@NullMarked
package dev.talaria.backends.process;

import org.jspecify.annotations.NullMarked;
