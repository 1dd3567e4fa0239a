/// The command line door: one class per command, {@link dev.talaria.cli.Main} chooses.
@NullMarked
package dev.talaria.cli;

import org.jspecify.annotations.NullMarked;
