package dev.talaria.engine.decide.reading;

import java.util.List;
import java.util.Optional;

/// `tr` with plain sets: `tr a-z n-za-m`, `tr -d x`.
final class Translation {
    private Translation() {}

    static Optional<String> of(List<String> arguments, String text) {
        boolean deletes = arguments.size() == 2 && arguments.getFirst().equals("-d");
        boolean odd = arguments.size() != 2
                || (!deletes && arguments.getFirst().startsWith("-"))
                || arguments.stream()
                        .anyMatch(set -> Marks.any(set) || set.indexOf('[') >= 0 || set.indexOf('\\') >= 0);
        if (odd) {
            return Optional.empty();
        }
        String from = set(arguments.get(deletes ? 1 : 0));
        String to = deletes ? "" : set(arguments.get(1));
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int at = from.lastIndexOf(c);
            if (at < 0) {
                out.append(c);
            } else if (!to.isEmpty()) {
                out.append(to.charAt(Math.min(at, to.length() - 1)));
            }
        }
        return Optional.of(out.toString());
    }

    private static String set(String written) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            boolean range = i + 2 < written.length() && written.charAt(i + 1) == '-';
            if (!range) {
                all.append(written.charAt(i));
                continue;
            }
            for (char c = written.charAt(i); c <= written.charAt(i + 2) && all.length() < 500; c++) {
                all.append(c);
            }
            i += 2;
        }
        return all.toString();
    }
}
