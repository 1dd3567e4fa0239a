/// The types that programs use: calls and results, tools, sandboxes and the backends that open them.
///
/// Signatures use only these types and those of the JDK, so that a program depends on no library of Talaria.
@NullMarked
package dev.talaria.api;

import org.jspecify.annotations.NullMarked;
