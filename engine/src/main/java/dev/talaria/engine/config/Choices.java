package dev.talaria.engine.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The values chosen so far while the layers of the configuration are read, each with its origin.
final class Choices {
    private static final Origin DEFAULT = new Origin.Default();

    private final Map<ConfigKey<?>, Choice<?>> byKey = new HashMap<>();
    private final Map<ConfigKey<?>, Choice<?>> ofUser = new HashMap<>(); // values that a project's file changed
    private final Map<String, Choice<String>> options = new TreeMap<>(); // by full name: backends.ssh.host

    /// One chosen value.
    record Choice<T>(T value, Origin origin) {}

    <T> void put(ConfigKey<T> key, T value, Origin origin) {
        if (origin instanceof Origin.ProjectFile) {
            ofUser.putIfAbsent(key, choice(key));
        }
        byKey.put(key, new Choice<>(value, origin));
    }

    void putOption(String name, String value, Origin origin) {
        options.put(name, new Choice<>(value, origin));
    }

    <T> T value(ConfigKey<T> key) {
        return choice(key).value();
    }

    Origin origin(ConfigKey<?> key) {
        return choice(key).origin();
    }

    /// Returns the value that counts where a project's file may not choose.
    <T> T valueOfUser(ConfigKey<T> key) {
        return isOfProject(key) ? choice(ofUser, key).value() : value(key);
    }

    boolean isOfProject(ConfigKey<?> key) {
        return origin(key) instanceof Origin.ProjectFile;
    }

    /// Returns the options of `backend`, by their own names.
    Map<String, String> options(String backend) {
        String group = "backends." + backend + ".";
        return options.entrySet().stream()
                .filter(option -> option.getKey().startsWith(group))
                .collect(Collectors.toMap(
                        option -> option.getKey().substring(group.length()),
                        option -> option.getValue().value()));
    }

    /// Returns all values for display. Of the backends' options it returns only those that were set.
    List<ConfigValue> shown() {
        List<ConfigValue> values = new ArrayList<>();
        ConfigKeys.all().forEach(key -> values.add(shown(key)));
        options.forEach((name, choice) ->
                values.add(new ConfigValue(name, PrintableText.scalar(choice.value()), choice.origin())));
        return values;
    }

    private <T> ConfigValue shown(ConfigKey<T> key) {
        Choice<T> choice = choice(key);
        return new ConfigValue(key.name(), key.kind().show().apply(choice.value()), choice.origin());
    }

    private <T> Choice<T> choice(ConfigKey<T> key) {
        return choice(byKey, key);
    }

    @SuppressWarnings("unchecked") // put() stores under a key only what is of its type
    private static <T> Choice<T> choice(Map<ConfigKey<?>, Choice<?>> choices, ConfigKey<T> key) {
        Choice<?> choice = choices.get(key);
        return choice == null ? new Choice<>(key.standard(), DEFAULT) : (Choice<T>) choice;
    }
}
