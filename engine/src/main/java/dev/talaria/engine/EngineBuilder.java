package dev.talaria.engine;

import dev.talaria.api.Approver;
import dev.talaria.api.Backend;
import dev.talaria.api.Backends;
import dev.talaria.api.CallListener;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.Gate;
import dev.talaria.api.PasswordPrompt;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolContext;
import dev.talaria.api.ToolResult;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Builds an {@link Engine}.
///
/// ```java
/// Engine engine = Engine.builder()
///         .backend("bubblewrap", Map.of("profile", "workspace"))
///         .cwd(Path.of("project"))
///         .tool("double", "Doubles a number.", Map.of("type", "object"), given -> 2 * (Integer) given.get("n"))
///         .build();
/// ```
public final class EngineBuilder {
    private @Nullable Backend backend;
    Settings settings = Settings.defaults(); // this and below: read by the engine that is built
    Map<String, String> environment = System.getenv();
    Optional<Gate> gate = Optional.empty();
    Optional<String> warm = Optional.empty();
    boolean answeredLater;
    boolean notDumpable;
    List<String> first = List.of();
    final List<Tool> tools = new ArrayList<>();
    final List<Engine.BuiltIn> builtIn = new ArrayList<>(Engine.BUILT_IN);
    final List<Approver> approvers = new ArrayList<>();
    final List<PasswordPrompt> passwordPrompts = new ArrayList<>();
    final List<CallListener> listeners = new ArrayList<>();

    EngineBuilder() {}

    /// Replaces all settings. Calls that change one setting come after this one.
    public EngineBuilder settings(Settings newSettings) {
        settings = newSettings;
        return this;
    }

    /// Adds remarks to the engine's first result, such as problems of a project's configuration.
    public EngineBuilder tellFirst(List<String> remarks) {
        first = List.copyOf(remarks);
        return this;
    }

    /// Sets the working folder of scripts and commands.
    public EngineBuilder cwd(Path folder) {
        settings = settings.withCwd(folder.toAbsolutePath().toString());
        return this;
    }

    /// Chooses a backend by its name, with the options of this backend.
    public EngineBuilder backend(String name, Map<String, String> options) {
        settings = settings.withBackend(name, options);
        return this;
    }

    /// Uses this backend instead of one found by name.
    public EngineBuilder backend(Backend newBackend) {
        backend = newBackend;
        return this;
    }

    /// Sets the host's environment. The environments of scripts are made from it. The default is that of this
    /// process.
    public EngineBuilder environment(Map<String, String> newEnvironment) {
        environment = Map.copyOf(newEnvironment);
        return this;
    }

    /// Starts this session's sandbox and interpreter while the rest of the engine is built, for programs that
    /// make a call at once. If the sandbox cannot be opened, that call fails.
    public EngineBuilder warm(String session) {
        warm = Optional.of(session);
        return this;
    }

    /// Makes this process not dumpable before the first call. Other programs of the same user, also scripts on
    /// `local`, then cannot read its memory, its environment and its open files. Debuggers and `jcmd` of an
    /// ordinary user cannot attach, the files below `/proc/self` belong to root, and there are no core dumps.
    /// The JVM needs `--enable-native-access`.
    public EngineBuilder notDumpable() {
        notDumpable = true;
        return this;
    }

    /// Adds an approver: a person, a dialog or a rule that is asked when a call needs an approval. The
    /// approver that was added last is asked first.
    public EngineBuilder approver(Approver approver) {
        approvers.addFirst(approver);
        return this;
    }

    /// Keeps questions that nobody can answer when they come. The result of such a call is
    /// {@link ToolResult.AwaitingApproval}. The same call runs after somebody has answered with
    /// {@link Engine#approvals()} or `talaria approvals answer`. Without this setting the call is denied.
    public EngineBuilder answeredLater() {
        answeredLater = true;
        return this;
    }

    /// Adds a prompt, which is asked when sudo needs a password and none is configured. Only sudo receives the
    /// password. The engine keeps it for the session while it is right. The prompt that was added last is asked
    /// first.
    public EngineBuilder passwordPrompt(PasswordPrompt prompt) {
        passwordPrompts.addFirst(prompt);
        return this;
    }

    /// Replaces the gate that the settings describe. The engine asks this gate before every call.
    public EngineBuilder gate(Gate newGate) {
        gate = Optional.of(newGate);
        return this;
    }

    /// Adds a listener that gets the events of every call.
    public EngineBuilder listener(CallListener listener) {
        listeners.add(listener);
        return this;
    }

    /// Adds a tool. Models and scripts call it like a built-in one.
    public EngineBuilder tool(Tool tool) {
        tools.add(tool);
        return this;
    }

    /// Adds a tool made of a name, a JSON schema and a function from arguments to a JSON value.
    public EngineBuilder tool(
            String name, String description, Map<String, Object> schema, Function<Map<String, Object>, ?> body) {
        ToolSpec spec = new ToolSpec(name, description, schema);
        return tool(new Tool() {
            @Override
            public ToolSpec spec() {
                return spec;
            }

            @Override
            public ToolResult call(ToolContext context) {
                Object value = body.apply(context.arguments());
                return new ToolResult.Completed(asObject(value));
            }
        });
    }

    private static Map<String, Object> asObject(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return Json.object(Json.bytes(map));
        }
        Map<String, Object> wrapped = new LinkedHashMap<>();
        wrapped.put("result", value);
        return wrapped;
    }

    /// Builds the engine. A sandbox is opened when the first call needs it.
    ///
    /// @throws SandboxException if the chosen backend does not exist
    public Engine build() {
        return new Engine(this, backend != null ? backend : find(settings.backend()));
    }

    private static Backend find(String name) {
        return Backends.find(name).orElseThrow(() -> {
            List<String> names = Backends.names();
            return new SandboxException(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "There is no backend '" + name + "'. "
                            + (names.isEmpty()
                                    ? "Put talaria-backends on the class path."
                                    : "Choose one of " + String.join(", ", names) + "."));
        });
    }

    /// Adds a built-in tool, for tests. If it does not declare its effect, a person is asked about its calls.
    EngineBuilder builtIn(Engine.BuiltIn tool) {
        builtIn.add(tool);
        return this;
    }
}
