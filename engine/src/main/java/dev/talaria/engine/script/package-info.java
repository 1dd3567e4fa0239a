/// The tool `execute_code`: runs a Python script that calls tools.
@NullMarked
package dev.talaria.engine.script;

import org.jspecify.annotations.NullMarked;

