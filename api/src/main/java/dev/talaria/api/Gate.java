package dev.talaria.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Says whether a call may happen. Asked for every call, whatever door, tool or script it comes through.
@FunctionalInterface
public interface Gate {
    /// Decides about one call.
    ///
    /// @param effect what the call does to the world, as its tool says
    Decision decide(ToolContext context, Effect effect);

    /// What the gate said, and the word for it in the audit log.
    sealed interface Decision {
        String word();

        /// The call goes on.
        ///
        /// @param note what the caller is told about it, if anything
        record Allowed(String word, Optional<String> note) implements Decision {
            public Allowed(String word) {
                this(word, Optional.empty());
            }
        }

        /// The call ends here.
        ///
        /// @param reason what a person is told
        /// @param value what the caller reads instead of a result
        record Refused(String word, String reason, Map<String, Object> value) implements Decision {
            public Refused {
                value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            }

            public Refused(String word, String reason) {
                this(word, reason, Map.of("error", reason));
            }
        }

        /// The call ends here, and may be made again when somebody has said yes.
        ///
        /// @param approval names the question
        /// @param value what the caller reads instead of a result
        record Awaiting(String word, String approval, Map<String, Object> value) implements Decision {
            public Awaiting {
                value = Collections.unmodifiableMap(new LinkedHashMap<>(value));
            }
        }
    }

    /// Returns a gate that lets everything through that was admitted.
    static Gate open() {
        Decision allowed = new Decision.Allowed("allowed");
        return (_, _) -> allowed;
    }
}
