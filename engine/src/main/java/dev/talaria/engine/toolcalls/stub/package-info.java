/// What a script sees of the tools: the Python module `hermes_tools`, written for each run, and hints for scripts that
/// misunderstood it.
///
/// The module is made of real Python files (in the resources) and one generated function per tool.
@NullMarked
package dev.talaria.engine.toolcalls.stub;

import org.jspecify.annotations.NullMarked;
