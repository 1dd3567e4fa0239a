/// Step 7 of the route, conclude: what is kept of a call when it is over.
@NullMarked
package dev.talaria.engine.audit;

import org.jspecify.annotations.NullMarked;
