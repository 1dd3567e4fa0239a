package dev.talaria.engine.toolcalls.stub;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Finds Python identifiers for names that come from elsewhere.
///
/// A free name stays as it is. Names that Python or the stub module needs itself are changed, most by
/// an underscore at the end, as Python programmers do. No identifier starts with an underscore: those
/// belong to the module.
final class PythonNames {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");
    private static final Pattern NOT_IN_IDENTIFIER = Pattern.compile("[^A-Za-z0-9]+");

    private static final Set<String> KEYWORDS = words("""
            False None True and as assert async await break class continue def del elif else except finally for from
            global if import in is lambda nonlocal not or pass raise return try while with yield
            """);

    /// Builtins. A function with such a name would hide the builtin from the rest of the module.
    private static final Set<String> BUILTINS = words("""
            ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
            BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError
            ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning
            EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError
            FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
            IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
            NotADirectoryError NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning
            PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning
            RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
            SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError
            UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError
            abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
            copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr
            globals hasattr hash help hex id input int isinstance issubclass iter len license list locals map max
            memoryview min next object oct open ord pow print property quit range repr reversed round set setattr
            slice sorted staticmethod str sum super tuple type vars zip
            """);

    /// The helpers of the module besides tools.
    static final Set<String> HELPERS = words("json_parse shell_quote retry");

    private static final Set<String> MODULE = words("aio hermes_tools");

    private PythonNames() {}

    /// Returns an identifier for each tool name, in the same order.
    static SequencedMap<String, String> functions(Collection<String> tools) {
        return distinct(
                tools,
                name -> name.startsWith("_") ? "tool" + name : name,
                name -> KEYWORDS.contains(name)
                        || BUILTINS.contains(name)
                        || HELPERS.contains(name)
                        || MODULE.contains(name));
    }

    /// Returns an identifier for each parameter name, in the same order.
    static SequencedMap<String, String> parameters(Collection<String> parameters) {
        return distinct(parameters, PythonNames::identifier, KEYWORDS::contains);
    }

    private static String identifier(String name) {
        if (IDENTIFIER.matcher(name).matches()) {
            return name;
        }
        var joined = NOT_IN_IDENTIFIER.matcher(name).replaceAll("_").replaceAll("^_+", "");
        return joined.isEmpty() || Character.isDigit(joined.charAt(0)) ? "arg_" + joined : joined;
    }

    /// Returns distinct names. Names that need no change come first, so that a changed name never
    /// takes theirs.
    private static SequencedMap<String, String> distinct(
            Collection<String> names, UnaryOperator<String> spelling, Predicate<String> reserved) {
        var order = new LinkedHashSet<>(names);
        var result = new LinkedHashMap<String, String>();
        order.forEach(name -> result.put(name, ""));
        var taken = new LinkedHashSet<String>();
        for (var name : order) {
            if (spelling.apply(name).equals(name) && !reserved.test(name)) {
                taken.add(name);
                result.put(name, name);
            }
        }
        for (var entry : result.entrySet()) {
            if (entry.getValue().isEmpty()) {
                var candidate = spelling.apply(entry.getKey());
                while (reserved.test(candidate) || !taken.add(candidate)) {
                    candidate += "_";
                }
                entry.setValue(candidate);
            }
        }
        return result;
    }

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
