package dev.talaria.engine.toolcalls.stub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.engine.toolcalls.stub.RpcServer.Request;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Signals that strike while calls are in flight.
class InterruptedStubTest extends SocketPython {
    @Test
    void interruptedThreadDoesNotDisturbTheOthers() throws Exception {
        // "held" calls are answered when "release" comes; "strike" answers at once, then the script interrupts itself.
        var held = new ArrayList<Request>();
        Consumer<Request> handler = request -> {
            synchronized (held) {
                if ("held".equals(request.argument("command"))) {
                    held.add(request);
                } else {
                    if ("release".equals(request.argument("command"))) {
                        held.forEach(RpcServer::echo);
                        held.clear();
                    }
                    RpcServer.echo(request);
                }
            }
        };

        var printed = run(handler, """
                import os, signal, threading
                from hermes_tools import terminal
                signal.signal(signal.SIGINT, signal.default_int_handler)
                interrupts = wrong = 0
                def busy(me, turn):
                    global wrong
                    for i in range(10):
                        if terminal("busy", timeout=me * 1000 + i)["timeout"] != me * 1000 + i: wrong += 1
                    if terminal("held", timeout=me)["timeout"] != me: wrong += 1
                def strike():
                    terminal("strike")
                    os.kill(os.getpid(), signal.SIGINT)
                for turn in range(100):
                    threads = [threading.Thread(target=busy, args=(me, turn)) for me in range(4)]
                    for t in threads: t.start()
                    striker = threading.Thread(target=strike)
                    try:
                        try:
                            striker.start()
                            while True:
                                terminal("busy")
                        finally:
                            striker.join()
                    except KeyboardInterrupt:
                        interrupts += 1
                    while any(t.is_alive() for t in threads):
                        terminal("release")
                    if terminal("busy", workdir=str(turn))["workdir"] != str(turn): wrong += 1
                print(interrupts, wrong)
                """);

        assertThat(printed).isEqualTo("100 0");
    }

    @Test
    void interruptsAtAnyMomentLoseNoAnswerOfOthers() throws Exception {
        var printed = run(RpcServer::echo, """
                import random, signal, threading
                from hermes_tools import read_file
                class Strike(BaseException): pass
                armed = False
                def strike(*_):
                    if armed: raise Strike
                signal.signal(signal.SIGALRM, strike)
                wrong, stop = [], False
                def work(me):
                    n = 0
                    while not stop:
                        n += 1
                        if read_file(str(n), limit=me) != {"path": str(n), "offset": 1, "limit": me}: wrong.append(n)
                threads = [threading.Thread(target=work, args=(me,)) for me in range(4)]
                for t in threads: t.start()
                for turn in range(3000):
                    try:
                        try:
                            armed = True
                            signal.setitimer(signal.ITIMER_REAL, random.uniform(0.000005, 0.0006), 0.05)
                            while True:
                                if read_file("main")["path"] != "main": wrong.append("main")
                        finally:
                            armed = False
                    except Strike:
                        pass
                signal.setitimer(signal.ITIMER_REAL, 0)
                stop = True
                for t in threads: t.join()
                print(wrong)
                """);

        assertThat(printed).isEqualTo("[]");
    }

    @Test
    void signalHandlerMayCallToolsDuringACall() throws Exception {
        // "strike" is answered once "held" waits, and "held" after the signal handler's call.
        var held = new ArrayList<Request>();
        var strikes = new ArrayList<Request>();
        Consumer<Request> handler = request -> {
            synchronized (held) {
                switch (String.valueOf(request.argument("command"))) {
                    case "held" -> held.add(request);
                    case "strike" -> strikes.add(request);
                    default -> {
                        RpcServer.echo(request);
                        held.forEach(RpcServer::echo);
                    }
                }
                if (!held.isEmpty()) {
                    strikes.forEach(RpcServer::echo);
                    strikes.clear();
                }
            }
        };

        var printed = run(handler, """
                import os, signal, threading
                from hermes_tools import terminal
                signal.signal(signal.SIGUSR1, lambda *_: print(terminal("inner")["command"]))
                def strike():
                    terminal("strike")
                    os.kill(os.getpid(), signal.SIGUSR1)
                threading.Thread(target=strike).start()
                print(terminal("held")["command"])
                """);

        assertThat(printed).isEqualTo("inner\nheld");
    }
}
