/// What a shell would do with a command's text, told without running it. Rules are matched on what is read here.
@NullMarked
package dev.talaria.engine.gate.reading;

import org.jspecify.annotations.NullMarked;
