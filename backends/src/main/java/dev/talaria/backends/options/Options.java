package dev.talaria.backends.options;

import dev.talaria.api.Backend;
import dev.talaria.api.ErrorCode;
import dev.talaria.api.SandboxException;
import dev.talaria.api.SandboxSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A backend's own settings. Unknown names are refused: a mistyped one must not be ignored.
public final class Options {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(?:b|([kmgt])(?:i?b)?)?");
    private static final long LEAST = 1L << 20;
    private static final long MOST = 1L << 60;

    private final String backend;
    private final Map<String, String> values;

    private Options(String backend, Map<String, String> values) {
        this.backend = backend;
        this.values = values;
    }

    public static Options of(Backend backend, SandboxSpec spec) {
        return new Options(backend.name(), spec.options());
    }

    /// Refuses every option except these.
    public Options allow(String... names) {
        Set<String> unknown = new TreeSet<>(values.keySet());
        Set.of(names).forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            String known = names.length == 0 ? "It takes none." : "It takes: " + String.join(", ", names) + ".";
            throw refuse("The backend " + backend + " has no option " + String.join(", ", unknown) + ". " + known);
        }
        return this;
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isBlank());
    }

    /// Returns the option's value.
    ///
    /// @param purpose the end of the message after "Set option NAME to"
    public String require(String name, String purpose) {
        return find(name)
                .orElseThrow(() -> refuse("The backend " + backend + " needs to know its place. Set option " + name
                        + " to " + purpose + "."));
    }

    /// Returns the option's value for a client's command line. It must not look like a flag.
    public String requireName(String name, String purpose) {
        String value = require(name, purpose);
        if (value.startsWith("-")) {
            throw refuse("Option " + name + " of the backend " + backend + " is '" + value
                    + "': it may not start with '-'.");
        }
        return value;
    }

    /// Returns whether the option is `true`; `fallback` if it is not set.
    public boolean isTrue(String name, boolean fallback) {
        return find(name)
                .map(value -> switch (value.strip().toLowerCase(Locale.ROOT)) {
                    case "true", "yes", "on", "1" -> true;
                    case "false", "no", "off", "0" -> false;
                    default -> throw wrong(name, "'" + value + "' is neither true nor false");
                })
                .orElse(fallback);
    }

    /// Returns the items of a JSON list of texts. A text that is no list is the only item.
    public List<String> list(String name) {
        String text = find(name).orElse("[]").strip();
        if (!text.startsWith("[")) {
            return List.of(text);
        }
        if (json(name, text) instanceof List<?> items && items.stream().allMatch(String.class::isInstance)) {
            return items.stream().map(String.class::cast).toList();
        }
        throw wrong(name, "it is no list of texts, such as [\"a\", \"b\"]");
    }

    /// Returns the members of a JSON object of texts, numbers and truth values, as texts.
    public Map<String, String> map(String name) {
        if (!(json(name, find(name).orElse("{}")) instanceof Map<?, ?> members)) {
            throw wrong(name, "it is no JSON object, such as {\"NAME\": \"value\"}");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        members.forEach((key, value) -> texts.put(
                String.valueOf(key),
                switch (value) {
                    case String text -> text;
                    case Boolean truth -> truth.toString();
                    case Double number
                    when number == Math.rint(number) && Math.abs(number) < 1e15 -> String.valueOf(number.longValue());
                    case Double number -> number.toString();
                    default -> throw wrong(name, "the value of " + key + " is no text");
                }));
        return texts;
    }

    /// Returns a number of bytes, such as `512m`, `5g` or `2GiB`. A value below one megabyte is
    /// refused, since its unit is probably missing.
    public OptionalLong bytes(String name) {
        Optional<String> written = find(name);
        if (written.isEmpty()) {
            return OptionalLong.empty();
        }
        Matcher matcher = SIZE.matcher(written.get().strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw wrong(name, "'" + written.get() + "' is no size such as 512m or 5g");
        }
        long unit = 1L
                << (10 * " kmgt".indexOf(Optional.ofNullable(matcher.group(2)).orElse(" ")));
        long number = Long.parseLong(matcher.group(1));
        if (number > MOST / unit || number * unit < LEAST) {
            throw wrong(
                    name,
                    "'" + written.get() + "' is too " + (number > MOST / unit ? "much" : "little")
                            + ". Write a size such as 512m or 5g");
        }
        return OptionalLong.of(number * unit);
    }

    /// Returns a whole number above 0.
    ///
    /// @param what the name of the counted things, for the message
    public OptionalInt count(String name, String what) {
        Optional<String> written = find(name).map(String::strip);
        written.filter(text -> !text.matches("[1-9]\\d{0,6}")).ifPresent(text -> {
            throw wrong(name, "'" + text + "' is no number of " + what);
        });
        return written.map(text -> OptionalInt.of(Integer.parseInt(text))).orElseGet(OptionalInt::empty);
    }

    /// Returns a number above 0 such as `2` or `0.5`, as it was written.
    public Optional<String> decimal(String name) {
        Optional<String> written = find(name).map(String::strip);
        written.filter(text -> !text.matches("\\d{1,4}(\\.\\d{1,3})?") || Double.parseDouble(text) <= 0)
                .ifPresent(text -> {
                    throw wrong(name, "'" + text + "' is no number such as 2 or 0.5");
                });
        return written;
    }

    private Object json(String name, String text) {
        try {
            return JsonText.parse(text);
        } catch (IllegalArgumentException e) {
            throw wrong(name, "it is no JSON (" + e.getMessage() + ")");
        }
    }

    /// Returns the exception for a wrong value; `what` stands behind a colon.
    public SandboxException wrong(String name, String what) {
        return refuse("Option " + name + " of the backend " + backend + ": " + what + ".");
    }

    public static SandboxException refuse(String message) {
        return new SandboxException(ErrorCode.INVALID_CONFIGURATION, message);
    }
}
