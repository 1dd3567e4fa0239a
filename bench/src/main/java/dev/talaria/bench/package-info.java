/** The benchmark kit. */
@NullMarked
package dev.talaria.bench;

import org.jspecify.annotations.NullMarked;
