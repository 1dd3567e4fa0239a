/// One call on its way, and the session it belongs to.
@NullMarked
package dev.talaria.engine.call;

import org.jspecify.annotations.NullMarked;
