package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// What the generated module says, read by a real Python.
class StubModuleTest {
    /// Replaces the transport: a call returns what would be sent.
    private static final String OFFLINE = """
            import ast, inspect, json
            import hermes_tools
            ast.parse(open(hermes_tools.__file__).read(), feature_version=(3, 8))
            hermes_tools._call = lambda tool, args: {"tool": tool, "args": args}
            """;

    private static final String HOSTILE =
            "\"\"\"\nimport os\nos.system('touch pwned')\n'''\\\" \\\\ \\N{DASH} {0} %s \r\n\t"
                    + "\u0000\u001b[31m\u2028\ud800 ä \ud83d\ude00 # \\";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(StubTransport.class)
    void builtInToolsHaveTheSignaturesThatScriptsKnow(StubTransport transport) throws Exception {
        var printed = new PythonProgram(folder, SevenTools.ALL, transport).run(OFFLINE + """
                for name in hermes_tools._TOOLS:
                    print(name + str(inspect.signature(getattr(hermes_tools, name))))
                """);

        assertThat(printed).isEqualTo("""
                        web_search(query: str, limit: int = 5)
                        web_extract(urls: list, char_limit: int = None)
                        read_file(path: str, offset: int = 1, limit: int = 2000)
                        write_file(path: str, content: str, cross_profile: bool = False)
                        search_files(pattern: str, target: str = 'content', path: str = '.', file_glob: str = None, \
                        limit: int = 50, offset: int = 0, output_mode: str = 'content', context: int = 0, \
                        order: str = 'discovery')
                        patch(path: str = None, old_string: str = None, new_string: str = None, \
                        replace_all: bool = False, mode: str = 'replace', patch: str = None, cross_profile: bool = False)
                        terminal(command: str, timeout: int = None, workdir: str = None)""");
    }

    @Test
    void builtInToolsSendEveryArgument() throws Exception {
        var printed = run(SevenTools.ALL, """
                print(json.dumps(hermes_tools.patch(mode="patch", patch="*** Begin Patch")))
                print(json.dumps(hermes_tools.search_files("x")))
                """);

        assertThat(printed.lines()).containsExactly("""
                        {"tool": "patch", "args": {"path": null, "old_string": null, "new_string": null, \
                        "replace_all": false, "mode": "patch", "patch": "*** Begin Patch", "cross_profile": false}}""", """
                        {"tool": "search_files", "args": {"pattern": "x", "target": "content", "path": ".", \
                        "file_glob": null, "limit": 50, "offset": 0, "output_mode": "content", "context": 0, \
                        "order": "discovery"}}""");
    }

    @Test
    void aToolNamedLikeABuiltInOneHasItsOwnSignature() throws Exception {
        var terminal = tool("terminal", "Docks", """
                {"ship": {"type": "string"}, "gate": {"type": "integer"}}""", "ship");

        var printed = run(List.of(terminal), "print(inspect.signature(hermes_tools.terminal))");

        assertThat(printed).isEqualTo("(ship: str, gate: int = None)");
    }

    @Test
    void nothingButTheGivenToolsIsThere() throws Exception {
        var some = SevenTools.ALL.stream()
                .filter(tool -> tool.name().equals("terminal") || tool.name().equals("read_file"))
                .toList();

        var printed = run(some, """
                print(hermes_tools.__all__)
                try:
                    from hermes_tools import web_search
                except ImportError as e:
                    print(str(e).split(" (")[0])
                try:
                    hermes_tools.patch
                except AttributeError as e:
                    print(e)
                """);

        assertThat(printed.lines())
                .containsExactly(
                        "['aio', 'json_parse', 'retry', 'shell_quote', 'read_file', 'terminal']",
                        "cannot import name 'web_search' from 'hermes_tools'",
                        "module 'hermes_tools' has no attribute 'patch'");
    }

    @ParameterizedTest
    @EnumSource(StubTransport.class)
    void withoutToolsTheHelpersRemain(StubTransport transport) throws Exception {
        var printed = new PythonProgram(folder, List.of(), transport).run(OFFLINE + """
                from hermes_tools import *
                print(hermes_tools.__all__, json_parse("[1]"), shell_quote("a b"), retry(lambda: 3), dir(aio))
                """);

        assertThat(printed).isEqualTo("['aio', 'json_parse', 'retry', 'shell_quote'] [1] 'a b' 3 []");
    }

