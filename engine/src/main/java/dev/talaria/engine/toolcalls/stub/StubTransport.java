package dev.talaria.engine.toolcalls.stub;

/// The transport that the functions of a stub module use.
public enum StubTransport {
    /// Lines of JSON over the socket named by `HERMES_RPC_SOCKET`.
    SOCKET("socket_transport.py"),

    /// Request and response files in the folder named by `HERMES_RPC_DIR`.
    FILE("file_transport.py");

    private final String resource;

    StubTransport(String resource) {
        this.resource = resource;
    }

    String resource() {
        return resource;
    }
}
