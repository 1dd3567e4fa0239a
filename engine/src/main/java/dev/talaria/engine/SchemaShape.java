package dev.talaria.engine;

/// The JSON form of a tool's description in a model's interface.
public enum SchemaShape {
    /// `{"type": "function", "function": {"name", "description", "parameters"}}`
    OPENAI,

    /// `{"name", "description", "input_schema"}`
    ANTHROPIC,

    /// `{"name", "description", "inputSchema"}`
    MCP
}
