/// Containers of Docker and Podman, by their command lines, also with the runtime of gVisor: what a container is asked
/// for, whether that is what came of it, and how commands get in.
@NullMarked
package dev.talaria.backends.container;

import org.jspecify.annotations.NullMarked;