    @Test
    void userToolsGetTheirSignatureFromTheirSchema() throws Exception {
        var tool = tool("book_room", "Books a meeting room.\n\nNeeds a calendar.", """
                {"note": {"type": "string", "description": "Shown on\\nthe door"},
                 "people": {"type": "integer", "minimum": 1},
                 "hours": {"type": "number", "default": 1.5},
                 "projector": {"type": "boolean", "default": false},
                 "tags": {"type": "array", "default": ["a", {"b": null}]},
                 "options": {"type": "object", "properties": {"deep": {"type": "object"}}, "default": {"k": [1, 2]}},
                 "size": {"enum": ["S", "L"], "default": "S"},
                 "when": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null},
                 "mixed": {"type": ["string", "integer"]},
                 "maybe": {"type": ["integer", "null"]},
                 "room": {"type": "string"}}""", "people", "room", "undeclared");

        var printed = run(List.of(tool), """
                from hermes_tools import book_room
                print(inspect.signature(book_room))
                print(book_room(3, "A", 0)["args"])
                print(book_room(3, "A", 0, "hi", maybe=0, when="now")["args"])
                print(inspect.getdoc(book_room))
                """);

        assertThat(printed).isEqualTo("""
                        (people: int, room: str, undeclared, note: str = None, hours: float = 1.5, \
                        projector: bool = False, tags: list = ['a', {'b': None}], options: dict = {'k': [1, 2]}, \
                        size: str = 'S', when: str = None, mixed=None, maybe: int = None)
                        {'people': 3, 'room': 'A', 'undeclared': 0, 'hours': 1.5, 'projector': False, \
                        'tags': ['a', {'b': None}], 'options': {'k': [1, 2]}, 'size': 'S', 'when': None}
                        {'people': 3, 'room': 'A', 'undeclared': 0, 'hours': 1.5, 'projector': False, \
                        'tags': ['a', {'b': None}], 'options': {'k': [1, 2]}, 'size': 'S', 'when': 'now', \
                        'note': 'hi', 'maybe': 0}
                        Books a meeting room.

                        Needs a calendar.

                        Arguments:
                            note: Shown on the door
                            size: one of "S", "L\"""");
    }

    @Test
    void parametersThatPythonCannotNameAreSentUnderTheirOwnNames() throws Exception {
        var tool = tool("odd", "Odd names", """
                {"from": {"type": "string"}, "from_": {"type": "string"}, "max-results": {"type": "integer"},
                 "1st": {}, "": {}, "_call": {}, "__debug__": {}, "名": {}, "args": {}, "self": {}, "print": {},
                 "None": {}, "a b": {}, "a.b": {}, "x=1):\\n  import os #": {}}""");

        var printed = run(List.of(tool), """
                from hermes_tools import odd
                names = list(inspect.signature(odd).parameters)
                print(names)
                sent = odd(*range(len(names)))["args"]
                print(ascii(sent))
                """);

        assertThat(printed.lines()).containsExactly("""
                        ['from__', 'from_', 'max_results', 'arg_1st', 'arg_', 'call', 'debug_', 'arg__', 'args', 'self', \
                        'print', 'None_', 'a_b', 'a_b_', 'x_1_import_os_']""", """
                        {'from': 0, 'from_': 1, 'max-results': 2, '1st': 3, '': 4, '_call': 5, '__debug__': 6, \
                        '\\u540d': 7, 'args': 8, 'self': 9, 'print': 10, 'None': 11, 'a b': 12, 'a.b': 13, \
                        'x=1):\\n  import os #': 14}""");
    }

    @Test
    void toolsNamedLikePythonItselfGetAnotherFunctionName() throws Exception {
        var names = List.of(
                "open",
                "open_",
                "import",
                "print",
                "retry",
                "_call",
                "__getattr__",
                "__path__",
                "__all__",
                "aio",
                "time",
                "json",
                "str",
                "dict",
                "hermes_tools",
                "globals",
                "RuntimeError");
        var tools = names.stream().map(name -> tool(name, "Says " + name, "{}")).toList();

        var printed = run(tools, """
                print(sorted(hermes_tools._TOOLS.values(), key=str) != [], [f.__name__ for f in hermes_tools._TOOLS.values()])
                from hermes_tools import open as by_own_name, open__, time, retry, dict as d
                print(by_own_name is open__, by_own_name()["tool"], hermes_tools.open_()["tool"], time()["tool"], d()["tool"])
                print(getattr(hermes_tools, "import")()["tool"], retry(lambda: "helper"), hermes_tools.tool_call()["tool"])
                """);

        assertThat(printed.lines()).containsExactly("""
                        True ['open__', 'open_', 'import_', 'print_', 'retry_', 'tool_call', 'tool__getattr__', \
                        'tool__path__', 'tool__all__', 'aio_', 'time', 'json', 'str_', 'dict_', 'hermes_tools_', \
                        'globals_', 'RuntimeError_']""", "True open open_ time dict", "import helper _call");
    }

