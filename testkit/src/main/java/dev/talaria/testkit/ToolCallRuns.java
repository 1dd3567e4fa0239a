package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.CallEvent;
import dev.talaria.api.Caller;
import dev.talaria.api.Cancellation;
import dev.talaria.api.ToolCall;
import dev.talaria.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Tests tool calls of scripts: built-in tools and the user's own, from threads, event loops and
/// child processes.
interface ToolCallRuns extends RunSubject {

    @Test
    default void builtInToolsWorkFromAScript() {
        RunResult ran = runs().run("""
                from hermes_tools import read_file, terminal, write_file
                notes = "%s/notes.txt"
                written = write_file(notes, "one\\ntwo ü\\n")
                read = read_file(notes)
                ran = terminal("cat " + notes + "; echo err >&2; exit 3")
                print(written["bytes_written"], read["total_lines"], ran["exit_code"])
                print(read["content"] + ran["output"])
                """.formatted(runs().writable()));

        assertThat(ran.succeeded())
                .startsWith("11 2 3\n")
                .contains("one\ntwo ü\n")
                .contains("err");
        assertThat(ran.number("tool_calls_made")).isEqualTo(3);
    }

    @Test
    default void scriptAndTerminalSeeTheSamePlace() {
        RunResult ran = runs().run("""
                import os, socket
                from hermes_tools import terminal
                there = terminal("cat /proc/sys/kernel/hostname; pwd -P; id -u")["output"].split("\\n")
                print([socket.gethostname(), os.getcwd(), str(os.getuid())] == there[:3], there)
                """);

        assertThat(ran.succeeded()).startsWith("True").contains(runs().folder());
    }

    @Test
    default void aToolOfTheUsersIsCalledLikeABuiltInOne() {
        RunResult ran = runs().run("""
                import inspect
                from hermes_tools import describe
                print(inspect.signature(describe))
                print(describe("box", tags=["a", "b"])["given"]["tags"])
                print(describe(name="box", size=7)["given"]["size"])
                print("Describes a thing." in describe.__doc__)
                try:
                    describe()
                except TypeError as e:
                    print("TypeError")
                print("size" in describe("box", size="large")["error"])
                """);

        assertThat(ran.succeeded().lines().skip(1)).containsExactly("['a', 'b']", "7", "True", "TypeError", "True");
        assertThat(ran.output().lines().findFirst().orElse(""))
                .contains("name")
                .contains("size")
                .contains("= 3")
                .contains("tags");
    }

