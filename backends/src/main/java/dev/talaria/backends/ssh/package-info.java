/// Runs commands on other machines, by the program ssh: over one connection for all commands, through
/// login shells of all kinds.
@NullMarked
package dev.talaria.backends.ssh;

import org.jspecify.annotations.NullMarked;
