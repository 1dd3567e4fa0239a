/// Step 2 of the route, decide: may this call happen?
@NullMarked
package dev.talaria.engine.decide;

import org.jspecify.annotations.NullMarked;

