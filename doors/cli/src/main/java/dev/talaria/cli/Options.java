package dev.talaria.cli;

import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// Short ways to describe options and to read them.
final class Options {
    private Options() {}

    /// Returns the description of a command with an example, which its `--help` ends with.
    static CommandSpec command(String name, String description, String synopsis, String... example) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage()
                .description(description)
                .customSynopsis(("talaria " + name + " " + synopsis).strip())
                .sortOptions(false)
                .optionListHeading("%nOptions:%n")
                .parameterListHeading("%n")
                .footerHeading("%nExample:%n")
                .footer(List.of(example).stream().map(line -> "  " + line).toArray(String[]::new));
        return spec.addOption(help());
    }

    static OptionSpec help() {
        return OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .type(boolean.class)
                .description("Show this and end.")
                .build();
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .description(description)
                .build();
    }

    static OptionSpec text(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build();
    }

    /// Describes an option that may be given several times.
    static OptionSpec texts(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(description)
                .build();
    }

    static PositionalParamSpec parameter(String index, String arity, String label, String description) {
        return PositionalParamSpec.builder()
                .index(index)
                .arity(arity)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build();
    }

    static PositionalParamSpec parameters(String index, String label, String description) {
        return PositionalParamSpec.builder()
                .index(index)
                .arity("0..*")
                .paramLabel(label)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description(description)
                .build();
    }

    static boolean has(ParseResult given, String option) {
        return given.hasMatchedOption(option);
    }

    static String value(ParseResult given, String option, String otherwise) {
        return given.matchedOptionValue(option, otherwise);
    }

    static List<String> values(ParseResult given, String option) {
        return given.matchedOptionValue(option, List.<String>of());
    }

    static String positional(ParseResult given, int index, String otherwise) {
        return given.matchedPositionalValue(index, otherwise);
    }

    static List<String> positionals(ParseResult given) {
        return given.matchedPositionals().stream()
                .flatMap((ArgSpec argument) -> argument.originalStringValues().stream())
                .toList();
    }
}
