/// The MCP door: the only package that knows the MCP SDK.
///
/// [McpDoor] serves one client over a pair of streams. [StdioTransport] stands between the streams and the SDK: it
/// reads messages ([Inbox], [Inbound]), knows the running calls ([RunningCalls]) and writes ([Outbox]). [ToolCalls]
/// passes tool calls to the engine.
@NullMarked
package dev.talaria.mcp;

import org.jspecify.annotations.NullMarked;
