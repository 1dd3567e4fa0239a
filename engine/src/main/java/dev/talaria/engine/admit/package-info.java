/// Step 1 of the route, admit: is there such a tool, and do the arguments fit its schema?
@NullMarked
package dev.talaria.engine.admit;

import org.jspecify.annotations.NullMarked;

