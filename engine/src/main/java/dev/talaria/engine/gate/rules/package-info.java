/// What is never run and what a person is asked about: tables of patterns, and the rules of the user.
@NullMarked
package dev.talaria.engine.gate.rules;

import org.jspecify.annotations.NullMarked;
