/// The tables of commands that never run or that a person is asked about, and the rules of the user.
@NullMarked
package dev.talaria.engine.gate.rules;

import org.jspecify.annotations.NullMarked;
