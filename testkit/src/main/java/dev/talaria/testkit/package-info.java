/** Contracts that every backend and every door inherits, and fakes for users' own tests. */
@NullMarked
package dev.talaria.testkit;

import org.jspecify.annotations.NullMarked;
