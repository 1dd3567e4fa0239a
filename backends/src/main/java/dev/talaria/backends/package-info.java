/// Places where commands run: one package a place, each with a {@link dev.talaria.api.Backend} that is found by
/// {@link java.util.ServiceLoader}. Places do not know one another; what several need is in `process` (starting
/// programs on this machine) and `options` (reading what people set).
@NullMarked
package dev.talaria.backends;

import org.jspecify.annotations.NullMarked;
