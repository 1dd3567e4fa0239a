/// The sandboxes of sessions: opened, leased to calls, replaced, swept. A tool takes its lease in the step run.
@NullMarked
package dev.talaria.engine.sandbox;

import org.jspecify.annotations.NullMarked;
