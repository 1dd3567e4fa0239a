package dev.talaria.engine;

/// The form in which a model interface wants a tool described.
public enum SchemaShape {
    /// `{"type": "function", "function": {"name", "description", "parameters"}}`
    OPENAI,

    /// `{"name", "description", "input_schema"}`
    ANTHROPIC,

    /// `{"name", "description", "inputSchema"}`
    MCP
}
