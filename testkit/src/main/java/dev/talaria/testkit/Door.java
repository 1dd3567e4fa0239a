package dev.talaria.testkit;

import java.util.Map;
import java.util.Optional;

/// A door, as its users see it.
public interface Door {

    /// The end of a call, as the door reports it.
    enum Kind {
        COMPLETED,
        FAILED,
        DENIED,
        TIMED_OUT,
        CANCELLED
    }

    /// The result of a call.
    ///
    /// @param value the JSON object for a model; `error` says why, if there is no other outcome
    record Answer(Kind kind, Map<String, Object> value) {
        public String text(String key) {
            return String.valueOf(value.get(key));
        }
    }

    /// A running call.
    interface Started {

        /// Cancels the call as a user of this door does.
        void cancel() throws Exception;

        /// Returns the answer; nothing if a cancelled call gets none.
        Optional<Answer> await() throws Exception;
    }

    Started start(String tool, Map<String, Object> arguments) throws Exception;

    /// Makes a call and returns its answer.
    default Answer call(String tool, Map<String, Object> arguments) throws Exception {
        return start(tool, arguments).await().orElseThrow();
    }

    /// Leaves as a user of this door does.
    void close() throws Exception;
}
