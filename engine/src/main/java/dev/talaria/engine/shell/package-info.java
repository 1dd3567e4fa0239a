/// How a command line becomes a program: the login shell's snapshot, what a session's shell keeps, and advice about
/// commands.
@NullMarked
package dev.talaria.engine.shell;

import org.jspecify.annotations.NullMarked;
