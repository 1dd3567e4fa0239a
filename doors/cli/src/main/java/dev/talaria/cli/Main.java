package dev.talaria.cli;

import dev.talaria.api.SandboxException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Where `./talaria` starts.
public final class Main {
    private static final Map<String, Supplier<CliCommand>> COMMANDS = commands();

    private final Console console;

    private Main(Console console) {
        this.console = console;
    }

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        System.exit(execute(console, args));
    }

    /// Runs one command and returns its exit code; nothing is thrown.
    public static int execute(Console console, String... args) {
        return new Main(console).run(args);
    }

    private static Map<String, Supplier<CliCommand>> commands() {
        Map<String, Supplier<CliCommand>> commands = new LinkedHashMap<>();
        commands.put(RunCommand.NAME, RunCommand::new);
        commands.put("call", CallCommand::new);
        commands.put("schema", SchemaCommand::new);
        return commands;
    }

    private int run(String[] args) {
        int end = Arrays.asList(args).indexOf("--");
        List<String> own = Arrays.asList(args).subList(0, end < 0 ? args.length : end);
        List<String> rest = end < 0 ? List.of() : Arrays.asList(args).subList(end + 1, args.length);
        CommandLine line = commandLine(own);
        try {
            ParseResult given = line.parseArgs(own.toArray(String[]::new));
            return helped(given) ? ExitCode.SUCCESS.number() : command(line, given, rest);
        } catch (ParameterException e) {
            return misunderstood(e);
        } catch (UsageException e) {
            return fail(e, String.valueOf(e.getMessage()), ExitCode.USAGE);
        } catch (SandboxException e) {
            return fail(e, String.valueOf(e.getMessage()), ExitCode.of(e.code()));
        } catch (IOException | RuntimeException e) {
            String hint = console.debug() ? "" : " Set " + Console.DEBUG + "=1 to see where.";
            return fail(e, "internal error: " + e + "." + hint, ExitCode.FAILED);
        }
    }

    private int command(CommandLine line, ParseResult given, List<String> rest) throws IOException {
        if (!given.hasSubcommand()) {
            line.usage(console.err());
            console.err().flush();
            return ExitCode.USAGE.number();
        }
        ParseResult inner = given.subcommand();
        String name = inner.commandSpec().name();
        if (!rest.isEmpty() && !name.equals(RunCommand.NAME)) {
            throw new UsageException("'--' and arguments after it are for scripts: talaria run FILE -- ARGS.");
        }
        return command(name).run(inner, rest, console);
    }

    private static CliCommand command(String name) {
        Supplier<CliCommand> command = COMMANDS.get(name);
        if (command == null) {
            throw new IllegalStateException("No command " + name);
        }
        return command.get();
    }

    /// Describes the command that was asked for; all of them only for help and for mistakes.
    private CommandLine commandLine(List<String> args) {
        CommandSpec root = CommandSpec.create().name("talaria").addOption(Options.help());
        root.addOption(OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .type(boolean.class)
                .description("Show the version and end.")
                .build());
        root.usageMessage()
                .description("Runs a model's scripts and commands in a sandbox, and lets scripts call tools.")
                .customSynopsis("talaria COMMAND [OPTIONS]")
                .commandListHeading("%nCommands (talaria COMMAND --help tells more):%n")
                .footerHeading("%nExample:%n")
                .footer("  talaria run examples/repo-report.py");
        root.version("talaria " + version());
        boolean known = !args.isEmpty() && COMMANDS.containsKey(args.getFirst());
        List<String> needed = known ? List.of(args.getFirst()) : new ArrayList<>(COMMANDS.keySet());
        needed.forEach(name -> root.addSubcommand(name, command(name).spec()));
        CommandLine line = new CommandLine(root);
        line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
        line.setColorScheme(CommandLine.Help.defaultColorScheme(console.outIsTerminal() ? Ansi.AUTO : Ansi.OFF));
        return line;
    }

    private boolean helped(ParseResult given) {
        ParseResult inner = given.hasSubcommand() ? given.subcommand() : given;
        CommandLine line = inner.commandSpec().commandLine();
        if (inner.isUsageHelpRequested()) {
            line.usage(console.out());
        } else if (given.isVersionHelpRequested()) {
            line.printVersionHelp(console.out());
        } else {
            return false;
        }
        console.out().flush();
        return true;
    }

    private int misunderstood(ParameterException e) {
        CommandLine line = e.getCommandLine();
        console.say("talaria: " + e.getMessage());
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                console.say("Did you mean " + String.join(" or ", suggestions) + "?");
            }
            if (line.getCommandName().equals(RunCommand.NAME) && !unmatched.isUnknownOption()) {
                console.say("Arguments of the script go after '--'.");
            }
        }
        console.say("'" + line.getCommandSpec().qualifiedName() + " --help' tells more.");
        return ExitCode.USAGE.number();
    }

    private int fail(Exception e, String message, ExitCode code) {
        console.say("talaria: " + message);
        if (console.debug()) {
            e.printStackTrace(console.err());
            console.err().flush();
        }
        return code.number();
    }

    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "(development)" : version;
    }
}
