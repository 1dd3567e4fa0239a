package dev.talaria.engine.gate.reading;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Lists programs that print commands for a shell, with the arguments that they need for it. With
/// other arguments they may print anything, such as a text that somebody has put on a server.
final class TrustedPrinters {
    private static final String WORDS = "(?: [\\w.:=/@,+~-]+)*";

    private TrustedPrinters() {}

    /// Returns, by program, the form that its whole command must have.
    static Map<String, Pattern> table() {
        Map<String, Pattern> all = new HashMap<>();
        of(all, "(?: -[cskDd]| -[at] [\\w./-]+)*", List.of("ssh-agent"));
        of(all, " (?:hook|export) \\w+", List.of("direnv"));
        of(
                all,
                " (?:init|virtualenv-init|sh-\\w+)" + WORDS,
                List.of("pyenv", "rbenv", "nodenv", "jenv", "goenv", "starship", "zoxide", "atuin"));
        of(all, " (?:shellenv|completions?)" + WORDS, List.of("brew"));
        of(all, " (?:shell\\.\\w+|shell hook)" + WORDS, List.of("conda", "mamba", "micromamba"));
        of(all, WORDS, List.of("dircolors", "resize", "lesspipe", "register-python-argcomplete"));
        of(all, " (?:config )?env" + WORDS, List.of("opam", "fnm", "docker-machine"));
        of(all, " (?:activate|env|hook-env|completion)" + WORDS, List.of("mise"));
        of(all, " (?:path|completion)" + WORDS, List.of("luarocks"));
        of(all, " (?:-p \\w+ )?(?:docker-env|podman-env|completion)" + WORDS, List.of("minikube"));
        of(all, " completions?" + WORDS, List.of("kubectl", "helm", "gh", "glab", "npm", "pip", "rustup", "poetry"));
        return Map.copyOf(all);
    }

    private static void of(Map<String, Pattern> all, String words, List<String> programs) {
        programs.forEach(name -> all.put(name, Pattern.compile(Pattern.quote(name) + words)));
    }
}
