/// Starts programs on this machine: commands, and the clients that run commands elsewhere. Every
/// backend uses this package.
@NullMarked
package dev.talaria.backends.process;

import org.jspecify.annotations.NullMarked;
