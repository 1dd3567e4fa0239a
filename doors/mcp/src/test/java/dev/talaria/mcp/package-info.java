/// Tests of the MCP door from the side of its clients.
@NullMarked
package dev.talaria.mcp;

import org.jspecify.annotations.NullMarked;
