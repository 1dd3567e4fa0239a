/// Gives sudo its password: from the configuration, or from a person who is asked.
@NullMarked
package dev.talaria.engine.sudo;

import org.jspecify.annotations.NullMarked;
