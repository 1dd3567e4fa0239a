package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

/// What the groups of the run contract need of the class that inherits them.
public interface RunSubject {

    Runs runs();

    default boolean has(Behaviour behaviour) {
        return runs().place().has(behaviour);
    }

    /// Returns whether commands leave anything to the next; where they do not, asserts that a result says so.
    default boolean remembers() {
        if (!has(Behaviour.PYTHON)) {
            Terminal terminal = Terminal.fresh(runs());
            assertThat(terminal.run("cd /; export LEFT=yes").text("fallback"))
                    .contains("no Python")
                    .contains("do not persist between commands");
            assertThat(terminal.output("echo ${LEFT-nothing}; pwd")).isEqualTo("nothing\n" + runs().folder() + "\n");
        }
        return has(Behaviour.PYTHON);
    }
}
