/// Places where commands run: one class per place, found by {@link java.util.ServiceLoader}.
@NullMarked
package dev.talaria.backends;

import org.jspecify.annotations.NullMarked;
