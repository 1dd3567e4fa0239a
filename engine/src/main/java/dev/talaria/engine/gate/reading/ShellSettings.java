package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Evaluates the builtins that change how a shell works: `set` and `shopt`.
final class ShellSettings {
    /// Options of the shell that change the meaning of folders and variables.
    private static final Set<String> STRANGE =
            Set.of("cdable_vars", "autocd", "localvar_inherit", "localvar_unset", "xpg_echo");

    private static final Map<Character, String> OPTIONS =
            Map.of('a', "allexport", 'k', "keyword", 'e', "errexit", 'P', "physical");

    private final Evaluator evaluator;
    private final Findings findings;

    ShellSettings(Evaluator evaluator) {
        this.evaluator = evaluator;
        this.findings = evaluator.findings;
    }

    /// Evaluates `shopt`. An option that is switched off may have stayed on.
    void shopt(List<String> arguments, State state) {
        if (arguments.stream().anyMatch(word -> word.matches("-[a-z]*u[a-z]*"))) {
            return;
        }
        state.options.addAll(arguments);
        if (arguments.stream().anyMatch(STRANGE::contains)) {
            findings.unknown("It has the shell read commands in another way.");
        }
    }

    /// Evaluates `set`: options, and the arguments of the shell.
    void set(List<String> arguments, State state) {
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            if (text.equals("--") || text.equals("-")) {
                state.arguments = List.copyOf(arguments.subList(i + 1, arguments.size()));
                break;
            }
            boolean option = text.length() > 1 && (text.charAt(0) == '-' || text.charAt(0) == '+');
            if (!option) {
                state.arguments = List.copyOf(arguments.subList(i, arguments.size()));
                break;
            }
            boolean on = text.charAt(0) == '-';
            for (char letter : text.substring(1).toCharArray()) {
                if (letter == 'o' && i + 1 < arguments.size()) {
                    option(arguments.get(++i), on, state);
                } else {
                    option(OPTIONS.getOrDefault(letter, ""), on, state);
                }
            }
        }
    }

    private void option(String name, boolean on, State state) {
        if (on && name.equals("keyword")) {
            findings.unknown("It has the shell take assignments wherever they stand.");
        }
        if (!on && name.equals("allexport")) {
            state.options.add("unexported");
        }
        if (on && name.equals("errexit")) {
            evaluator.jumps.jump(state); // from here on the shell may end anywhere
        }
        if (on && !name.isEmpty()) {
            state.options.add(name);
        }
    }
}
