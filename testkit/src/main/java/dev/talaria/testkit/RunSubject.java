package dev.talaria.testkit;

/// What the groups of the run contract need of the class that inherits them.
public interface RunSubject {

    Runs runs();

    default boolean has(Behaviour behaviour) {
        return runs().place().has(behaviour);
    }
}
