package dev.talaria.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Decides whether a call may happen. The engine asks the gate for every call, whatever door, tool or
/// script the call comes from.
///
/// ```java
/// Gate scriptsOnly = (context, effect) -> effect instanceof Effect.Command
///         ? new Gate.Decision.Refused("refused", "Use a script.")
///         : new Gate.Decision.Allowed("allowed");
/// Engine engine = Engine.builder().gate(scriptsOnly).build();
/// ```
@FunctionalInterface
public interface Gate {
    /// Decides about one call.
    ///
    /// @param context the call, with its arguments and its deadline
    /// @param effect what the call does to the world, as its tool declares
    Decision decide(ToolContext context, Effect effect);

    /// The gate's decision, with its word in the audit log.
    sealed interface Decision {
        /// Returns the word for this decision in the audit log.
        String word();

        /// The call goes on.
        ///
        /// @param word the word for this decision in the audit log
        /// @param note a note for the caller, if there is one
        record Allowed(String word, Optional<String> note) implements Decision {
            /// Lets the call go on, and tells the caller nothing about it.
            public Allowed(String word) {
                this(word, Optional.empty());
            }
        }

        /// The call ends here.
        ///
        /// @param word the word for this decision in the audit log
        /// @param reason the reason, for a person
        /// @param value the value of the call's result
        record Refused(String word, String reason, Map<String, Object> value) implements Decision {
            public Refused {
                value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            }

            /// Ends the call. Its caller reads the reason as an error.
            public Refused(String word, String reason) {
                this(word, reason, Map.of("error", reason));
            }
        }

        /// The call ends here. It may be made again when somebody has said yes.
        ///
        /// @param word the word for this decision in the audit log
        /// @param approval the id of the question
        /// @param value the value of the call's result
        record Awaiting(String word, String approval, Map<String, Object> value) implements Decision {
            public Awaiting {
                value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            }
        }
    }

    /// Returns a gate that allows every admitted call.
    static Gate open() {
        Decision allowed = new Decision.Allowed("allowed");
        return (_, _) -> allowed;
    }
}
