/// Step 5 of the route, start: one way to start, watch and end jobs in a sandbox.
@NullMarked
package dev.talaria.engine.job;

import org.jspecify.annotations.NullMarked;
