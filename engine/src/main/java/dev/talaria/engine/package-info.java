/// The engine and the one route that every call takes. Start reading at {@link dev.talaria.engine.CallRoute}.
@NullMarked
package dev.talaria.engine;

import org.jspecify.annotations.NullMarked;
