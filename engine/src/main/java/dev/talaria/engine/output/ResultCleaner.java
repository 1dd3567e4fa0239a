package dev.talaria.engine.output;

import dev.talaria.api.Masking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Cleans every text of a result value, so that no tool can forget to.
///
/// Strings, including names, lose sequences and secrets. [CleanText] is unwrapped unchanged. Numbers,
/// booleans and null pass. An `Optional` becomes its content or null. Any other object becomes its
/// cleaned `toString`.
public final class ResultCleaner {

    private static final int DEEPEST = 64;

    private final Redactor redactor;

    public ResultCleaner(Redactor redactor) {
        this.redactor = redactor;
    }

    /// Returns the value with every text cleaned, in the same order.
    public Map<String, Object> clean(Map<String, Object> value, Masking masking) {
        Redactor.Mode mode = switch (masking) {
            case OUTPUT -> Redactor.Mode.CODE;
            case FILE -> Redactor.Mode.FILE_READ;
        };
        return fields(value, mode, 1);
    }

    /// Returns one text cleaned. A file's content was not printed for a terminal: only secrets and
    /// hidden tag characters are removed. The reader sees its carriage returns and sequences.
    public String clean(String text, Redactor.Mode mode) {
        return redactor.redact(mode.isFile() ? TerminalText.withoutTags(text) : TerminalText.clean(text), mode);
    }

    private Map<String, Object> fields(Map<?, ?> fields, Redactor.Mode mode, int depth) {
        var cleaned = new LinkedHashMap<String, Object>();
        fields.forEach((name, field) -> put(cleaned, clean(String.valueOf(name), mode), node(field, mode, depth)));
        return cleaned;
    }

    /// Adds a field under a name of its own: masks may have made two names equal.
    @SuppressWarnings("NullAway") // a result is JSON, and JSON has null
    private static void put(Map<String, Object> fields, String name, @Nullable Object field) {
        String free = name;
        for (int i = 2; fields.containsKey(free); i++) {
            free = name + " (" + i + ")";
        }
        fields.put(free, field);
    }

    private @Nullable Object node(@Nullable Object node, Redactor.Mode mode, int depth) {
        return switch (node) {
            case null -> null;
            case CleanText clean -> clean.text();
            case String text -> clean(text, mode);
            case Number number -> number;
            case Boolean bool -> bool;
            case Optional<?> optional -> node(optional.orElse(null), mode, depth);
            case Map<?, ?> _, Collection<?> _ when depth >= DEEPEST -> tooDeep();
            case Map<?, ?> fields -> fields(fields, mode, depth + 1);
            case Collection<?> items -> items(items, mode, depth + 1);
            case Object[] items -> node(Arrays.asList(items), mode, depth);
            default -> clean(String.valueOf(node), mode);
        };
    }

    private List<@Nullable Object> items(Collection<?> items, Redactor.Mode mode, int depth) {
        var cleaned = new ArrayList<@Nullable Object>(items.size());
        for (Object item : items) {
            cleaned.add(node(item, mode, depth));
        }
        return cleaned;
    }

    private static String tooDeep() {
        return "... [nested more than " + DEEPEST + " levels deep: left out] ...";
    }
}
