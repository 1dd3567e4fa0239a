/// Tool calls from running scripts: connections, tokens, budgets, and back into the route at step 1.
@NullMarked
package dev.talaria.engine.toolcalls;

import org.jspecify.annotations.NullMarked;
