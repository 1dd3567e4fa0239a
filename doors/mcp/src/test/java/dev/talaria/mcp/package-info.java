/// What a client sees of the MCP door.
@NullMarked
package dev.talaria.mcp;

import org.jspecify.annotations.NullMarked;
