/// Step 4 of the route, acquire: the sandbox a call runs in, and the relay in it.
@NullMarked
package dev.talaria.engine.sandbox;

import org.jspecify.annotations.NullMarked;
