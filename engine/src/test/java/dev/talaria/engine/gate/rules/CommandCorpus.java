package dev.talaria.engine.gate.rules;

import java.util.List;

/// Commands that must be asked about, and commands that must not, from two hands: one that knows the rules, and one
/// that has never seen them.
public final class CommandCorpus {
    private CommandCorpus() {}

    public static List<String> dangerousOfOurs() {
        return commands("own-dangerous.txt");
    }

    public static List<String> ordinaryOfOurs() {
        return commands("own-ordinary.txt");
    }

    public static List<String> dangerousOfAnother() {
        return commands("blind-dangerous.txt");
    }

    public static List<String> ordinaryOfAnother() {
        return commands("blind-ordinary.txt");
    }

    private static List<String> commands(String resource) {
        return PatternTable.lines(resource).stream()
                .filter(line -> !line.startsWith("## "))
                .map(line -> line.replace("\\n", "\n"))
                .toList();
    }
}
