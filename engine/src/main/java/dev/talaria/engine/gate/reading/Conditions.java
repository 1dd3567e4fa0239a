package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Outcome.Status;
import java.util.List;

/// Evaluates `test`, `[` and `[[`, if the result can be known.
final class Conditions {
    /// A number without leading zeros: `[[` reads leading zeros as octal, `[` does not.
    private static final String NUMBER = "0|-?[1-9]\\d{0,8}";

    private Conditions() {}

    static Status number(String value) {
        return UnknownValues.any(value) ? Status.MAYBE : Status.of(!value.equals("0"));
    }

    /// @param words without the brackets
    static Status of(List<String> words, State state) {
        if (words.stream().anyMatch(UnknownValues::unclear) || state.options.contains("nocasematch")) {
            return Status.MAYBE;
        }
        if (words.size() > 1 && words.getFirst().equals("!")) {
            return of(words.subList(1, words.size()), state).not();
        }
        return switch (words.size()) {
            case 0 -> Status.NO;
            case 1 -> Status.of(!words.getFirst().isEmpty());
            case 2 ->
                switch (words.getFirst()) {
                    case "-n" -> Status.of(!words.getLast().isEmpty());
                    case "-z" -> Status.of(words.getLast().isEmpty());
                    default -> Status.MAYBE;
                };
            case 3 -> compared(words.get(0), words.get(1), words.get(2));
            default -> Status.MAYBE;
        };
    }

    private static Status compared(String left, String sign, String right) {
        boolean numbers = left.matches(NUMBER) && right.matches(NUMBER);
        boolean plain = !Globs.wild(right) && right.indexOf('\\') < 0 && right.indexOf('(') < 0;
        return switch (sign) {
            case "=", "==" -> plain ? Status.of(left.equals(right)) : Status.MAYBE;
            case "!=" -> plain ? Status.of(!left.equals(right)) : Status.MAYBE;
            case "-eq", "-ne", "-lt", "-le", "-gt", "-ge" ->
                numbers
                        ? Status.of(holds(sign, Integer.compare(Integer.parseInt(left), Integer.parseInt(right))))
                        : Status.MAYBE;
            default -> Status.MAYBE;
        };
    }

    private static boolean holds(String sign, int order) {
        return switch (sign) {
            case "-eq" -> order == 0;
            case "-ne" -> order != 0;
            case "-lt" -> order < 0;
            case "-le" -> order <= 0;
            case "-gt" -> order > 0;
            default -> order >= 0;
        };
    }
}
