/// This machine behind Linux namespaces, by the program bwrap: what a sandbox sees and may write, which system calls
/// it has, and how much it may take.
@NullMarked
package dev.talaria.backends.bubblewrap;

import org.jspecify.annotations.NullMarked;
