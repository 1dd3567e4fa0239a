/// Talaria's words as types: calls and results, tools, sandboxes and the backends that open them.
///
/// Signatures here use JDK types and each other only, so that no library of ours becomes a library of yours.
@NullMarked
package dev.talaria.api;

import org.jspecify.annotations.NullMarked;
