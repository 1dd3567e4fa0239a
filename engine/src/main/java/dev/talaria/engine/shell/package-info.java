/// Turns a command line into a program: takes the login shell's snapshot, keeps a session's state,
/// and gives advice about commands.
@NullMarked
package dev.talaria.engine.shell;

import org.jspecify.annotations.NullMarked;
