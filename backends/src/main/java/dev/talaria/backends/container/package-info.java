/// Runs commands in containers of Docker and Podman, by their command lines, also with the runtime of
/// gVisor: plans a container, starts it, checks it, and runs commands in it.
@NullMarked
package dev.talaria.backends.container;

import org.jspecify.annotations.NullMarked;
