/// Contracts that backends and doors inherit, and the sandboxes of the testbed.
@NullMarked
package dev.talaria.testkit;

import org.jspecify.annotations.NullMarked;
