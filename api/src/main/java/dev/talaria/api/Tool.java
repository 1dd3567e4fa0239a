package dev.talaria.api;

/// Something a model or a script may call.
public interface Tool {

    ToolSpec spec();

    /// Does the work and returns what came of it. An exception is reported to the caller as a failure of the tool.
    ToolResult call(ToolContext context) throws Exception;
}
