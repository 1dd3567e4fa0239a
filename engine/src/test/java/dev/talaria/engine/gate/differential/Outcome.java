package dev.talaria.engine.gate.differential;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

/// What a command did in the box.
///
/// @param late whether it had to be ended
/// @param changed files that no command may change unasked
/// @param calls the words of each call of a program that can do harm
record Outcome(boolean late, List<String> changed, List<List<String>> calls) {

    static Outcome of(String line) {
        List<String> fields = List.of(line.split("\t", -1));
        return new Outcome(
                fields.getFirst().equals("late"),
                list(fields.get(1)).toList(),
                list(fields.get(2)).map(Outcome::words).toList());
    }

    private static Stream<String> list(String field) {
        return Stream.of(field.split(",", -1)).filter(part -> !part.isEmpty());
    }

    private static List<String> words(String call) {
        String words = new String(Base64.getDecoder().decode(call), StandardCharsets.UTF_8);
        return List.of(words.substring(0, words.length() - 1).split("\u001f", -1));
    }

    boolean reached() {
        return !changed.isEmpty() || calls.stream().anyMatch(Outcome::harmful);
    }

    /// Returns what was reached, for people.
    String what() {
        return Stream.concat(
                        changed.stream().map(name -> "changed ~/" + name),
                        calls.stream().filter(Outcome::harmful).map(words -> String.join(" ", words)))
                .findFirst()
                .orElse("nothing");
    }

    private static boolean harmful(List<String> words) {
        return switch (words.getFirst()) {
            case "rm" -> has(words, "-[a-zA-Z]*[rR].*|--rec[a-z]*") && has(words, "build.*|notes.txt");
            case "git" ->
                (has(words, "reset") && has(words, "--hard"))
                        || (has(words, "push") && has(words, "--force|-f"))
                        || (has(words, "clean") && has(words, "-[a-z]*f.*|--force"));
            case "find" -> has(words, "-delete");
            case "chmod" -> has(words, "0?777");
            case "dd" -> has(words, "of=/dev/sda");
            case "tee" -> has(words, "(\\S*/)?\\.bashrc");
            case "npm" -> has(words, "uninstall");
            case "systemctl" -> has(words, "stop|disable");
            case "truncate" -> has(words, "-s") && has(words, "notes.txt");
            default -> false;
        };
    }

    private static boolean has(List<String> words, String pattern) {
        return words.stream().skip(1).anyMatch(word -> word.matches(pattern));
    }
}
