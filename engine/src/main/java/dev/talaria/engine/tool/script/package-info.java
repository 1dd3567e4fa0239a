/// The tool `execute_code`: runs a Python script that calls tools.
@NullMarked
package dev.talaria.engine.tool.script;

import org.jspecify.annotations.NullMarked;
