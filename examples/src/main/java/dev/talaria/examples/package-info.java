/** Example programs that use the Java API. */
@NullMarked
package dev.talaria.examples;

import org.jspecify.annotations.NullMarked;
