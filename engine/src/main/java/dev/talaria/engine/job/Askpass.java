package dev.talaria.engine.job;

/// Answers sudo's questions for a password, for one command.
@FunctionalInterface
public interface Askpass {

    /// Returns the answer for sudo. It may take as long as a person does. The thread is interrupted
    /// when the command has ended.
    Reply ask(Question question) throws InterruptedException;

    /// A question for a password.
    ///
    /// @param sudo the process id of the asking sudo; if the same sudo asks again, the last answer
    ///     was wrong
    /// @param ending whether this sudo kills processes that the command has left
    record Question(long sudo, boolean ending) {}

    /// The answer for sudo.
    sealed interface Reply {
        /// A password, for this question only.
        record Password(String password) implements Reply {
            @Override
            public String toString() {
                return "Password[password=hidden]";
            }
        }

        /// No password, with a sentence that says why.
        record Refused(String why) implements Reply {}
    }
}
