/// Jobs in a sandbox: one way to start, watch and end them. Tools use it in the step run.
@NullMarked
package dev.talaria.engine.job;

import org.jspecify.annotations.NullMarked;
