/// Copies files and folders between this machine and a sandbox, and keeps a folder in sync. The memory does not grow
/// with the size of a copy, and nothing that a sandbox sends is trusted.
@NullMarked
package dev.talaria.engine.copy;

import org.jspecify.annotations.NullMarked;
