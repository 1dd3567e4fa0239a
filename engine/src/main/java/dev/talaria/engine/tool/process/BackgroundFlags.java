package dev.talaria.engine.tool.process;

import dev.talaria.engine.config.NoticePolicy;
import dev.talaria.engine.json.JsonFields;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The flags of a call that starts a background process. Older names of the flags count as well.
///
/// @param tells whether the session gets a notice when the process ends
/// @param watch the texts that cause a notice when they appear in the output
/// @param heartbeat how often a notice shows new output
/// @param survives whether the process goes on when Talaria ends
/// @param notes remarks about flags that count differently than written, by their key in the result
public record BackgroundFlags(
        boolean pty,
        boolean tells,
        List<String> watch,
        Optional<Duration> heartbeat,
        boolean survives,
        Map<String, String> notes) {
    static final Duration SHORTEST_HEARTBEAT = Duration.ofMinutes(1);
    private static final Duration LONGEST_HEARTBEAT = Duration.ofDays(1);
    private static final int MOST_PATTERNS = 20;

    public BackgroundFlags {
        watch = List.copyOf(watch);
        notes = Map.copyOf(notes);
    }

    /// Returns what is wrong with the flags of a call, and what to write instead.
    public static Optional<String> objection(Map<String, Object> arguments) {
        return types(arguments).or(() -> isBackground(arguments) ? Optional.empty() : foreground(arguments));
    }

    public static boolean isBackground(Map<String, Object> arguments) {
        return JsonFields.isTrue(arguments, "background");
    }

    private static Optional<String> types(Map<String, Object> arguments) {
        for (String name : List.of("background", "pty", "persist_on_release", "notify_on_complete")) {
            Object value = arguments.get(name);
            if (value != null && !(value instanceof Boolean)) {
                return Optional.of("'" + name + "' must be true or false.");
            }
        }
        Object notify = arguments.get("notify");
        if (notify != null && !(notify instanceof Boolean) && !isTexts(notify)) {
            return Optional.of(
                    "'notify' must be true (one notice when the process ends) or a list of texts to watch for,"
                            + " such as [\"ready\", \"ERROR\"].");
        }
        Object patterns = arguments.get("watch_patterns");
        if (patterns != null && !isTexts(patterns)) {
            return Optional.of(
                    "'watch_patterns' must be a list of texts, such as [\"ready\"]; write notify=[\"ready\"].");
        }
        for (String name : List.of("heartbeat", "check_interval")) {
            Object value = arguments.get(name);
            if (value != null && !isWhole(value)) {
                return Optional.of("'" + name + "' must be a whole number of seconds: 0 for none, or 60 and more.");
            }
        }
        return Optional.empty();
    }

    private static boolean isTexts(Object value) {
        return value instanceof List<?> items
                && items.size() <= MOST_PATTERNS
                && items.stream().allMatch(item -> item instanceof String text && !text.isEmpty());
    }

    private static boolean isWhole(Object value) {
        return value instanceof Number number
                && number.doubleValue() >= 0
                && number.doubleValue() == Math.rint(number.doubleValue());
    }

    private static Optional<String> foreground(Map<String, Object> arguments) {
        String call = " Nothing was run. Write terminal(command=..., background=true, ";
        if (wants(arguments, "notify", "notify_on_complete", "watch_patterns", "heartbeat", "check_interval")) {
            return Optional.of(
                    "'notify' and 'heartbeat' are for background processes: a command in the foreground tells"
                            + " its end by its result." + call + "notify=true), or leave them out.");
        }
        if (wants(arguments, "pty")) {
            return Optional.of("'pty' is for background processes: nobody could type into a command in the foreground."
                    + call + "pty=true) and write to it with the tool process.");
        }
        if (wants(arguments, "persist_on_release")) {
            return Optional.of("'persist_on_release' is for background processes: a command in the foreground ends with"
                    + " its call." + call + "persist_on_release=true).");
        }
        return Optional.empty();
    }

    private static boolean wants(Map<String, Object> arguments, String... names) {
        return Stream.of(names).anyMatch(name -> switch (arguments.get(name)) {
            case null -> false;
            case Boolean flag -> flag;
            case Number number -> number.doubleValue() != 0;
            case List<?> list -> !list.isEmpty();
            default -> true;
        });
    }

    /// Reads the flags of a call that {@link #objection} accepts.
    static BackgroundFlags of(Map<String, Object> arguments) {
        Map<String, String> notes = new LinkedHashMap<>();
        boolean notify = JsonFields.isTrue(arguments, "notify");
        List<String> watch = JsonFields.texts(arguments, "notify");
        if (arguments.get("notify") == null) {
            notify = JsonFields.isTrue(arguments, "notify_on_complete");
            watch = JsonFields.texts(arguments, "watch_patterns");
            if (notify && !watch.isEmpty()) {
                notes.put("watch_patterns_ignored", "notify_on_complete counts; choose one of the two.");
                watch = List.of();
            }
        }
        Optional<Duration> heartbeat =
                heartbeat(arguments, "heartbeat").or(() -> heartbeat(arguments, "check_interval"));
        if (heartbeat.filter(every -> every.compareTo(SHORTEST_HEARTBEAT) < 0).isPresent()) {
            notes.put("heartbeat_note", "Raised to " + SHORTEST_HEARTBEAT.toSeconds() + " s, the shortest there is.");
            heartbeat = Optional.of(SHORTEST_HEARTBEAT);
        }
        boolean pty = JsonFields.isTrue(arguments, "pty");
        if (pty && arguments.get("command") instanceof String command && readsToTheEnd(command)) {
            notes.put(
                    "pty_note",
                    "Started without a terminal: this command reads its input until that ends. Send the token with"
                            + " process(action=\"write\"), then process(action=\"close\").");
            pty = false;
        }
        return new BackgroundFlags(
                pty,
                notify || heartbeat.isPresent(),
                watch,
                heartbeat,
                JsonFields.isTrue(arguments, "persist_on_release"),
                notes);
    }

    private static boolean readsToTheEnd(String command) {
        return command.strip().startsWith("gh auth login") && command.contains("--with-token");
    }

    /// Returns the same flags without notices, for a session that ends with its call.
    BackgroundFlags untold() {
        return untold("This session ends with its call, so nobody can be told: look with process(action=\"poll\").");
    }

    private BackgroundFlags untold(String why) {
        BackgroundFlags silent = new BackgroundFlags(pty, false, List.of(), Optional.empty(), survives, notes);
        return tells || !watch.isEmpty() ? silent.noted(false, "notify_unsupported", why) : this;
    }

    private BackgroundFlags noted(boolean stillTells, String key, String note) {
        Map<String, String> more = new LinkedHashMap<>(notes);
        more.put(key, note);
        return new BackgroundFlags(pty, stillTells, watch, heartbeat, survives, more);
    }

    /// Returns the flags without the notices that the policy forbids.
    BackgroundFlags under(NoticePolicy policy) {
        if (policy == NoticePolicy.OFF) {
            return untold("The setting terminal.notices is off: look with process(action=\"poll\").");
        }
        if (!tells) {
            return this;
        }
        return switch (policy) {
            case ALL, OFF -> this;
            case NONE ->
                noted(
                        false,
                        "notify_unsupported",
                        "The setting terminal.notices is none, so its end is not told: look with"
                                + " process(action=\"poll\").");
            case FAILURES -> noted(true, "notify_note", "Its end is told only if it fails (setting terminal.notices).");
            case SUCCESS ->
                noted(true, "notify_note", "Its end is told only if it does not fail (setting terminal.notices).");
        };
    }

    /// Reads the fields that {@link #stored()} returns.
    static BackgroundFlags stored(Map<String, Object> fields) {
        return new BackgroundFlags(
                JsonFields.isTrue(fields, "pty"),
                JsonFields.isTrue(fields, "notify_on_complete"),
                JsonFields.texts(fields, "watch_patterns"),
                heartbeat(fields, "heartbeat_seconds"),
                true,
                Map.of());
    }

    /// Returns the fields that another Talaria needs to take the process over.
    Map<String, Object> stored() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pty", pty);
        fields.put("notify_on_complete", tells);
        fields.put("watch_patterns", watch);
        heartbeat.ifPresent(every -> fields.put("heartbeat_seconds", every.toSeconds()));
        return fields;
    }

    private static Optional<Duration> heartbeat(Map<String, Object> fields, String name) {
        return JsonFields.seconds(fields, name)
                .map(every -> every.compareTo(LONGEST_HEARTBEAT) > 0 ? LONGEST_HEARTBEAT : every);
    }
}
