/// Runs the examples and the documentation.
@NullMarked
package dev.talaria.examples;

import org.jspecify.annotations.NullMarked;
