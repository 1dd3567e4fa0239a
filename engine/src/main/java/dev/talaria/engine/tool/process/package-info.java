/// Background processes: `terminal(background=true)` starts them, the tool `process` looks after them.
@NullMarked
package dev.talaria.engine.tool.process;

import org.jspecify.annotations.NullMarked;
