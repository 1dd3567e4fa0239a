import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Prints the way of one warm call through the engine: the files that its thread enters, in their order, and how
/// often it goes from one package to another. `dev/walk` starts it.
///
/// A second JVM makes the call three times; this one notes each method that the calling thread enters the third
/// time.
final class Walk {
    /// What stands on the way and explains itself: words of the API, settings, small helpers that every step
    /// uses.
    private static final List<Pattern> LEFT_OUT = List.of(
            Pattern.compile("dev\\.talaria\\.api\\..*"),
            Pattern.compile("dev\\.talaria\\.engine\\.config\\..*"),
            Pattern.compile("dev\\.talaria\\.engine\\.(?:(?:util|json)\\.)?(?:Json\\w*|RandomBytes|Identity|Sha256)(?:\\$.*)?"));

    private final Set<String> files = new LinkedHashSet<>();
    private final List<String> steps = new ArrayList<>();
    private int switches;
    private String before = "";

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("--call")) {
            call(arguments[1]);
        } else {
            new Walk().follow(arguments[0], arguments[1], arguments.length > 2 && arguments[2].equals("--steps"));
        }
    }

    // ---- the JVM that makes the call

    private static void call(String walk) {
        try (Engine engine = Engine.builder().build()) {
            String running = walk.equals("process") ? background(engine) : "";
            once(engine, walk, running);
            once(engine, walk, running);
            begin();
            once(engine, walk, running);
            end();
        }
    }

    private static void once(Engine engine, String walk, String running) {
        engine.call(switch (walk) {
            case "execute_code" -> ToolCall.of("execute_code", Map.of("code", "print('hi')"));
            case "terminal" -> backgroundCall();
            case "process" -> ToolCall.of("process", Map.of("action", "poll", "session_id", running));
            default -> throw new IllegalArgumentException("There is no walk '" + walk + "'.");
        });
    }

    private static ToolCall backgroundCall() {
        return ToolCall.of("terminal", Map.of("command", "sleep 20", "background", true));
    }

    private static String background(Engine engine) {
        if (engine.call(backgroundCall()) instanceof ToolResult.Backgrounded started) {
            return started.process();
        }
        throw new IllegalStateException("The command did not go to the background.");
    }

    private static void begin() {}

    private static void end() {}

    // ---- the JVM that looks

    private void follow(String classPath, String walk, boolean all) throws Exception {
        VirtualMachine machine = started(classPath, walk);
        entries(machine, "Walk").enable();
        machine.resume();
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof MethodEntryEvent entry) {
                        entered(machine, entry);
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException e) {
            // It has made its calls.
        }
        (all ? steps : files).forEach(System.out::println);
        long packages = files.stream().map(file -> file.substring(0, file.lastIndexOf('/'))).distinct().count();
        System.out.printf("%s: %d files, %d packages, %d switches%n", walk, files.size(), packages, switches);
    }

    private static VirtualMachine started(String classPath, String walk) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> how = connector.defaultArguments();
        how.get("options").setValue("-cp " + classPath + " --enable-native-access=ALL-UNNAMED -Xlog:disable");
        how.get("main").setValue("Walk --call " + walk);
        VirtualMachine machine = connector.launch(how);
        Thread.ofVirtual().start(() -> drain(machine.process().getInputStream()));
        Thread.ofVirtual().start(() -> drain(machine.process().getErrorStream()));
        return machine;
    }

    private static void drain(java.io.InputStream stream) {
        try (stream) {
            stream.transferTo(System.err);
        } catch (java.io.IOException e) {
            // It has ended.
        }
    }

    private static MethodEntryRequest entries(VirtualMachine machine, String classes) {
        MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(classes);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        return request;
    }

    private void entered(VirtualMachine machine, MethodEntryEvent entry) {
        Method method = entry.method();
        if (!method.declaringType().name().equals("Walk")) {
            step(method);
        } else if (method.name().equals("begin")) {
            MethodEntryRequest request = entries(machine, "dev.talaria.*");
            ThreadReference caller = entry.thread();
            request.addThreadFilter(caller);
            request.enable();
        } else if (method.name().equals("end")) {
            machine.eventRequestManager().deleteEventRequests(
                    machine.eventRequestManager().methodEntryRequests());
        }
    }

    private void step(Method method) {
        ReferenceType type = method.declaringType();
        boolean leftOut = LEFT_OUT.stream().anyMatch(one -> one.matcher(type.name()).matches());
        boolean hidden = type.name().contains("/"); // a lambda's or a switch's own class: its body is entered next
        if (leftOut || hidden || value(type) || method.isStaticInitializer()) {
            return;
        }
        String place = type.name().substring(0, type.name().lastIndexOf('.'));
        if (!place.equals(before)) {
            switches += before.isEmpty() ? 0 : 1;
            before = place;
        }
        files.add(place.replace("dev.talaria.", "").replace('.', '/') + "/" + source(type));
        steps.add(type.name().replace("dev.talaria.", "") + "." + method.name());
    }

    /// Records and enums are words of a sentence, not places.
    private static boolean value(ReferenceType type) {
        return type instanceof ClassType found
                && found.superclass() != null
                && Set.of("java.lang.Record", "java.lang.Enum").contains(found.superclass().name());
    }

    private static String source(ReferenceType type) {
        try {
            return type.sourceName();
        } catch (AbsentInformationException e) {
            return type.name().substring(type.name().lastIndexOf('.') + 1);
        }
    }
}
