package dev.talaria.engine.gate.differential;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A way to put a command into another. A row of a table says `ID ACCEPTS>YIELDS FLAGS TEMPLATE`, the second with
/// the letters of [Kind]. A flag says:
///
/// - `bash` that other shells do not understand the template; `posix-in` that the command must not need bash
/// - `plain` that the command must be words without quotes, `word` that its program must be, `path` that the program
///   is in `/usr/bin`, `line-in` that the command must be one line
/// - `need:NAME` that a program must be there
/// - `top` that it counts only as the outermost
/// - `odd` that nobody writes it who means no harm, `slow` that it takes long: both are rare among harmless commands
///
/// @param stops whether it does not reach the command that it holds
record Construction(String id, Kind accepts, Kind yields, Set<String> flags, Template template, boolean stops) {

    static Construction of(String row, boolean stops) {
        List<String> fields = List.of(row.split(" ", 4));
        String kinds = fields.get(1);
        return new Construction(
                fields.getFirst(),
                Kind.of(kinds.charAt(0)),
                Kind.of(kinds.charAt(2)),
                Set.of(fields.get(2).split(",", -1)),
                new Template(fields.get(3)),
                stops);
    }

    boolean available() {
        return flags.stream()
                .filter(flag -> flag.startsWith("need:"))
                .map(flag -> flag.substring(5))
                .allMatch(name -> there("/usr/bin", name) || there("/usr/sbin", name));
    }

    boolean rare() {
        return flags.contains("odd") || flags.contains("slow");
    }

    boolean outermost() {
        return flags.contains("top");
    }

    /// Returns the command inside of this, or nothing where it cannot stand here.
    Optional<Piece> around(Piece piece, Names names) {
        Piece inner = piece.as(accepts);
        if (!flags.stream().allMatch(flag -> allows(flag, inner))) {
            return Optional.empty();
        }
        boolean shielded = template.quotes() && template.text().contains("bash ");
        boolean posix = !flags.contains("bash") && (inner.posix() || shielded);
        Kind kind = inner.kind() == Kind.TEXT && template.endsWithCommand() ? Kind.TEXT : yields;
        return template.fill(inner, names).map(text -> new Piece(kind, text, posix));
    }

    private static boolean allows(String flag, Piece inner) {
        return switch (flag) {
            case "posix-in" -> inner.posix();
            case "plain" -> inner.plain();
            case "line-in" -> inner.oneLine();
            case "word" -> inner.program().isPresent();
            case "path" ->
                inner.program().filter(name -> there("/usr/bin", name)).isPresent();
            default -> true;
        };
    }

    private static boolean there(String folder, String name) {
        return Files.isExecutable(Path.of(folder, name));
    }
}
