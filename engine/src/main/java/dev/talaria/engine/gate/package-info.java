/// The step decide of the route: may this call happen, and who is asked?
@NullMarked
package dev.talaria.engine.gate;

import org.jspecify.annotations.NullMarked;
