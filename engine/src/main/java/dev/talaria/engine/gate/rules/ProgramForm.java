package dev.talaria.engine.gate.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Describes a program's options, as far as they are needed to find its verb. The language of a file
/// of forms, line by line:
///
/// - `program NAME ...` begins a form, for programs that take the same options
/// - `value OPTION ...` names options before the verb that take the next word
/// - `short` says that those options may be shortened
/// - `group VERB OPTION ...` names a verb that another verb follows, and the options between them
///   that take a word
/// - `loose` says that options may stand anywhere between verbs and operands: operands are put first
/// - `plain` says that the program has no verb
/// - `long NAME ...` names the long options that rules are about, the likeliest first
/// - `letters [LETTERS]` says that letters can be bundled, and which of them take a value
///
/// @param values options that take the next word
/// @param cut whether those options may be shortened
/// @param groups verbs that another verb follows, with their options
/// @param loose whether options may stand anywhere
/// @param verb whether there is a verb
/// @param longs names of long options
/// @param bundles whether letters can be bundled
/// @param valued letters that take a value
record ProgramForm(
        Set<String> values,
        boolean cut,
        Map<String, Set<String>> groups,
        boolean loose,
        boolean verb,
        List<String> longs,
        boolean bundles,
        String valued) {

    static Map<String, ProgramForm> read(String resource) {
        Map<String, ProgramForm> all = new HashMap<>();
        List<String> names = List.of();
        Draft draft = new Draft();
        for (String line : RuleFile.lines(resource)) {
            List<String> words = List.of(line.strip().split(" +"));
            List<String> rest = words.subList(1, words.size());
            if (words.getFirst().equals("program")) {
                names.forEach(put(all, draft));
                names = rest;
                draft = new Draft();
            } else {
                draft.detail(words.getFirst(), rest);
            }
        }
        names.forEach(put(all, draft));
        return Map.copyOf(all);
    }

    private static Consumer<String> put(Map<String, ProgramForm> all, Draft draft) {
        ProgramForm form = draft.form();
        return name -> all.put(name, form);
    }

    /// Returns an option in full, a word for each letter.
    List<String> spelledOut(String word) {
        if (word.startsWith("--")) {
            int equals = word.indexOf('=');
            String name = word.substring(2, equals < 0 ? word.length() : equals);
            String value = equals < 0 ? "" : word.substring(equals);
            boolean whole = name.isEmpty() || longs.contains(name);
            return longs.stream()
                    .filter(known -> !whole && known.startsWith(name))
                    .findFirst()
                    .map(known -> List.of("--" + known + value))
                    .orElse(List.of(word));
        }
        return bundles ? letters(word) : List.of(word);
    }

    private List<String> letters(String bundle) {
        List<String> words = new ArrayList<>();
        for (int i = 1; i < bundle.length(); i++) {
            char letter = bundle.charAt(i);
            if (!Character.isLetterOrDigit(letter)) {
                return List.of(bundle);
            }
            words.add("-" + letter);
            if (valued.indexOf(letter) >= 0 && i + 1 < bundle.length()) {
                words.add(bundle.substring(i + 1));
                break;
            }
        }
        return words;
    }

    private static final class Draft {
        private final Set<String> values = new HashSet<>();
        private final Map<String, Set<String>> groups = new HashMap<>();
        private final List<String> longs = new ArrayList<>();
        private boolean cut;
        private boolean loose;
        private boolean verb = true;
        private boolean bundles;
        private String valued = "";

        void detail(String word, List<String> rest) {
            switch (word) {
                case "value" -> values.addAll(rest);
                case "group" -> groups.put(rest.getFirst(), Set.copyOf(rest.subList(1, rest.size())));
                case "short" -> cut = true;
                case "loose" -> loose = true;
                case "plain" -> verb = false;
                case "long" -> longs.addAll(rest);
                case "letters" -> {
                    bundles = true;
                    valued = String.join("", rest);
                }
                default -> throw new IllegalStateException("There is no '" + word + "' in a file of forms.");
            }
        }

        ProgramForm form() {
            return new ProgramForm(
                    Set.copyOf(values), cut, Map.copyOf(groups), loose, verb, List.copyOf(longs), bundles, valued);
        }
    }
}
