/// What a model is told about the tools: their schemas in the shapes of the model interfaces, and the text of
/// `execute_code`, which depends on what its scripts can call.
@NullMarked
package dev.talaria.engine.schema;

import org.jspecify.annotations.NullMarked;

