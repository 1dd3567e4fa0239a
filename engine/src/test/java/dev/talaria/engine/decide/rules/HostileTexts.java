package dev.talaria.engine.decide.rules;

import java.util.List;
import java.util.stream.Stream;

/// Long lines made to keep a reader or a pattern busy.
final class HostileTexts {
    private HostileTexts() {}

    static List<String> all(int length) {
        return Stream.of(
                        "a",
                        "rm ",
                        "rm a ",
                        "rm -f ",
                        "git push x ",
                        "git -c a=b ",
                        "docker -a b ",
                        "rm a;",
                        "rm ab -f cd ef gh;",
                        "curl x|",
                        "(",
                        "((a;",
                        "$(",
                        "${",
                        "${a",
                        "`",
                        "'",
                        "\"",
                        "\"$(",
                        "\\",
                        "<<a\n",
                        "$x",
                        "sudo ",
                        "xargs ",
                        "eval ",
                        "sh -c ",
                        "env -S a ",
                        "find -exec a ; ",
                        "a|",
                        "drop delete from truncate ",
                        "delete from x ",
                        "a=b;",
                        "{",
                        "{a,",
                        "/../",
                        "chmod +x ;",
                        ":(){ :|:",
                        "> /etc",
                        "а\u200b",
                        "python3 -X a ")
                .map(piece -> piece.repeat(length / piece.length()))
                .toList();
    }
}
