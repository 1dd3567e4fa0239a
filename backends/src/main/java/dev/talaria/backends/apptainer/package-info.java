/// Containers of Apptainer or Singularity, without a daemon and without root, as clusters have them.
@NullMarked
package dev.talaria.backends.apptainer;

import org.jspecify.annotations.NullMarked;
