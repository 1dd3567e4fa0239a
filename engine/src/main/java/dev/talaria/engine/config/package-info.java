/// The settings of the engine, and the loader that reads them from `talaria.yaml`, the environment and the command
/// line.
@NullMarked
package dev.talaria.engine.config;

import org.jspecify.annotations.NullMarked;
