package dev.talaria.engine.gate.reading;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads the words of `awk`: its programs, the commands that they pass to a shell, and the files that
/// they write.
final class Awk {
    private static final Set<String> NAMES = Set.of("awk", "gawk", "mawk", "nawk", "original-awk", "goawk", "pgawk");
    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.){0,2000})\"", Pattern.DOTALL);
    private static final Pattern UNCLEAR =
            Pattern.compile("\\bsystem\\s*\\(\\s*[^\"\\s]|(?<!\\|)\\|&?(?!\\|)\\s*(?:[a-zA-Z_$(]|\"_*\"\\s*[\\w$])");
    private static final Pattern READ = Pattern.compile("(?<!\\|)\\|&?\\s*getline");
    private static final Pattern READ_CLEARLY =
            Pattern.compile("(?:[{;(\\n]|^|\\bwhile\\s*\\(+)\\s*\\(?\\s*\"_*\"\\s*\\)?\\s*\\|&?\\s*getline");
    private static final Pattern SHELL = Pattern.compile("\\|&?\\s*\"(?:\\S*/)?(?:ba|da|z|k)?sh\\b");
    private static final Pattern OUTPUT = Pattern.compile("\\bprintf?\\b[^;}\\n]{0,500}?>>?\\s*");
    private static final Pattern NAME = Pattern.compile("\\w+");
    private static final int LONGEST = 20_000;

    private final List<String> texts = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final List<String> included = new ArrayList<>();
    private final List<String> operands = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();
    private boolean inPlace;

    private Awk() {}

    static boolean named(String program) {
        return NAMES.contains(program);
    }

    static Awk of(List<String> words) {
        Awk awk = new Awk();
        int at = 0;
        while (at < words.size()) {
            String word = words.get(at);
            if (word.equals("--") || !word.startsWith("-") || word.length() < 2) {
                at += word.equals("--") ? 1 : 0;
                break;
            }
            at++;
            String next = at < words.size() ? words.get(at) : "";
            int equals = word.indexOf('=');
            if (word.startsWith("--")) {
                String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
                boolean takes = awk.option(longLetter(name), equals < 0 ? next : word.substring(equals + 1));
                at += takes && equals < 0 ? 1 : 0;
            } else {
                String value = word.length() > 2 ? word.substring(2) : next;
                boolean takes = awk.option(word.charAt(1), value);
                at += takes && word.length() == 2 ? 1 : 0;
            }
        }
        boolean program = awk.texts.isEmpty() && awk.files.isEmpty() && at < words.size();
        if (program) {
            awk.texts.add(words.get(at++));
        }
        words.subList(Math.min(at, words.size()), words.size()).forEach(word -> {
            if (Programs.assignment(word)) {
                awk.assign(word);
            } else {
                awk.operands.add(word);
            }
        });
        return awk;
    }

    private static char longLetter(String name) {
        return List.of("file:f", "source:e", "exec:E", "assign:v", "include:i", "field-separator:F", "load:l").stream()
                .filter(one -> !name.isEmpty() && one.startsWith(name))
                .map(one -> one.charAt(one.length() - 1))
                .findFirst()
                .orElse(' ');
    }

    /// Reads one option, and returns whether it takes a value.
    private boolean option(char letter, String value) {
        switch (letter) {
            case 'f', 'E' -> files.add(value);
            case 'e' -> texts.add(value);
            case 'v' -> assign(value);
            case 'i' -> {
                inPlace |= value.startsWith("inplace");
                included.add(value);
            }
            case 'F', 'l', 'm', 'W' -> {}
            default -> {
                return false;
            }
        }
        return true;
    }

    private void assign(String word) {
        int equals = word.indexOf('=');
        if (equals > 0) {
            variables.put(word.substring(0, equals), word.substring(equals + 1));
        }
    }

    List<String> files() {
        List<String> all = new ArrayList<>(files);
        all.addAll(included);
        return all;
    }

    List<String> texts() {
        return texts;
    }

    /// Returns the files that awk changes in place.
    List<String> changed() {
        return inPlace ? operands : List.of();
    }

    /// Returns whether a program builds its commands from its input.
    static boolean runsInput(String program) {
        if (program.length() > LONGEST) {
            return true;
        }
        String masked = masked(program);
        return UNCLEAR.matcher(READ.matcher(masked).replaceAll(" ")).find()
                || READ.matcher(READ_CLEARLY.matcher(masked).replaceAll(" ")).find()
                || SHELL.matcher(program).find();
    }

    /// Returns the files that a program prints to, if it names them.
    List<String> written(String program) {
        List<String> found = new ArrayList<>();
        Matcher output = OUTPUT.matcher(masked(program));
        while (program.length() < LONGEST && output.find()) {
            String rest = program.substring(output.end());
            Matcher home = Pattern.compile("^\\(?\\s*ENVIRON\\[\"HOME\"\\]\\s*").matcher(rest);
            String head = home.find() ? "~" : "";
            String named = head.isEmpty() ? rest : rest.substring(home.end());
            Matcher string = STRING.matcher(named.replaceFirst("^\\(\\s*", ""));
            Matcher name = NAME.matcher(named);
            if (string.lookingAt()) {
                found.add(head + string.group(1));
            } else if (name.lookingAt()) {
                found.addAll(values(name.group(), program));
            }
        }
        found.removeIf(path -> path.startsWith("/dev/std") || path.startsWith("/inet/"));
        return found;
    }

    private List<String> values(String name, String program) {
        List<String> values = new ArrayList<>();
        if (variables.containsKey(name)) {
            values.add(variables.get(name));
        }
        Matcher assigned = Pattern.compile("\\b" + name + "\\s*=\\s*(ENVIRON\\[\"HOME\"\\]\\s*)?" + STRING.pattern())
                .matcher(program);
        while (assigned.find()) {
            values.add((assigned.group(1) == null ? "" : "~") + assigned.group(2));
        }
        return values;
    }

    /// Returns the program with its strings, patterns and comments blanked out.
    private static String masked(String program) {
        StringBuilder masked = new StringBuilder(program);
        char before = '(';
        for (int i = 0; i < masked.length(); i++) {
            char c = masked.charAt(i);
            boolean pattern = c == '/' && "(,!~;{}&|\n".indexOf(before) >= 0;
            if (c == '"' || pattern) {
                int end = end(program, i);
                for (int j = i + 1; j < end; j++) {
                    masked.setCharAt(j, '_');
                }
                i = end;
            } else if (c == '#') {
                int end = program.indexOf('\n', i);
                for (int j = i; j < (end < 0 ? masked.length() : end); j++) {
                    masked.setCharAt(j, ' ');
                }
            }
            before = c == ' ' || c == '\t' ? before : c;
        }
        return masked.toString();
    }

    private static int end(String program, int from) {
        char quote = program.charAt(from);
        boolean set = false;
        for (int i = from + 1; i < program.length(); i++) {
            char c = program.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quote == '/' && (c == '[' || c == ']')) {
                set = c == '[';
            } else if (c == quote && !set) {
                return i;
            }
        }
        return program.length();
    }
}
