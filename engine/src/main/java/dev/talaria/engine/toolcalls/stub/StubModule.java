package dev.talaria.engine.toolcalls.stub;

import dev.talaria.api.ToolSpec;
import dev.talaria.engine.toolcalls.stub.ToolSignature.Parameter;
import dev.talaria.engine.util.Resources;
import java.util.Collection;
import java.util.stream.Collectors;

/// Writes the Python module `hermes_tools`, which scripts use to call tools.
///
/// The result is ASCII, and needs only Python 3.8 and its standard library. Texts of tools become
/// literals, so that no text can become code.
public final class StubModule {
    private static final String PRELUDE = Resources.text(StubModule.class, "prelude.py");
    private static final String EPILOGUE = Resources.text(StubModule.class, "epilogue.py");
    private static final String INDENT = "    ";

    private StubModule() {}

    /// Returns the module's source: the helpers, and one function for each tool.
    ///
    /// @param complete the tools whose functions send every argument, even `None`
    public static String source(
            Collection<ToolSpec> tools, Collection<ToolSpec> complete, StubTransport transport) {
        var signatures = ToolSignature.of(tools, complete);
        var source = new StringBuilder(PRELUDE).append(Resources.text(StubModule.class, transport.resource()));
        signatures.forEach(signature -> source.append(function(signature)).append("\n\n"));
        source.append(signatures.stream()
                .map(signature ->
                        INDENT + PythonText.string(importName(signature)) + ": " + signature.function() + ",\n")
                .collect(Collectors.joining("", "_TOOLS = {\n", "}\n")));
        return source.append(EPILOGUE).toString();
    }

    /// Returns the name to import. A tool whose name Python cannot use as an identifier can still be
    /// imported by its own name, unless the import system uses that name.
    private static String importName(ToolSignature signature) {
        return signature.tool().startsWith("_") ? signature.function() : signature.tool();
    }

    private static String function(ToolSignature signature) {
        var body = new StringBuilder("def ")
                .append(signature.declaration())
                .append(":\n")
                .append(INDENT)
                .append(PythonText.docstring(documentation(signature), INDENT))
                .append('\n');
        var always = signature.parameters().stream()
                .filter(parameter -> !parameter.omitted())
                .map(parameter -> PythonText.string(parameter.key()) + ": " + parameter.name())
                .collect(Collectors.joining(", ", "{", "}"));
        var sometimes =
                signature.parameters().stream().filter(Parameter::omitted).toList();
        var arguments = always;
        if (signature.open() || !sometimes.isEmpty()) {
            arguments = "_args";
            body.append(INDENT).append("_args = ").append(always).append('\n');
            for (var parameter : sometimes) {
                body.append("    if %1$s is not None:\n        _args[%2$s] = %1$s\n"
                        .formatted(parameter.name(), PythonText.string(parameter.key())));
            }
            if (signature.open()) {
                body.append("    _args.update(").append(signature.extraName()).append(")\n");
            }
        }
        return body.append("    return _call(")
                .append(PythonText.string(signature.tool()))
                .append(", ")
                .append(arguments)
                .append(")\n")
                .toString();
    }

    private static String documentation(ToolSignature signature) {
        var notes = signature.parameters().stream()
                .filter(parameter -> !parameter.notes().isEmpty())
                .map(parameter -> INDENT + parameter.name() + ": " + parameter.notes())
                .toList();
        return notes.isEmpty()
                ? signature.description()
                : signature.description().strip() + "\n\nArguments:\n" + String.join("\n", notes);
    }
}
