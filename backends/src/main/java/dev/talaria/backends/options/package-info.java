/// Reads the options that people set for a backend, and the lists, sizes and names in them. Every
/// backend uses this package.
@NullMarked
package dev.talaria.backends.options;

import org.jspecify.annotations.NullMarked;
