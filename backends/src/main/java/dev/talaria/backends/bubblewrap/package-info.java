/// Runs commands on this machine behind Linux namespaces, by the program bwrap: decides what a
/// sandbox sees and may write, which system calls it has, and what its limits are.
@NullMarked
package dev.talaria.backends.bubblewrap;

import org.jspecify.annotations.NullMarked;
