/// The audit log, which gets one line for each call in the step conclude.
@NullMarked
package dev.talaria.engine.audit;

import org.jspecify.annotations.NullMarked;
