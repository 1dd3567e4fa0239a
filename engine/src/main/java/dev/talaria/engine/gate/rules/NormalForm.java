package dev.talaria.engine.gate.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Rewrites a command in the one spelling that rules are written for: `git -C x push -uf --del`
/// becomes `git push -u -f --delete`.
///
/// Options before the verb are left out with their values, bundles of letters are split, and a
/// shortened long option is written in full if a rule can be about it. The file `programs.forms`
/// describes the programs.
final class NormalForm {
    private static final Map<String, ProgramForm> FORMS = ProgramForm.read("programs.forms");

    private final ProgramForm form;
    private final List<String> verbs = new ArrayList<>();
    private final List<String> rest = new ArrayList<>();
    private final Set<String> values = new HashSet<>();

    private NormalForm(ProgramForm form) {
        this.form = form;
        values.addAll(form.values());
    }

    /// Returns the normal form, or the line itself if its program is not described.
    static String of(String line) {
        List<String> words = module(List.of(line.split(" ", -1)));
        ProgramForm form = FORMS.get(words.getFirst());
        if (form == null) {
            return line;
        }
        return new NormalForm(form).write(words);
    }

    /// Rewrites `python3 -m pip uninstall` as `pip uninstall`.
    private static List<String> module(List<String> words) {
        boolean python =
                words.getFirst().startsWith("python") || words.getFirst().startsWith("pypy");
        int option = python ? words.indexOf("-m") : -1;
        return option > 0 && option + 1 < words.size() ? words.subList(option + 1, words.size()) : words;
    }

    private String write(List<String> words) {
        int end = redirections(words);
        int at = verb(words, end);
        boolean options = true;
        while (at < end) {
            String word = words.get(at++);
            options &= !word.equals("--");
            boolean option = options && word.startsWith("-") && word.length() > 1;
            if (option && form.loose() && takesNext(word)) {
                at++;
            } else if (option) {
                rest.addAll(form.spelledOut(word));
            } else {
                (form.loose() ? verbs : rest).add(word);
            }
        }
        List<String> all = new ArrayList<>(words.subList(0, 1));
        all.addAll(verbs);
        all.addAll(rest);
        all.addAll(words.subList(end, words.size()));
        return String.join(" ", all);
    }

    /// Finds the verb, and the second verb if there is one. Returns where the rest begins.
    private int verb(List<String> words, int end) {
        int at = 1;
        boolean wanted = form.verb();
        while (wanted && at < end && !words.get(at).equals("--")) {
            String word = words.get(at);
            if (word.startsWith("-") || word.startsWith("+")) {
                at += takesNext(word) ? 2 : 1;
                continue;
            }
            at++;
            verbs.add(word);
            wanted = form.groups().containsKey(word);
            values.addAll(form.groups().getOrDefault(word, Set.of()));
        }
        return Math.min(at, end);
    }

    /// Returns whether an option takes the next word, by its name or by the beginning of a long name.
    private boolean takesNext(String word) {
        return values.contains(word)
                || (form.cut()
                        && word.startsWith("--")
                        && word.length() > 4
                        && word.indexOf('=') < 0
                        && values.stream().anyMatch(value -> value.startsWith(word)));
    }

    private static int redirections(List<String> words) {
        int at = 1;
        while (at < words.size()
                && words.get(at).indexOf('>') < 0
                && words.get(at).indexOf('<') < 0) {
            at++;
        }
        return at;
    }
}
