/// The tools `read_file` and `write_file`.
@NullMarked
package dev.talaria.engine.tool.files;

import org.jspecify.annotations.NullMarked;
