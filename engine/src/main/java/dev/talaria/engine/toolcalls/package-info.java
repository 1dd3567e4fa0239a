/// Tool calls from running scripts: checks connections, tokens and budgets, and sends calls back into
/// step 1 of the route.
@NullMarked
package dev.talaria.engine.toolcalls;

import org.jspecify.annotations.NullMarked;
