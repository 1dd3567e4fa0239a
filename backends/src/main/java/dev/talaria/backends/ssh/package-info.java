/// Other machines, by the program ssh: one connection for all commands, and login shells of all kinds at its end.
@NullMarked
package dev.talaria.backends.ssh;

import org.jspecify.annotations.NullMarked;
