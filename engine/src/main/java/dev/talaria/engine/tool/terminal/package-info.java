/// The tool `terminal`: runs a shell command.
@NullMarked
package dev.talaria.engine.tool.terminal;

import org.jspecify.annotations.NullMarked;
