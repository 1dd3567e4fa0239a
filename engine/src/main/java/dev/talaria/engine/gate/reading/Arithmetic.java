package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Computes formulas of whole numbers: `1 + 2 * (3 - 4)`.
final class Arithmetic {
    private static final Pattern NAME = Pattern.compile("(?<![\\w$])[A-Za-z_]\\w*");
    private static final Pattern CHANGED = Pattern.compile(
            "(?:\\+\\+|--)\\s*([A-Za-z_]\\w*)|([A-Za-z_]\\w*)(?:\\[[^=]*\\])?\\s*(?:\\+\\+|--|(?:[-+*/%&^|]|<<|>>)?=(?!=))");
    private static final Pattern APART = Pattern.compile("[\\w)]\\s+[\\w(]");
    private static final int LONGEST = 200;
    private static final int MOST_LOOKED = 20_000; // characters of values

    private final String text;
    private int at;

    private Arithmetic(String text) {
        this.text = text;
    }

    /// Returns a formula in which each variable is replaced by its value.
    static String withVariables(String formula, State state) {
        if (formula.length() > LONGEST) {
            return formula;
        }
        Matcher matcher = NAME.matcher(formula);
        return matcher.replaceAll(found -> Matcher.quoteReplacement(Optional.of(found.group())
                .filter(name -> !OwnVariables.computed(name))
                .flatMap(name -> state.text(Assignments.target(name, state)))
                .map(value -> value.isBlank() ? "0" : value.matches("\\d+") ? value : "(" + value + ")")
                .filter(value -> value.length() < LONGEST)
                .orElse(found.group())));
    }

    /// Returns the values of the variables that a formula names, and of the variables that those
    /// values name in turn; nothing if there are too many.
    static Optional<Set<String>> values(String formula, State state, UnknownValues marks) {
        Set<String> names = new HashSet<>();
        Set<String> values = new HashSet<>();
        List<String> open = new ArrayList<>(List.of(formula));
        int looked = 0;
        while (!open.isEmpty()) {
            String text = open.removeLast();
            looked += text.length();
            if (looked > MOST_LOOKED) {
                return Optional.empty();
            }
            Matcher matcher = NAME.matcher(text);
            while (matcher.find()) {
                Variable variable = state.variables.get(Assignments.target(matcher.group(), state));
                if (names.add(matcher.group()) && variable != null) {
                    Set<String> more = new LinkedHashSet<>();
                    variable.elements().values().forEach(value -> either(value, marks, more));
                    more.removeAll(values);
                    values.addAll(more);
                    open.addAll(more);
                }
            }
        }
        return Optional.of(values);
    }

    /// Adds a value, and the other values that its marks allow.
    private static void either(String value, UnknownValues marks, Set<String> values) {
        values.add(value);
        for (int i = 0; i < value.length() && UnknownValues.any(value); i++) {
            marks.of(value.charAt(i)).ifPresent(mark -> values.addAll(mark.options()));
        }
    }

    /// Returns the variables that a formula may change.
    static Set<String> changed(String formula) {
        Set<String> names = new LinkedHashSet<>();
        Matcher matcher = CHANGED.matcher(formula);
        while (matcher.find()) {
            names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return names;
    }

    /// Returns a formula's value, if it has no variables and no assignments.
    static Optional<Long> value(String formula) {
        if (formula.length() > LONGEST || APART.matcher(formula).find()) {
            return Optional.empty();
        }
        Arithmetic parser =
                new Arithmetic(formula.replace(" ", "").replace("\t", "").replace("\n", ""));
        if (parser.text.isEmpty()) {
            return Optional.of(0L);
        }
        try {
            long value = parser.sum();
            return parser.at == parser.text.length() ? Optional.of(value) : Optional.empty();
        } catch (ArithmeticException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private long sum() {
        long value = product();
        while (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
            boolean plus = text.charAt(at++) == '+';
            value = plus ? Math.addExact(value, product()) : Math.subtractExact(value, product());
        }
        return value;
    }

    private long product() {
        long value = atom();
        while (at < text.length() && "*/%".indexOf(text.charAt(at)) >= 0) {
            char sign = text.charAt(at++);
            long next = atom();
            value = sign == '*' ? Math.multiplyExact(value, next) : sign == '/' ? value / next : value % next;
        }
        return value;
    }

    private long atom() {
        char c = at < text.length() ? text.charAt(at) : ' ';
        if (c == '(') {
            at++;
            long value = sum();
            if (at >= text.length() || text.charAt(at++) != ')') {
                throw new ArithmeticException("a parenthesis is open");
            }
            return value;
        }
        if (c == '-' || c == '+') {
            at++;
            return c == '-' ? -atom() : atom();
        }
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9' && at < start + 15) {
            at++;
        }
        String digits = text.substring(start, at);
        if (digits.length() > 1 && digits.startsWith("0")) {
            return Long.parseLong(digits, 8);
        }
        return Long.parseLong(digits);
    }
}
