package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.ShellWord.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Expands braces: `{rm,-rf,/}` is three words, `/{etc,usr}` two, `{1..3}` three. Only braces and
/// commas outside of quotes count.
final class Braces {
    private static final int MOST_WORDS = 500;
    private static final int MOST_BRACES = 50;
    private static final String NUMBER = "[-+]?\\d{1,9}";

    private Braces() {}

    private static boolean braces(ShellWord word) {
        for (Part part : word.parts()) {
            if (part instanceof Part.Text(String text, boolean quoted) && !quoted && text.indexOf('{') >= 0) {
                return true;
            }
        }
        return false;
    }

    /// Returns the words that a word with braces stands for; nothing if there are too many.
    static Optional<List<ShellWord>> expand(ShellWord word) {
        if (!braces(word)) {
            return Optional.of(List.of(word));
        }
        long signs = word.parts().stream()
                .filter(part -> part instanceof Part.Text text && !text.quoted())
                .mapToLong(part ->
                        ((Part.Text) part).text().chars().filter(c -> c == '{').count())
                .sum();
        if (signs > MOST_BRACES) {
            return Optional.empty();
        }
        List<ShellWord> done = new ArrayList<>();
        List<List<Part>> open = new ArrayList<>(List.of(atoms(word)));
        int work = 0;
        while (!open.isEmpty()) {
            List<Part> one = open.removeLast();
            Optional<List<List<Part>>> alternatives = first(one);
            work += one.size() + 1;
            if (alternatives.isEmpty()) {
                done.add(new ShellWord(joined(one)));
            } else {
                open.addAll(alternatives.get().reversed());
            }
            if (done.size() + open.size() > MOST_WORDS || work > 40 * MOST_WORDS) {
                return Optional.empty();
            }
        }
        return Optional.of(done);
    }

    /// Splits the text outside of quotes into its characters.
    private static List<Part> atoms(ShellWord word) {
        List<Part> atoms = new ArrayList<>();
        for (Part part : word.parts()) {
            if (part instanceof Part.Text(String text, boolean quoted) && !quoted) {
                text.chars().forEach(c -> atoms.add(new Part.Text(String.valueOf((char) c), false)));
            } else {
                atoms.add(part);
            }
        }
        return atoms;
    }

    private static List<Part> joined(List<Part> atoms) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (Part atom : atoms) {
            if (atom instanceof Part.Text(String one, boolean quoted) && !quoted) {
                text.append(one);
                continue;
            }
            if (!text.isEmpty()) {
                parts.add(new Part.Text(text.toString(), false));
                text.setLength(0);
            }
            parts.add(atom);
        }
        if (!text.isEmpty()) {
            parts.add(new Part.Text(text.toString(), false));
        }
        return parts;
    }

    /// Expands the first pair of braces that stands for several words.
    private static Optional<List<List<Part>>> first(List<Part> atoms) {
        for (int start = 0; start < atoms.size(); start++) {
            if (!is(atoms.get(start), '{')) {
                continue;
            }
            Optional<List<List<Part>>> found = pair(atoms, start);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<List<List<Part>>> pair(List<Part> atoms, int start) {
        List<Integer> commas = new ArrayList<>();
        int open = 1;
        for (int i = start + 1; i < atoms.size(); i++) {
            Part atom = atoms.get(i);
            open += is(atom, '{') ? 1 : is(atom, '}') ? -1 : 0;
            if (open == 1 && is(atom, ',')) {
                commas.add(i);
            }
            if (open == 0) {
                List<List<Part>> inner = commas.isEmpty() ? range(atoms.subList(start + 1, i)) : new ArrayList<>();
                int from = start + 1;
                for (int comma : commas) {
                    inner.add(atoms.subList(from, comma));
                    from = comma + 1;
                }
                if (!commas.isEmpty()) {
                    inner.add(atoms.subList(from, i));
                }
                return inner.isEmpty() ? Optional.empty() : Optional.of(around(atoms, start, i, inner));
            }
        }
        return Optional.empty();
    }

    private static List<List<Part>> around(List<Part> atoms, int start, int end, List<List<Part>> inner) {
        List<List<Part>> all = new ArrayList<>();
        for (List<Part> one : inner) {
            List<Part> word = new ArrayList<>(atoms.subList(0, start));
            word.addAll(one);
            word.addAll(atoms.subList(end + 1, atoms.size()));
            all.add(word);
        }
        return all;
    }

    /// Expands `1..5` and `a..e`.
    private static List<List<Part>> range(List<Part> atoms) {
        StringBuilder text = new StringBuilder();
        for (Part atom : atoms) {
            if (!(atom instanceof Part.Text(String one, boolean quoted)) || quoted) {
                return List.of();
            }
            text.append(one);
        }
        String[] ends = text.toString().split("\\.\\.", -1);
        if (ends.length < 2 || ends.length > 3) {
            return List.of();
        }
        boolean letters = ends[0].length() == 1 && ends[1].length() == 1 && !Character.isDigit(ends[0].charAt(0));
        if (ends[0].matches("[-+]?\\d{10,}") || ends[1].matches("[-+]?\\d{10,}")) {
            return List.of(List.of(new Part.Text(UnknownValues.MADE, true)));
        }
        if (!letters && !(ends[0].matches(NUMBER) && ends[1].matches(NUMBER))) {
            return List.of();
        }
        int from = letters ? ends[0].charAt(0) : Integer.parseInt(ends[0]);
        int to = letters ? ends[1].charAt(0) : Integer.parseInt(ends[1]);
        int step = ends.length == 3 && ends[2].matches("-?\\d{1,4}") ? Math.abs(Integer.parseInt(ends[2])) : 1;
        int each = Math.max(1, step) * (to < from ? -1 : 1);
        boolean zeros = !letters && (ends[0].matches("-?0\\d+") || ends[1].matches("-?0\\d+"));
        int width = zeros ? Math.max(ends[0].length(), ends[1].length()) : 0; // {01..10}
        List<List<Part>> all = new ArrayList<>();
        for (int i = from; (each > 0 ? i <= to : i >= to) && all.size() <= MOST_WORDS; i += each) {
            String one = letters
                    ? String.valueOf((char) i)
                    : width == 0 ? String.valueOf(i) : String.format(Locale.ROOT, "%0" + width + "d", i);
            all.add(List.of(new Part.Text(one, true)));
        }
        return all;
    }

    private static boolean is(Part part, char c) {
        return part instanceof Part.Text(String text, boolean quoted)
                && !quoted
                && text.length() == 1
                && text.charAt(0) == c;
    }
}
