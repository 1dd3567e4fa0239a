/// The Python module `hermes_tools`, which scripts use to call tools, and hints for scripts that used
/// it wrongly.
///
/// The module is made of real Python files (in the resources) and one generated function per tool. What
/// scripts and models are told of a tool is in a JSON file beside the tool's class, which `SpecFile` reads.
@NullMarked
package dev.talaria.engine.toolcalls.stub;

import org.jspecify.annotations.NullMarked;
