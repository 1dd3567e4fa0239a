/// Files and folders between this machine and a sandbox: copies, and a folder that is kept in step. Memory does not
/// grow with what is moved, and nothing that comes back is believed.
@NullMarked
package dev.talaria.engine.copy;

import org.jspecify.annotations.NullMarked;
