/// This machine, with nothing kept out.
@NullMarked
package dev.talaria.backends.local;

import org.jspecify.annotations.NullMarked;
