package dev.talaria.engine.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Reads one `talaria.yaml` into entries. Everything that is wrong with it becomes a problem; it throws nothing.
final class ConfigFile {
    private static final int LARGEST = 1 << 20;
    private static final Pattern OPTION = Pattern.compile("backends\\.[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*");
    private static final Pattern BACKENDS = Pattern.compile("backends(\\.[a-z][a-z0-9-]*)?");

    private final Path file;
    private final IntFunction<Origin> origin;
    private final List<ConfigEntry> entries = new ArrayList<>();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>(); // the first line of each key

    private ConfigFile(Path file, IntFunction<Origin> origin) {
        this.file = file;
        this.origin = origin;
    }

    /// The content of a file: its entries, and the problems with it.
    record Content(List<ConfigEntry> entries, List<ConfigProblem> problems) {
        Content {
            entries = List.copyOf(entries);
            problems = List.copyOf(problems);
        }
    }

    /// Returns the content of `file`; no entries if it does not exist.
    ///
    /// @param origin makes the origin of a line
    static Content read(Path file, IntFunction<Origin> origin) {
        ConfigFile reading = new ConfigFile(file, origin);
        reading.text().ifPresent(reading::parse);
        return new Content(reading.entries, reading.problems);
    }

    static boolean backendOption(String key) {
        return OPTION.matcher(key).matches();
    }

    private Optional<String> text() {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            if (!Files.isRegularFile(file)) {
                // Reading a pipe would block, and a device never ends.
                return broken(0, "it is not a regular file.", "Put a text file there, or remove it.");
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(LARGEST + 1);
                return bytes.length > LARGEST
                        ? broken(0, "it is larger than 1 MiB.", "Is it really Talaria's configuration? Shorten it.")
                        : decode(bytes);
            }
        } catch (AccessDeniedException e) {
            return broken(0, "it cannot be read: permission denied.", "Allow yourself to read it (chmod u+r).");
        } catch (IOException e) {
            return broken(
                    0,
                    "it cannot be read: " + PrintableText.bare(String.valueOf(e.getMessage())) + ".",
                    "Check the file.");
        }
    }

    private Optional<String> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(in).toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            int line = 1;
            for (int i = 0; i < in.position(); i++) {
                line += bytes[i] == '\n' ? 1 : 0;
            }
            return broken(line, "it is not UTF-8.", "Save it as UTF-8.");
        }
    }

    private void parse(String text) {
        try {
            switch (Yaml.read(text).orElse(new Yaml.Fields(List.of(), 1))) {
                case Yaml.Fields root -> fields("", root);
                case Yaml.Node other ->
                    broken(other.line(), "it does not hold keys and values.", "Write lines such as 'backend: local'.");
            }
        } catch (Yaml.Malformed e) {
            broken(e.line(), e.sentence(), "Correct this line; nothing of the file was used.");
        }
    }

    private void fields(String group, Yaml.Fields fields) {
        for (Yaml.Field field : fields.fields()) {
            String key = group.isEmpty() ? field.name() : group + "." + field.name();
            if (ConfigKeys.find(key).isPresent() || backendOption(key)) {
                leaf(key, field);
            } else if (group(key)) {
                inner(key, field);
            } else {
                problem(field.line(), key, "there is no such key.", KeyNames.suggestion(key));
            }
        }
    }

    private void inner(String group, Yaml.Field field) {
        switch (field.value()) {
            case Yaml.Fields fields -> fields(group, fields);
            case Yaml.Scalar scalar when scalar.empty() -> {} // all lines below it are commented out
            case Yaml.Node _ ->
                problem(field.line(), group, "it is a group of keys and has no value of its own.", below(group));
        }
    }

    private void leaf(String key, Yaml.Field field) {
        Integer first = lines.putIfAbsent(key, field.line());
        if (first != null) {
            problem(field.line(), key, "it stands in line " + first + " already.", "Remove one of the two.");
            return;
        }
        written(key, field).ifPresent(value -> entries.add(new ConfigEntry(key, value, origin.apply(field.line()))));
    }

    private Optional<WrittenValue> written(String key, Yaml.Field field) {
        return switch (field.value()) {
            case Yaml.Scalar scalar
            when scalar.empty() -> problem(field.line(), key, "it has no value.", "Write one, or remove the line.");
            case Yaml.Scalar scalar -> Optional.of(new WrittenValue.Text(scalar.text()));
            case Yaml.Items items
            when items.items().stream().allMatch(item -> item instanceof Yaml.Scalar scalar && !scalar.empty()) ->
                Optional.of(new WrittenValue.Items(items.items().stream()
                        .map(Yaml.Scalar.class::cast)
                        .map(Yaml.Scalar::text)
                        .toList()));
            case Yaml.Node _ -> problem(field.line(), key, "a simple value is needed here.", form(key));
        };
    }

    private static boolean group(String key) {
        return BACKENDS.matcher(key).matches()
                || ConfigKeys.all().stream().anyMatch(one -> one.name().startsWith(key + "."));
    }

    private static String below(String group) {
        String names = ConfigKeys.all().stream()
                .map(ConfigKey::name)
                .filter(name -> name.startsWith(group + "."))
                .map(name -> name.substring(group.length() + 1))
                .collect(Collectors.joining(", "));
        return "Write below it, indented, " + (names.isEmpty() ? "names and values." : "any of: " + names + ".");
    }

    private static String form(String key) {
        return "Use " + ConfigKeys.find(key).map(ConfigKey::form).orElse("one text") + ".";
    }

    private <T> Optional<T> broken(int line, String message, String fix) {
        problems.add(new ConfigProblem(origin.apply(line), Optional.empty(), message, fix));
        return Optional.empty();
    }

    private <T> Optional<T> problem(int line, String key, String message, String fix) {
        problems.add(new ConfigProblem(origin.apply(line), Optional.of(PrintableText.bare(key)), message, fix));
        return Optional.empty();
    }
}