    @Test
    void textsOfToolsStayTexts() throws Exception {
        var properties = new LinkedHashMap<String, Object>();
        properties.put(HOSTILE, Map.of("type", "string", "description", HOSTILE, "default", HOSTILE));
        properties.put("choice", Map.of("enum", List.of(HOSTILE, 1), "description", "\"\"\"", "type", HOSTILE));
        properties.put("nested", Map.of("default", Map.of(HOSTILE, List.of(HOSTILE))));
        var tools = List.of(
                new ToolSpec("hostile", HOSTILE, schema(properties)),
                tool("ends_with_quote", "say \"", "{}"),
                tool("ends_with_backslash", "say \\", "{}"),
                tool("only_quotes", "\"\"\"\"\"\"\"", "{}"),
                tool("two_quotes", "\"\"", "{}"),
                tool("empty", "", "{}"),
                tool("long", "\"\"\"\\".repeat(250), "{}"));

        var source = StubModule.source(tools, SevenTools.ALL, StubTransport.SOCKET);
        var printed = run(tools, """
                import os
                got = hermes_tools.hostile()["args"]
                text = list(got)[0]
                print(got[text] == text, got["nested"] == {text: [text]}, "choice" in got, len(text))
                print(ascii(hermes_tools.ends_with_quote.__doc__), ascii(hermes_tools.ends_with_backslash.__doc__))
                print(hermes_tools.only_quotes.__doc__, hermes_tools.two_quotes.__doc__, ascii(hermes_tools.empty.__doc__))
                print(hermes_tools.long.__doc__ == '\\"\\"\\"\\\\' * 250, 'touch pwned' in hermes_tools.hostile.__doc__)
                print(os.path.exists("pwned"))
                """);

        assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(source)).isTrue();
        assertThat(printed.lines())
                .containsExactly(
                        "True True False " + HOSTILE.codePointCount(0, HOSTILE.length()),
                        "'say \"' 'say \\\\'",
                        "\"\"\"\"\"\"\" \"\" ''",
                        "True True",
                        "False");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-7",
                "123456789012345678901234567890",
                "1.0",
                "-0.5e-7",
                "1e30",
                "true",
                "null",
                "\"\"",
                "[]",
                "{}",
                "[[[[1]]]]",
                "{\"a\": {\"b\": [null, false]}}"
            })
    void defaultsOfEveryKindSurvive(String value) throws Exception {
        var tool = tool("t", "", "{\"x\": {\"default\": " + value + "}}");

        var printed = run(List.of(tool), "print(hermes_tools.t()['args']['x'] == json.loads(r'''" + value + "'''))");

        assertThat(printed).isEqualTo("True");
    }

    @Test
    void defaultsThatPythonCannotWriteAreLeftToTheTool() throws Exception {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("deep", Map.of("default", nested(500)));
        properties.put("infinite", Map.of("default", Double.POSITIVE_INFINITY));
        properties.put("nan", Map.of("default", Double.NaN));
        properties.put("foreign", Map.of("default", Thread.currentThread().getThreadGroup()));
        properties.put(
                "huge", Map.of("default", java.math.BigInteger.TEN.pow(5000).negate()));

        var printed = run(List.of(new ToolSpec("t", "", schema(properties))), """
                import sys
                print([p.default if p.name != "huge" else "huge" for p in inspect.signature(hermes_tools.t).parameters.values()])
                print(list(hermes_tools.t()["args"]), hermes_tools.t()["args"]["huge"] == -(10 ** 5000))
                """);

        assertThat(printed.lines()).containsExactly("[None, None, None, None, 'huge']", "['huge'] True");
    }

    @Test
    void openSchemasTakeFurtherArguments() throws Exception {
        var schema = new LinkedHashMap<String, Object>(schema(Map.of("others", Map.of("type", "string"))));
        schema.put("additionalProperties", true);

        var printed = run(List.of(new ToolSpec("t", "", schema)), """
                print(inspect.signature(hermes_tools.t), hermes_tools.t("a", b=1, **{"c-d": 2})["args"])
                """);

        assertThat(printed).isEqualTo("(others: str = None, **others_) {'others': 'a', 'b': 1, 'c-d': 2}");
    }

    @Test
    void reservedNamesCoverPythonsOwn() throws Exception {
        var printed = new PythonProgram(folder, List.of(), StubTransport.SOCKET).run("""
                import builtins, keyword
                print(" ".join(n for n in keyword.kwlist + dir(builtins) if not n.startswith("_")))
                """);

        var names = List.of(printed.split(" "));
        assertThat(PythonNames.functions(names))
                .allSatisfy((name, function) -> assertThat(function).isEqualTo(name + "_"));
    }

    private String run(Collection<ToolSpec> tools, String script) throws Exception {
        return new PythonProgram(folder, tools, StubTransport.SOCKET).run(OFFLINE + script);
    }

    @SuppressWarnings("unchecked")
    private static ToolSpec tool(String name, String description, String properties, String... required) {
        var schema = new LinkedHashMap<String, Object>(
                schema(JsonMapper.shared().readValue(properties, LinkedHashMap.class)));
        schema.put("required", List.of(required));
        return new ToolSpec(name, description, schema);
    }

    private static Map<String, Object> schema(Map<String, Object> properties) {
        return Map.of("type", "object", "properties", properties);
    }

    private static Object nested(int depth) {
        Object value = List.of();
        for (int i = 0; i < depth; i++) {
            value = List.of(value);
        }
        return value;
    }
}
