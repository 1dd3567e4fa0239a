/// Tests of the command line: in this JVM where that is enough, as real processes for signals and terminals.
@NullMarked
package dev.talaria.cli;

import org.jspecify.annotations.NullMarked;
