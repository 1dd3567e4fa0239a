/// Step 4 of the route, acquire: the sandbox a call runs in, and the relay in it.
@NullMarked
package dev.talaria.engine.acquire;

import org.jspecify.annotations.NullMarked;

