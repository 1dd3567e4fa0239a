/** The command line door. */
@NullMarked
package dev.talaria.cli;

import org.jspecify.annotations.NullMarked;
