/// Runs commands behind any prefix of words, such as `kubectl exec -i POD --`.
@NullMarked
package dev.talaria.backends.prefix;

import org.jspecify.annotations.NullMarked;
