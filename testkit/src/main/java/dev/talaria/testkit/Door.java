package dev.talaria.testkit;

import java.util.Map;
import java.util.Optional;

/// A way in, as its users have it.
public interface Door {

    /// How a call ended, in the door's own way of telling.
    enum Kind {
        COMPLETED,
        FAILED,
        DENIED,
        TIMED_OUT,
        CANCELLED
    }

    /// What came of a call.
    ///
    /// @param value the JSON object that a model reads; `error` says why, where there is no other outcome
    record Answer(Kind kind, Map<String, Object> value) {
        public String text(String key) {
            return String.valueOf(value.get(key));
        }
    }

    /// A call under way.
    interface Started {

        /// Takes the call back as a user of this door does.
        void cancel() throws Exception;

        /// Returns the answer; nothing where a call that was taken back gets none.
        Optional<Answer> await() throws Exception;
    }

    Started start(String tool, Map<String, Object> arguments) throws Exception;

    /// Makes a call and returns what came of it.
    default Answer call(String tool, Map<String, Object> arguments) throws Exception {
        return start(tool, arguments).await().orElseThrow();
    }

    /// Goes away as a user of this door does.
    void close() throws Exception;
}
