package dev.talaria.engine.gate.rules;

import com.google.re2j.Pattern;
import dev.talaria.engine.gate.reading.Reading;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The patterns that the user wrote. RE2 takes time in proportion to the text, whatever the pattern.
public final class UserRules {
    private final List<Pattern> patterns;

    public UserRules(List<String> patterns) {
        this.patterns = patterns.stream().map(Pattern::compile).toList();
    }

    /// Returns the pattern that is found in any form of the command.
    public Optional<String> findIn(Reading reading) {
        return first(pattern -> Stream.of(
                        Stream.of(reading.raw(), reading.text()),
                        reading.commands().stream(),
                        reading.commands().stream().map(NormalForm::of),
                        reading.pipelines().stream(),
                        reading.writes().stream())
                .flatMap(forms -> forms)
                .anyMatch(form -> pattern.matcher(form).find()));
    }

    /// Returns the pattern that is found in a line of the script, or across several lines.
    public Optional<String> findInLines(String script) {
        return first(pattern -> pattern.matcher(script).find()
                || script.lines().anyMatch(line -> pattern.matcher(line.strip()).find()));
    }

    /// Returns the pattern that matches the whole command. A compound command matches none: a user
    /// who allows `git push` has not allowed the command behind a semicolon.
    public Optional<String> matchWhole(Reading reading) {
        return reading.compound() || reading.unreadable().isPresent()
                ? Optional.empty()
                : first(pattern -> pattern.matches(reading.raw().strip()));
    }

    /// Returns the pattern that matches the whole of one of these lines, which are spellings of one
    /// simple command.
    public Optional<String> matchOne(List<String> lines) {
        return first(pattern -> lines.stream().anyMatch(pattern::matches));
    }

    private Optional<String> first(Predicate<Pattern> test) {
        return patterns.stream().filter(test).map(Pattern::pattern).findFirst();
    }
}
