/// Small tools that know nothing of calls: JSON, random names, digests, folders that end with their process.
@NullMarked
package dev.talaria.engine.util;

import org.jspecify.annotations.NullMarked;
