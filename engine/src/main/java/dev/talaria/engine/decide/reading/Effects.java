package dev.talaria.engine.decide.reading;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What a command changes for those after it in the same shell: variables, aliases, arguments, the folder.
final class Effects {
    private static final Set<String> DECLARING = Set.of("export", "local", "declare", "typeset", "readonly");

    private Effects() {}

    /// @param written with what stands in front of it
    /// @param arguments its words after the program's name
    /// @param input what it reads, where that is known
    static void of(
            String program, List<Word> written, List<String> arguments, Findings findings, Optional<String> input) {
        assignments(written, findings);
        switch (program) {
            case "cd", "pushd", "chdir" -> move(arguments, findings);
            case "popd" -> findings.folder(new Findings.Folder(Optional::empty));
            case "for", "select" -> loop(arguments, findings);
            case "read" ->
                input.ifPresent(text -> arguments.stream()
                        .filter(name -> !name.startsWith("-"))
                        .forEach(name -> findings.variable(name, text)));
            case "printf" -> {
                if (arguments.size() > 2 && arguments.getFirst().equals("-v")) {
                    Filters.output("printf", arguments.subList(2, arguments.size()), Optional.empty())
                            .ifPresent(text -> findings.variable(arguments.get(1), text));
                }
            }
            case "set" -> {
                int dashes = arguments.indexOf("--");
                if (dashes >= 0) {
                    findings.arguments(arguments.subList(dashes + 1, arguments.size()));
                }
            }
            case "alias" ->
                arguments.stream().filter(text -> text.indexOf('=') > 0).forEach(text -> {
                    int equals = text.indexOf('=');
                    findings.alias(text.substring(0, equals), text.substring(equals + 1));
                });
            case "unset", "unalias" -> arguments.forEach(findings::forget);
            default -> {}
        }
    }

    private static void move(List<String> arguments, Findings findings) {
        String to = arguments.stream()
                .filter(text -> !text.startsWith("-") || text.equals("-"))
                .findFirst()
                .orElse("~");
        findings.folder(
                to.equals("-")
                        ? new Findings.Folder(Optional::empty)
                        : findings.folder().to(to));
    }

    private static void loop(List<String> arguments, Findings findings) {
        if (arguments.size() > 2 && arguments.get(1).equals("in")) {
            findings.several(arguments.getFirst(), arguments.subList(2, arguments.size()));
        }
    }

    private static void assignments(List<Word> words, Findings findings) {
        boolean declares = false;
        boolean exports = false;
        for (Word word : words) {
            String text = word.text();
            if (word.syntax()) {
                return;
            }
            if (Programs.assignment(text)) {
                assign(text, exports, findings);
            } else if (DECLARING.contains(text)) {
                declares = true;
                exports |= text.equals("export");
            } else if (declares && text.startsWith("-")) {
                exports |= text.indexOf('x') > 0;
            } else if (declares && exports) {
                findings.exported(text);
            } else {
                return;
            }
        }
    }

    private static void assign(String text, boolean exports, Findings findings) {
        int equals = text.indexOf('=');
        boolean more = text.charAt(equals - 1) == '+';
        String name = text.substring(0, more ? equals - 1 : equals);
        String value = text.substring(equals + 1);
        findings.compounded();
        findings.variable(name, more ? findings.variable(name).orElse("") + value : value);
        if (exports) {
            findings.exported(name);
        }
    }
}
