package dev.talaria.engine.gate.reading;

import java.util.List;
import java.util.Optional;

/// Computes `tr` with plain sets: `tr a-z n-za-m`, `tr -d x`. It works on bytes, so only ASCII is
/// computed.
final class Translation {
    private Translation() {}

    static Optional<String> of(List<String> arguments, String text) {
        boolean deletes = arguments.size() == 2 && arguments.getFirst().equals("-d");
        boolean odd = arguments.size() != 2
                || (!deletes && option(arguments.getFirst()))
                || option(arguments.getLast())
                || arguments.getLast().isEmpty()
                || !PlainText.ascii(text)
                || arguments.stream()
                        .anyMatch(set -> !PlainText.ascii(set) || set.indexOf('[') >= 0 || set.indexOf('\\') >= 0);
        if (odd) {
            return Optional.empty();
        }
        Optional<String> from = set(arguments.get(deletes ? 1 : 0));
        Optional<String> to = deletes ? Optional.of("") : set(arguments.get(1));
        if (from.isEmpty() || to.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int at = from.get().lastIndexOf(c);
            if (at < 0) {
                out.append(c);
            } else if (!deletes) {
                out.append(to.get().charAt(Math.min(at, to.get().length() - 1)));
            }
        }
        return Optional.of(out.toString());
    }

    private static boolean option(String word) {
        return word.startsWith("-") && word.length() > 1;
    }

    private static Optional<String> set(String written) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            boolean range = i + 2 < written.length() && written.charAt(i + 1) == '-';
            if (!range) {
                all.append(written.charAt(i));
                continue;
            }
            if (written.charAt(i) > written.charAt(i + 2)) {
                return Optional.empty();
            }
            for (char c = written.charAt(i); c <= written.charAt(i + 2); c++) {
                all.append(c);
            }
            i += 2;
        }
        return Optional.of(all.toString());
    }
}
