/** The MCP door: the only package that knows the MCP SDK. */
@NullMarked
package dev.talaria.mcp;

import org.jspecify.annotations.NullMarked;
