/// The tools `read_file` and `write_file`.
@NullMarked
package dev.talaria.engine.files;

import org.jspecify.annotations.NullMarked;

