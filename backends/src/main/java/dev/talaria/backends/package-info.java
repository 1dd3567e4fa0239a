/// The backends: one package each, with a {@link dev.talaria.api.Backend} that {@link
/// java.util.ServiceLoader} finds. Backends do not know one another. They share the packages
/// `process` (starts programs on this machine) and `options` (reads what people set).
@NullMarked
package dev.talaria.backends;

import org.jspecify.annotations.NullMarked;
