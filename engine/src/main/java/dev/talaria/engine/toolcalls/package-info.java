/// Tool calls from running scripts: checks connections, tokens and budgets, and sends each call to the
/// step admit of the route.
@NullMarked
package dev.talaria.engine.toolcalls;

import org.jspecify.annotations.NullMarked;
