package dev.talaria.engine.tool.script;

import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.Tool;
import dev.talaria.api.ToolSpec;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.ScriptMode;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.config.Transport;
import dev.talaria.engine.job.Job;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.OutputSink;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.file.FileLauncher;
import dev.talaria.engine.job.file.FileOptions;
import dev.talaria.engine.sandbox.HostViews;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.toolcalls.ToolCallServer;
import dev.talaria.engine.toolcalls.stub.HermesTools;
import dev.talaria.engine.toolcalls.stub.StubModule;
import dev.talaria.engine.toolcalls.stub.StubTransport;
import dev.talaria.engine.util.Sha256;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Starts scripts: chooses interpreter, working folder, environment, stub module and transport.
final class ScriptStarter {
    private final Settings settings;
    private final HostViews views;
    private final ToolCallServer server;
    private final Map<String, String> childEnvironment;
    private Map<String, Set<String>> callable = Map.of(); // this and below: set once by offer(), before the first call
    private List<ToolSpec> existing = List.of();
    private Map<StubTransport, JobSpec.Stubs> stubs = Map.of();

    ScriptStarter(Settings settings, Map<String, String> hostEnvironment, HostViews views, ToolCallServer server) {
        this.settings = settings;
        this.views = views;
        this.server = server;
        this.childEnvironment = settings.environment().of(hostEnvironment);
    }

    /// Offers the seven tools of Hermes that are enabled, and all others that are for scripts.
    ///
    /// @param builtIn the engine's own tools, whether they are enabled or replaced or not
    /// @param tools those that can be called, by name
    void offer(Collection<Tool> builtIn, Map<String, Tool> tools) {
        List<ToolSpec> hermes = HermesTools.all(
                builtIn.stream().flatMap(tool -> tool.forScripts().stream()).toList());
        Map<String, ToolSpec> specs = new LinkedHashMap<>();
        hermes.stream().filter(tool -> settings.allows(tool.name())).forEach(tool -> specs.put(tool.name(), tool));
        List<ToolSpec> there = new ArrayList<>();
        Map<String, Set<String>> closed = new TreeMap<>();
        tools.forEach((name, tool) -> {
            tool.forScripts().ifPresent(spec -> {
                specs.put(name, spec); // a user's tool may replace a built-in one
                there.add(spec);
                closed.put(name, tool.closedToScripts());
            });
        });
        existing = List.copyOf(there);
        callable = Collections.unmodifiableMap(closed);
        stubs = Map.of(
                StubTransport.SOCKET, stubs(specs, hermes, StubTransport.SOCKET),
                StubTransport.FILE, stubs(specs, hermes, StubTransport.FILE));
    }

    private static JobSpec.Stubs stubs(Map<String, ToolSpec> specs, List<ToolSpec> hermes, StubTransport transport) {
        String source = StubModule.source(specs.values(), hermes, transport);
        String sum = Sha256.of(source.getBytes(StandardCharsets.UTF_8));
        return new JobSpec.Stubs(source, sum.substring(0, 16));
    }

    /// Returns the tools that scripts may call, each with the parameters that scripts must not use. Other
    /// built-in tools can still be imported, since many scripts import tools that they never call.
    Map<String, Set<String>> callable() {
        return callable;
    }

    /// Returns the specs of the tools that scripts may call.
    List<ToolSpec> existing() {
        return existing;
    }

    /// Returns a lease that is ready for a script: it has the session's files, and a relay if the transport or
    /// the search for the working folder needs one.
    SandboxLease ready(SandboxLease lease, Patience patience) {
        boolean asksForFolder = settings.script().mode() != ScriptMode.STRICT
                && !lease.sandbox().showsHost()
                && lease.cwd().isEmpty();
        boolean relay = settings.transport() != Transport.FILE || asksForFolder;
        return (relay ? lease.withRelay(patience) : lease).withContent(patience);
    }

