/// Small tools that know nothing of calls: random names, digests, resources, and folders that live as long as their
/// process.
@NullMarked
package dev.talaria.engine.util;

import org.jspecify.annotations.NullMarked;
