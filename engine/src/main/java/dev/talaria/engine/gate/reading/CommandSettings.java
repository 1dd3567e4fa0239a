package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Finds settings of programs whose values are commands: `GIT_PAGER='rm -rf /' git log`, `tar
/// --to-command='rm -rf /'`.
final class CommandSettings {
    private static final Pattern VARIABLE = Pattern.compile(
            "(?:\\w*PAGER|\\w*EDITOR|VISUAL|PROMPT_COMMAND|GIT_SSH_COMMAND|GIT_SSH|GIT_ASKPASS|GIT_EXTERNAL_DIFF|"
                    + "SSH_ASKPASS|LESSOPEN|LESSCLOSE|BROWSER|FCEDIT|MANOPT|RSYNC_RSH|CVS_RSH|"
                    + "GIT_CONFIG_VALUE_\\d+|GIT_SEQUENCE_EDITOR|GIT_PROXY_COMMAND|MAKEFLAGS|TAR_OPTIONS)=!?(.+)",
            Pattern.DOTALL);

    private static final Pattern OPTION = Pattern.compile(
            "--(?:checkpoint-action=exec|to-command|use-compress-program|rsh|pager|compress-program|pre|"
                    + "info-script|new-volume-script|rmt-command|rsync-path|upload-pack|receive-pack|exec)=(.+)",
            Pattern.DOTALL);

    private static final Pattern GIT = Pattern.compile(
            "(?i)(?:core\\.\\w*(?:pager|editor|sshcommand|askpass|fsmonitor)|\\w*\\.\\w*tool\\.\\w+|pager\\.\\w+|"
                    + "\\w+\\.\\S*(?:command|cmd|helper|textconv|driver|program|clean|smudge))=!?(.+)"
                    + "|alias\\.\\w+=!(.+)",
            Pattern.DOTALL);

    /// Options whose values are commands and stand in the next word.
    private static final Map<String, List<String>> TAKING =
            Words.rows("""
            tar -I -F --to-command --use-compress-program --info-script --new-volume-script --rmt-command --checkpoint-action --rsh-command
            rsync -e --rsh --rsync-path
            sort --compress-program
            man -P --pager -H --html
            rg --pre --hostname-bin
            ag --pager
            scp -S
            sftp -S
            fzf --preview
            xterm -e
            zip -TT --unzip-command
            split --filter
            gdb -ex --eval-command
            git --upload-pack --receive-pack --exec -x --tool --extcmd
            """).stream().collect(Collectors.toMap(List::getFirst, row -> row.subList(1, row.size())));

    /// Programs of this table whose letters can be bundled.
    private static final Set<String> BUNDLES = Set.of("rsync", "man", "scp", "sftp");

    private static final Pattern MAKE = Pattern.compile("SHELL=(.+)", Pattern.DOTALL);

    private CommandSettings() {}

    /// Returns the command that an assignment contains.
    static Optional<String> of(String assignment) {
        Matcher matcher = VARIABLE.matcher(assignment);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /// Returns whether a word is the option, or a shortened form of a long one.
    private static boolean cut(String word, String option) {
        return word.equals(option) || (word.length() > 3 && word.startsWith("--") && option.startsWith(word));
    }

    /// Returns the value in an option's own word: `--rsh=VALUE`, `--rs=VALUE`, `-eVALUE`.
    private static Optional<String> attached(String word, List<String> taking) {
        int equals = word.indexOf('=');
        if (word.startsWith("--")) {
            return equals > 3 && taking.stream().anyMatch(one -> cut(word.substring(0, equals), one))
                    ? Optional.of(word.substring(equals + 1))
                    : Optional.empty();
        }
        return taking.stream()
                .filter(one -> one.length() == 2 && word.length() > 2 && word.startsWith(one))
                .map(one -> word.substring(2))
                .findFirst();
    }

    /// Returns the commands that a program's options contain.
    static List<String> in(String program, List<String> arguments) {
        List<String> found = new ArrayList<>();
        if (program.equals("tar") || program.equals("gtar")) {
            found.addAll(UnpackedFiles.run(arguments)); // bundles of letters
        }
        List<String> taking = TAKING.getOrDefault(program, List.of());
        boolean gitGrep = program.equals("git") && arguments.contains("grep");
        for (int i = 0; i < arguments.size(); i++) {
            String text = arguments.get(i);
            if (i + 1 < arguments.size() && taking.stream().anyMatch(one -> cut(text, one))) {
                found.add(arguments.get(i + 1).replaceFirst("^exec=", ""));
            }
            boolean bundle = BUNDLES.contains(program)
                    && text.matches("-[a-zA-Z]+")
                    && taking.contains("-" + text.charAt(text.length() - 1));
            if (bundle && text.length() > 2 && i + 1 < arguments.size()) {
                found.add(arguments.get(i + 1));
            }
            attached(text, taking).ifPresent(value -> found.add(value.replaceFirst("^exec=", "")));
            if (program.equals("split") && text.startsWith("--f") && text.indexOf('=') > 0) {
                found.add(text.substring(text.indexOf('=') + 1)); // --filter, which may be shortened
            }
            if (text.startsWith("exec=") && program.equals("tar")) {
                found.add(text.substring("exec=".length()));
            }
            if (gitGrep && text.matches("(?s)-O.+|--open\\S*=.+")) {
                found.add(text.replaceFirst("^(?:-O|--open[^=]*=)", ""));
            }
            if (text.indexOf('=') < 3) {
                continue;
            }
            Matcher option = OPTION.matcher(text);
            if (option.matches()) {
                found.add(option.group(1));
            } else if (program.equals("git")) {
                Matcher setting = GIT.matcher(text);
                if (setting.matches()) {
                    found.add(setting.group(1) == null ? setting.group(2) : setting.group(1));
                }
            } else if (program.equals("make")) {
                Matcher shell = MAKE.matcher(text);
                if (shell.matches()) {
                    found.add(shell.group(1));
                }
            }
        }
        return found;
    }
}