    @Test
    default void aToolThatThrowsAnswersWithItsMessageAndCounts() {
        RunResult ran = runs().run("from hermes_tools import boom; print(boom('bang'))");

        assertThat(ran.succeeded()).isEqualTo("{'error': 'boom: bang'}\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(1);
    }

    @Test
    default void oneHundredThreadsOverlapAndGetTheirOwnAnswers() {
        RunResult ran = runs().run("""
                from concurrent.futures import ThreadPoolExecutor
                from hermes_tools import meet
                with ThreadPoolExecutor(100) as pool:
                    answers = list(pool.map(lambda i: meet("threads", 100, me=i), range(100)))
                print([a.get("me") for a in answers] == list(range(100)), answers[0])
                """, Map.of("max_tool_calls", 100, "timeout", 200));

        assertThat(ran.succeeded()).startsWith("True");
        assertThat(ran.number("tool_calls_made")).isEqualTo(100);
    }

    @Test
    default void manySmallCallsOfManyThreadsNeverMixUpTheirAnswers() {
        int rounds = has(Behaviour.SOCKET) ? 40 : 5;
        RunResult ran = runs().run("""
                from concurrent.futures import ThreadPoolExecutor
                from hermes_tools import echo
                def many(i):
                    return sum(echo([i, n, "x" * (i * n %% 3000)])["value"][:2] != [i, n] for n in range(%d))
                with ThreadPoolExecutor(20) as pool:
                    print(sum(pool.map(many, range(20))))
                """.formatted(rounds), Map.of("max_tool_calls", 1000, "timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("0\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(20L * rounds);
    }

    @Test
    default void asyncioGathersCallsThatOverlap() {
        RunResult ran = runs().run("""
                import asyncio
                from hermes_tools import aio, echo
                async def main():
                    answers = await asyncio.gather(*[aio.meet("loop", 50, me=i) for i in range(50)])
                    print([a.get("me") for a in answers] == list(range(50)))
                    print((await aio.echo("again"))["value"], echo("plain")["value"])
                asyncio.run(main())
                """, Map.of("max_tool_calls", 100, "timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("True\nagain plain\n");
    }

    @Test
    default void forkedAndSpawnedChildrenCallTools() {
        RunResult ran = runs().run("""
                import multiprocessing, os, subprocess, sys
                from hermes_tools import echo

                def call(i):
                    return echo(i)["value"]

                if __name__ == "__main__":
                    echo("the parent has a connection")
                    print(multiprocessing.get_context("fork").Pool(3).map(call, range(5)))
                    print(multiprocessing.get_context("spawn").Pool(2).map(call, range(3)))
                    print(subprocess.run([sys.executable, "-c", "from hermes_tools import echo; print(echo('sub')['value'])"],
                                         stdout=subprocess.PIPE, text=True).stdout.strip())
                    pid = os.fork()
                    if pid == 0:
                        os._exit(0 if echo("child")["value"] == "child" else 1)
                    print(os.waitpid(pid, 0)[1], echo("parent")["value"])
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("[0, 1, 2, 3, 4]\n[0, 1, 2]\nsub\n0 parent\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(12);
    }

    @Test
    default void theBudgetIsExactWhenTwoHundredThreadsRaceForFiftyCalls() {
        int before = runs().tools().counted();

        RunResult ran = runs().run("""
                import threading
                from hermes_tools import count
                answers, start = [], threading.Barrier(200)
                def race():
                    start.wait()
                    answers.append(count())
                threads = [threading.Thread(target=race) for _ in range(200)]
                [t.start() for t in threads]
                [t.join() for t in threads]
                good = [a for a in answers if "result" in a]
                bad = {a["error"] for a in answers if "result" not in a}
                print(len(answers), len(good), bad)
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded())
                .isEqualTo("200 50 {'Tool call limit reached (50). No more tool calls allowed in this execution.'}\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(50);
        assertThat(runs().tools().counted() - before).isEqualTo(50);
    }

    @Test
    default void aToolThatIsNotAllowedIsRefusedByNameAndDoesNotCount() {
        try (Engine engine =
                runs().another(settings -> settings.withTools(List.of("execute_code", "count", "read_file")))) {
            RunResult ran = Runs.run(engine, """
                    import hermes_tools
                    print(hermes_tools._call("terminal", {"command": "echo ran"})["error"])
                    print(hermes_tools._call("execute_code", {"code": "1"})["error"])
                    print(hasattr(hermes_tools, "terminal"), hasattr(hermes_tools, "count"))
                    print("result" in hermes_tools.count())
                    """, Map.of("max_tool_calls", 1));

            assertThat(ran.succeeded()).isEqualTo("""
                            Tool 'terminal' is not available in execute_code. Available: count, read_file
                            Tool 'execute_code' is not available in execute_code. Available: count, read_file
                            False True
                            True
                            """);
            assertThat(ran.number("tool_calls_made")).isEqualTo(1);
        }
    }

    @Test
    default void aToolThatIsNotHereIsRefusedByNameAndDoesNotCount() {
        RunResult ran = runs().run("""
                from hermes_tools import count, web_search
                print(web_search("anything")["error"])
                print("result" in count())
                """, Map.of("max_tool_calls", 1));

        assertThat(ran.succeeded())
                .startsWith("Tool 'web_search' is not available in execute_code. Available: ")
                .doesNotContain(" execute_code,", "process")
                .endsWith("\nTrue\n");
        assertThat(ran.number("tool_calls_made")).isEqualTo(1);
    }

    @Test
    default void aListThatLeavesNoToolMeansNone() {
        try (Engine engine = runs().another(settings -> settings.withTools(List.of("execute_code")))) {
            RunResult ran = Runs.run(engine, """
                    import hermes_tools
                    print(hermes_tools._call("read_file", {"path": "/etc/passwd"}))
                    print(hermes_tools.json_parse('[1]'), hermes_tools.shell_quote("a b"), hermes_tools.retry(lambda: 5))
                    """, Map.of());

            assertThat(ran.succeeded()).contains("not available").endsWith("[1] 'a b' 5\n");
        }
    }

    @Test
    default void parametersThatAScriptMustNotUseAreTakenFromTerminal() {
        RunResult ran = runs().run("""
                import hermes_tools
                answer = hermes_tools._call("terminal", {"command": "echo in front", "background": True, "pty": True,
                    "notify": True, "notify_on_complete": True, "watch_patterns": ["x"], "heartbeat": 1,
                    "persist_on_release": True})
                print(answer["output"], answer["exit_code"], sorted(answer))
                """);

        assertThat(ran.succeeded()).startsWith("in front 0").doesNotContain("session_id");
    }

    @Test
    default void callsWithoutAnAnswerAreCancelledAndNamed() {
        RunResult ran = runs().run("""
                import threading
                from hermes_tools import hang, hung
                for i in range(2):
                    threading.Thread(target=hang, args=("pending-%d" % i,), daemon=True).start()
                hung("pending-0"), hung("pending-1")
                print("leaving")
                """);

        assertThat(ran.succeeded()).isEqualTo("leaving\n");
        assertThat(ran.list("pending_calls"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsExactly("hang", "hang");
        assertThat(runs().tools().cancelled()).contains("pending-0", "pending-1");
    }

    @Test
    default void aToolThatDoesNotCareIsNotWaitedForForEver() {
        RunResult ran = runs().run("""
                import threading
                from hermes_tools import deaf, hung
                threading.Thread(target=deaf, args=("deaf",), daemon=True).start()
                hung("deaf")
                """);

        runs().tools().hears("deaf");
        ran.succeeded();
        assertThat(ran.note()).contains("Still not ended: deaf.");
    }

    @Test
    default void aNestedCommandEndsWithItsScript() throws Exception {
        String file = runs().writable() + "/nested.pid";
        String name = "nested-" + runs().target();
        Cancellation cancellation = new Cancellation();

        CompletableFuture<RunResult> running = CompletableFuture.supplyAsync(
                () -> runs().run("""
                import os, threading, time
                from hermes_tools import hang, terminal
                def nested():
                    terminal("echo $$ > %1$s.new; mv %1$s.new %1$s; exec sleep 600", timeout=300)
                threading.Thread(target=nested, daemon=True).start()
                while not os.path.exists("%1$s"):
                    time.sleep(0.02)
                hang(%2$s)
                """.formatted(file, Python.text(name)), Map.of("timeout", 200), cancellation));
        assertThat(runs().tools().hangs(name).await(100, TimeUnit.SECONDS)).isTrue();
        cancellation.cancel("enough");
        assertThat(running.get(100, TimeUnit.SECONDS).status()).isEqualTo("interrupted");

        List<Long> pid = runs().run("print(open(%s).read())".formatted(Python.text(file)))
                .numbers();
        assertThat(runs().living(pid)).isEmpty();
    }

    @Test
    default void largeArgumentsAndAnswersArriveWhole() {
        RunResult ran = runs().run("""
                from hermes_tools import echo
                text = "".join("%07d\\n" % i for i in range(400_000))
                print(echo(text)["value"] == text, len(text))
                """, Map.of("timeout", 200));

        assertThat(ran.succeeded()).isEqualTo("True 3200000\n");
    }

    @Test
    default void oddValuesBreakNothing() {
        RunResult ran = runs().run("""
                from hermes_tools import echo
                for value in [None, True, 0, -1, 10 ** 30, 1.5, "", "\\u2028\\u00e4", "\\U0001f40d", [], {}, {"id": 7, "result": 8}]:
                    assert echo(value).get("value") == value or value is None, (value, echo(value))
                print(type(echo("\\ud800")).__name__)
                try:
                    echo(object())
                except TypeError as e:
                    print("TypeError")
                print(echo("still here")["value"])
                """);

        assertThat(ran.succeeded()).isEqualTo("dict\nTypeError\nstill here\n");
    }

    @Test
    default void silentCallsAreDigested() {
        RunResult ran = runs().run("""
                from hermes_tools import boom, echo
                echo("x" * 1000)
                boom("bang")
                """);

        assertThat(ran.succeeded()).isEmpty();
        assertThat(ran.note()).contains("no output");
        assertThat(ran.list("calls")).hasSize(2);
        assertThat(String.valueOf(ran.list("calls").get(0)))
                .startsWith("echo(value=x")
                .contains("ok");
        assertThat(String.valueOf(ran.list("calls").get(1)))
                .startsWith("boom(why=bang")
                .contains("failed");
    }

    @Test
    default void eventsOfNestedCallsNameTheirScriptAndSession() {
        List<CallEvent> events = new CopyOnWriteArrayList<>();
        Caller caller = Runs.freshSession();
        ToolCall call = Runs.call(caller, "from hermes_tools import echo; echo(1); echo(2)", Map.of());
        try (var _ = runs().engine().listen(events::add)) {
            new RunResult(runs().engine().call(call)).succeeded();
        }

        List<ToolCall> nested = events.stream()
                .filter(CallEvent.Started.class::isInstance)
                .map(CallEvent::call)
                .filter(started -> started.tool().equals("echo"))
                .toList();
        assertThat(nested).hasSize(2).allSatisfy(started -> {
            assertThat(started.parent()).contains(call.id());
            assertThat(started.caller()).isEqualTo(caller);
        });
        assertThat(events.stream().filter(CallEvent.Ended.class::isInstance)).hasSize(3);
    }
}
