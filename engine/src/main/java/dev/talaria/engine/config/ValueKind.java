package dev.talaria.engine.config;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How the values of a key are written, shown and compared.
///
/// @param form the possible values, for messages and documentation; without a full stop
/// @param parse reads a value; an {@link IllegalArgumentException} says what is wrong with it, as a sentence
/// @param show writes a value as YAML
/// @param narrower returns what is left when a project file's value (first) meets the user's (second)
record ValueKind<T>(
        String form, Function<WrittenValue, T> parse, Function<T, String> show, BinaryOperator<T> narrower) {

    /// The text that is shown instead of a secret.
    static final String HIDDEN = "(hidden)";

    private static final String UNLIMITED = "unlimited";
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern FILE_NAME = Pattern.compile("[^\\x00-\\x1f/][^\\x00-\\x1f]{0,254}");
    private static final Pattern BACKEND = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    /// Makes a kind whose values a project file cannot narrow. The user's value counts.
    ValueKind(String form, Function<WrittenValue, T> parse, Function<T, String> show) {
        this(form, parse, show, (_, current) -> current);
    }

    /// Returns whether `text` can be parsed.
    boolean reads(String text) {
        try {
            var _ = parse.apply(new WrittenValue.Text(text));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static ValueKind<String> backend() {
        return new ValueKind<>(
                "the name of a backend, such as local",
                written -> matching(BACKEND, written.one()),
                Function.identity());
    }

    /// A text that may be absent, but not empty.
    static ValueKind<Optional<String>> text(String form) {
        return new ValueKind<>(
                form,
                written -> {
                    String text = written.one();
                    if (text.isEmpty() || text.indexOf('\0') >= 0) {
                        throw new IllegalArgumentException("it is empty or holds a NUL character.");
                    }
                    return Optional.of(text);
                },
                text -> text.map(PrintableText::scalar).orElse("none"));
    }

    /// A text that may be absent and is never shown.
    static ValueKind<Optional<String>> secret(String form) {
        return new ValueKind<>(
                form,
                written -> {
                    String text = written instanceof WrittenValue.Text(String whole) ? whole : written.one();
                    if (text.isEmpty() || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0) {
                        throw new IllegalArgumentException("it is empty or more than one line.");
                    }
                    return Optional.of(text);
                },
                text -> text.isPresent() ? HIDDEN : "none");
    }

    static <E extends Enum<E>> ValueKind<E> choice(Class<E> type) {
        List<E> all = List.of(type.getEnumConstants());
        String form = all.stream().map(ValueKind::word).collect(Collectors.joining(", ", "one of ", ""));
        return new ValueKind<>(
                form,
                written -> all.stream()
                        .filter(one -> word(one).equalsIgnoreCase(written.one()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(no(written.one()))),
                ValueKind::word);
    }

    /// A mode of scripts; `strict` is the narrower one.
    static ValueKind<ScriptMode> mode() {
        ValueKind<ScriptMode> words = choice(ScriptMode.class);
        return new ValueKind<>(
                words.form(),
                words.parse(),
                words.show(),
                (proposed, current) -> current == ScriptMode.STRICT ? current : proposed);
    }

    /// A mode of approval, under our names or those of Hermes.
    static ValueKind<ApprovalMode> approvalMode() {
        ValueKind<ApprovalMode> ours = choice(ApprovalMode.class);
        return new ValueKind<>(
                ours.form(),
                written -> switch (written.one().toLowerCase(Locale.ROOT)) {
                    case "off", "false", "approve" -> ApprovalMode.ALLOW;
                    default -> ours.parse().apply(written);
                },
                ours.show());
    }

    /// A policy for notices. YAML reads `off` as `false`.
    static ValueKind<NoticePolicy> noticePolicy() {
        ValueKind<NoticePolicy> words = choice(NoticePolicy.class);
        return new ValueKind<>(
                words.form(),
                written -> written.one().equalsIgnoreCase("false")
                        ? NoticePolicy.OFF
                        : words.parse().apply(written),
                words.show());
    }

    /// Regular expressions. One that stands alone is not split at its commas.
    static ValueKind<List<String>> patterns() {
        return new ValueKind<>(
                "a list of regular expressions (RE2: no look-around, no back-references)",
                written -> {
                    List<String> patterns = switch (written) {
                        case WrittenValue.Text(String text) -> text.isBlank() ? List.<String>of() : List.of(text);
                        case WrittenValue.Items(List<String> items) -> items;
                    };
                    patterns.forEach(ApprovalSettings::requirePattern);
                    return patterns;
                },
                ValueKind::list);
    }

    static ValueKind<Boolean> flag() {
        return new ValueKind<>(
                "true or false",
                written -> switch (written.one().toLowerCase(Locale.ROOT)) {
                    case "true", "yes", "on", "1" -> true;
                    case "false", "no", "off", "0" -> false;
                    default -> throw new IllegalArgumentException(no(written.one()));
                },
                String::valueOf);
    }

    static ValueKind<Duration> duration() {
        return new ValueKind<>(
                "a time such as 90s, 5m or 2h",
                written -> Units.duration(written.one()),
                Units::text,
                ValueKind::least);
    }

    /// A time that may be unlimited, in which case it is {@link Units#FOREVER}.
    static ValueKind<Duration> limitedDuration() {
        return new ValueKind<>(
                "a time such as 90s, 5m or 2h, or unlimited",
                written -> unlimited(written) ? Units.FOREVER : Units.duration(written.one()),
                time -> time.equals(Units.FOREVER) ? UNLIMITED : Units.text(time),
                ValueKind::least);
    }

    /// A time after which an idle sandbox is closed; 0 and `never` are {@link Units#FOREVER}.
    static ValueKind<Duration> idleTime() {
        return new ValueKind<>(
                "a time such as 90s, 5m or 2h, or never",
                written -> List.of("never", "unlimited", "0", "0s").contains(written.one())
                        ? Units.FOREVER
                        : Units.duration(written.one()),
                time -> time.equals(Units.FOREVER) ? "never" : Units.text(time),
                ValueKind::least);
    }

    /// A number that may be unlimited, in which case it is the largest `int`.
    static ValueKind<Integer> limitedCount() {
        return new ValueKind<>(
                "a number, or unlimited",
                written -> unlimited(written) ? Integer.MAX_VALUE : count(written, 0, Integer.MAX_VALUE),
                count -> count == Integer.MAX_VALUE ? UNLIMITED : count.toString(),
                ValueKind::least);
    }

    static ValueKind<Integer> count(int least, int most) {
        return new ValueKind<>(
                range("a number", least, most),
                written -> count(written, least, most),
                String::valueOf,
                ValueKind::least);
    }

    /// A number that is absent when unlimited.
    static ValueKind<Optional<Integer>> optionalCount() {
        return new ValueKind<>(
                "a number from 1, or unlimited",
                written -> unlimited(written) ? Optional.empty() : Optional.of(count(written, 1, Integer.MAX_VALUE)),
                count -> count.map(String::valueOf).orElse(UNLIMITED),
                ValueKind::leastPresent);
    }

    /// A size that fits into an int.
    static ValueKind<Integer> intSize(int least, int most) {
        return new ValueKind<>(
                range("a size such as 64KiB", least, most),
                written -> Math.toIntExact(size(written, least, most)),
                size -> Units.text((long) size),
                ValueKind::least);
    }

    static ValueKind<Long> size() {
        return new ValueKind<>(
                "a size such as 64MiB", written -> size(written, 0, Long.MAX_VALUE), Units::text, ValueKind::least);
    }

    /// A size that is absent when unlimited.
    static ValueKind<Optional<Long>> optionalSize() {
        return new ValueKind<>(
                "a size such as 2GiB, or unlimited",
                written -> unlimited(written) ? Optional.empty() : Optional.of(size(written, 1, Long.MAX_VALUE)),
                size -> size.map(Units::text).orElse(UNLIMITED),
                ValueKind::leastPresent);
    }

    static ValueKind<List<String>> names() {
        return new ValueKind<>("a list of names", written -> names(NAME, written), ValueKind::list);
    }

    /// Names of files or folders, or paths.
    static ValueKind<List<String>> fileNames() {
        return new ValueKind<>("a list of names", written -> names(FILE_NAME, written), ValueKind::list);
    }

    /// A list of names that is absent when `all` is meant.
    static ValueKind<Optional<List<String>>> namesOrAll() {
        return new ValueKind<>(
                "a list of names, or all",
                written -> written.equals(new WrittenValue.Text("all"))
                        ? Optional.empty()
                        : Optional.of(names(NAME, written)),
                names -> names.map(ValueKind::list).orElse("all"),
                (proposed, current) -> current.map(mine -> Optional.of(proposed.orElse(mine).stream()
                                .filter(mine::contains)
                                .toList()))
                        .orElse(proposed));
    }

    private static List<String> names(Pattern pattern, WrittenValue written) {
        return written.many().stream()
                .map(name -> matching(pattern, name))
                .distinct()
                .toList();
    }

    private static String list(List<String> names) {
        return new WrittenValue.Items(names).yaml();
    }

    private static boolean unlimited(WrittenValue written) {
        return written.one().equalsIgnoreCase(UNLIMITED);
    }

    private static int count(WrittenValue written, int least, int most) {
        String text = written.one();
        try {
            return Math.toIntExact(within(Long.parseLong(text), least, most));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(no(text), e);
        }
    }

    private static long size(WrittenValue written, long least, long most) {
        return within(Units.bytes(written.one()), least, most);
    }

    private static long within(long number, long least, long most) {
        if (number < least || number > most) {
            throw new IllegalArgumentException(no(String.valueOf(number)));
        }
        return number;
    }

    private static String matching(Pattern pattern, String text) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(no(text));
        }
        return text;
    }

    private static String range(String what, int least, int most) {
        return what + (most == Integer.MAX_VALUE ? ", at least " + least : " from " + least + " to " + most);
    }

    /// Returns the sentence that refuses a text.
    static String no(String text) {
        return "'" + PrintableText.bare(text) + "' is not allowed here.";
    }

    private static String word(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <C extends Comparable<C>> C least(C one, C other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static <C extends Comparable<C>> Optional<C> leastPresent(Optional<C> one, Optional<C> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }
}
