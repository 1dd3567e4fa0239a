package dev.talaria.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The syntax of a command's arguments.
///
/// We parse it ourselves: the usual library is compiled for Java 5, so no AOT cache can hold its classes, and
/// loading it would take a third of the start time.
///
/// @param name the command
/// @param summary one sentence about the command
/// @param parameters the names of the other arguments; a name that ends with `...` takes all remaining ones
/// @param required the number of parameters that must be given
/// @param examples command lines for the help
record Syntax(
        String name,
        String summary,
        List<String> parameters,
        int required,
        List<Option> options,
        List<String> examples) {
    static final Option HELP = Option.flag("--help", "Show this and end.");
    private static final int COLUMN = 28;
    private static final int WIDTH = 100;

    Syntax {
        parameters = List.copyOf(parameters);
        options = Stream.concat(options.stream(), Stream.of(HELP)).distinct().toList();
        examples = List.copyOf(examples);
    }

    /// Returns the same syntax with further options.
    Syntax with(List<Option> more) {
        return new Syntax(
                name,
                summary,
                parameters,
                required,
                Stream.concat(options.stream(), more.stream()).toList(),
                examples);
    }

    String firstSentence() {
        int end = summary.indexOf(". ");
        return end < 0 ? summary : summary.substring(0, end + 1);
    }

    /// Returns the parsed arguments.
    ///
    /// @throws UsageException if the arguments do not follow this syntax
    Arguments parse(List<String> args) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        List<String> positionals = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if (arg.equals("-") || !arg.startsWith("-")) {
                positionals.add(arg);
                continue;
            }
            int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
            Option option = find(equals < 0 ? arg : arg.substring(0, equals));
            List<String> given = values.computeIfAbsent(option.name(), _ -> new ArrayList<>());
            if (!option.repeated() && !given.isEmpty()) {
                throw wrong(option.name() + " is given twice.");
            }
            if (option.label().isEmpty()) {
                if (equals >= 0) {
                    throw wrong(option.name() + " takes no value.");
                }
                given.add("");
            } else {
                given.add(equals < 0 ? value(option, args, ++i) : arg.substring(equals + 1));
            }
        }
        Arguments arguments = new Arguments(values, positionals);
        return arguments.has(HELP.name()) ? arguments : check(arguments);
    }

    private Option find(String written) {
        String wanted = written.equals("-h") ? HELP.name() : written;
        return options.stream()
                .filter(option -> option.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> wrong("there is no option " + written + "."
                        + Suggestion.of(
                                written, options.stream().map(Option::name).toList())));
    }

    private String value(Option option, List<String> args, int index) {
        if (index >= args.size() || args.get(index).startsWith("--")) {
            throw wrong(option.name() + " needs a value: " + option.text() + ".");
        }
        return args.get(index);
    }

    private Arguments check(Arguments arguments) {
        int count = arguments.positionals().size();
        boolean endless = !parameters.isEmpty() && parameters.getLast().endsWith("...");
        if (count < required) {
            throw wrong(parameters.get(count) + " is missing.");
        }
        if (!endless && count > parameters.size()) {
            String extra = arguments.positionals().get(parameters.size());
            throw wrong("'" + extra + "' is one argument too many."
                    + (name.equals(RunCommand.NAME) ? " Arguments of the script go after '--'." : ""));
        }
        return arguments;
    }

    private UsageException wrong(String message) {
        return new UsageException(message, "talaria " + name + " --help");
    }

    /// Returns the text that `--help` prints.
    String help() {
        StringBuilder text = new StringBuilder("Usage: talaria " + name);
        for (int i = 0; i < parameters.size(); i++) {
            String parameter = parameters.get(i);
            text.append(' ').append(i < required ? parameter : "[" + parameter + "]");
        }
        text.append(" [OPTIONS]")
                .append(
                        name.equals(RunCommand.NAME)
                                ? " [-- ARGS]"
                                : name.equals(ShellCommand.NAME) ? " [-- COMMAND]" : "")
                .append("\n\n");
        text.append(wrap(summary, 0)).append("\n\nOptions:\n");
        options.forEach(option -> text.append(entry(option.text(), option.description())));
        text.append(examples.size() > 1 ? "\nExamples:\n" : "\nExample:\n");
        examples.forEach(example -> text.append("  ").append(example).append('\n'));
        return text.toString();
    }

    /// Returns a line of a two-column list.
    static String entry(String left, String right) {
        String start = "  " + left;
        String gap = start.length() < COLUMN - 1 ? " ".repeat(COLUMN - start.length()) : "\n" + " ".repeat(COLUMN);
        return start + gap + wrap(right, COLUMN) + "\n";
    }

    private static String wrap(String text, int indent) {
        StringBuilder wrapped = new StringBuilder();
        int column = indent;
        for (String word : Arrays.asList(text.split(" ", -1))) {
            if (column > indent && column + 1 + word.length() > WIDTH) {
                wrapped.append('\n').append(" ".repeat(indent));
                column = indent;
            } else if (column > indent) {
                wrapped.append(' ');
                column++;
            }
            wrapped.append(word);
            column += word.length();
        }
        return wrapped.toString();
    }
}
