package dev.talaria.engine.job;

/// Answers a sudo that asks for its password, for one command.
@FunctionalInterface
public interface Askpass {

    /// Returns what to tell sudo; may take as long as a person does. The thread is interrupted when the command has
    /// ended.
    Reply ask(Question question) throws InterruptedException;

    /// Asks for a password.
    ///
    /// @param sudo process id of the sudo that asks; one that asks again has found the last answer wrong
    /// @param ending whether it is there to end what the command left running
    record Question(long sudo, boolean ending) {}

    /// What sudo is told.
    sealed interface Reply {
        /// A password, for this question alone.
        record Given(String password) implements Reply {
            @Override
            public String toString() {
                return "Given[password=hidden]";
            }
        }

        /// Nothing, and a sentence that says why.
        record Refused(String why) implements Reply {}
    }
}
