package dev.talaria.engine.acquire;

import dev.talaria.engine.start.Patience;

/// What goes into a sandbox before its first command, and comes back when it is closed.
public interface Luggage {
    /// There is none.
    Luggage NONE = new Luggage() {
        @Override
        public boolean unpack(Workplace workplace, Patience patience) {
            return false;
        }

        @Override
        public void pack(Workplace workplace) {}
    };

    /// Brings it in, before the first command. Called once, and again if it failed.
    ///
    /// @return whether there was any
    boolean unpack(Workplace workplace, Patience patience);

    /// Takes back what there is to take, after the last command; called only if something was brought in.
    void pack(Workplace workplace);
}