    /// Returns whether a script's requests arrive at a socket of this machine.
    boolean usesSocket(SandboxLease lease) {
        return switch (settings.transport()) {
            case FILE, STREAM -> false;
            case AUTO -> lease.sandbox().reachesSockets();
            case UDS -> {
                if (!lease.sandbox().reachesSockets()) {
                    throw new SandboxException(
                            ErrorCode.INVALID_CONFIGURATION,
                            "The transport uds needs a sandbox that reaches sockets of this machine, and "
                                    + lease.sandbox().name() + " does not. Set transport to auto or stream.");
                }
                yield true;
            }
        };
    }

    Job start(
            ScriptRequest request,
            ToolCallServer.RunAccess access,
            SandboxLease lease,
            Patience patience,
            boolean live,
            OutputSink sink) {
        boolean here = lease.sandbox().showsHost();
        if (settings.transport() == Transport.FILE) {
            List<String> python = List.of(here ? python(lease).orElse("python3") : "python3");
            JobSpec.Script spec = script(request, access, lease, StubTransport.FILE, live);
            return new FileLauncher(
                            lease.sandbox(),
                            server,
                            python,
                            FileOptions.of(
                                    settings.rpc().maxLineBytes(),
                                    settings.rpc().compatible()),
                            patience)
                    .start(spec, sink);
        }
        JobSpec.Script spec = script(request, access, lease, StubTransport.SOCKET, live);
        return lease.requireRelay().start(spec, sink);
    }

    void warm(SandboxLease lease) {
        boolean here = lease.sandbox().showsHost();
        lease.withRelay(Patience.endless())
                .requireRelay()
                .warm(views.ahead(lease.sandbox(), lease.workspace()), environment(here), !here);
    }

    private JobSpec.Script script(
            ScriptRequest request,
            ToolCallServer.RunAccess access,
            SandboxLease lease,
            StubTransport transport,
            boolean live) {
        boolean here = lease.sandbox().showsHost();
        Map<String, String> environment = new LinkedHashMap<>(environment(here));
        environment.put("HERMES_RPC_TOKEN", access.token());
        JobSpec.Stubs module = stubs.get(transport);
        if (module == null) {
            throw new IllegalStateException("No tools were offered.");
        }
        JobSpec.Bounds bounds = new JobSpec.Bounds(
                settings.script().memoryBytes(), settings.script().processes());
        return new JobSpec.Script(
                request.code(),
                request.args(),
                python(lease),
                module,
                transport == StubTransport.SOCKET ? access.socket() : Optional.empty(),
                new JobSpec.Surroundings(environment, !here, cwd(lease, here), bounds),
                live);
    }

    /// Returns the variables of a script: on this machine those that the rules allow, elsewhere additions to the
    /// sandbox's.
    private Map<String, String> environment(boolean here) {
        if (here) {
            return childEnvironment;
        }
        Map<String, String> added = new LinkedHashMap<>();
        childEnvironment.forEach((name, value) -> {
            if ((name.startsWith("PYTHON") && !name.equals("PYTHONPATH"))
                    || name.equals("TZ")
                    || settings.environment().passThrough().contains(name)) {
                added.put(name, value);
            }
        });
        return added;
    }

    private Optional<String> python(SandboxLease lease) {
        return views.ofScripts(lease.sandbox(), lease.workspace());
    }

    /// Returns the working folder in project mode; absent means the run's own folder.
    private Optional<String> cwd(SandboxLease lease, boolean here) {
        if (settings.script().mode() == ScriptMode.STRICT) {
            return Optional.empty();
        }
        if (!here) {
            return lease.cwd().or(() -> lease.relay().map(relay -> relay.info().cwd()));
        }
        return lease.cwd()
                .map(Folders::expandHome)
                .filter(folder -> Files.isDirectory(Path.of(folder)))
                .or(() -> Optional.of(Path.of("").toAbsolutePath().toString())
                        .filter(f -> Files.isDirectory(Path.of(f))));
    }
}
