/// Any place that words in front of a command lead to, such as `kubectl exec -i POD --`.
@NullMarked
package dev.talaria.backends.prefix;

import org.jspecify.annotations.NullMarked;
