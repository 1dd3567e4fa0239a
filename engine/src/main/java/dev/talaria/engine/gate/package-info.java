/// Step 2 of the route, decide: may this call happen?
@NullMarked
package dev.talaria.engine.gate;

import org.jspecify.annotations.NullMarked;
