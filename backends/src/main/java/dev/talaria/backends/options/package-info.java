/// How a backend reads what people set for it: options, and the lists, sizes and names in them. Used by every
/// place.
@NullMarked
package dev.talaria.backends.options;

import org.jspecify.annotations.NullMarked;
