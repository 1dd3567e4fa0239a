package dev.talaria.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The finding of one check.
///
/// @param topic the subject of the check
/// @param text the result
/// @param next the next step
public record Finding(Level level, String topic, String text, Optional<String> next) {

    /// The level of a finding.
    public enum Level {
        OK,
        /// It works, with a remark.
        WARN,
        FAIL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String topic, String text) {
        return new Finding(Level.OK, topic, text, Optional.empty());
    }

    static Finding ok(String topic, String text, String next) {
        return new Finding(Level.OK, topic, text, Optional.of(next));
    }

    static Finding warn(String topic, String text, String next) {
        return new Finding(Level.WARN, topic, text, Optional.of(next));
    }

    static Finding fail(String topic, String text, String next) {
        return new Finding(Level.FAIL, topic, text, Optional.of(next));
    }

    public Map<String, Object> value() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("level", level.word());
        value.put("topic", topic);
        value.put("text", text);
        next.ifPresent(step -> value.put("next", step));
        return value;
    }
}
