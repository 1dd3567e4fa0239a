package dev.talaria.cli;

import dev.talaria.api.SandboxException;
import dev.talaria.cli.log.StderrLogging;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The entry point of `./talaria`.
public final class Main {
    private static final List<String> COMMANDS = List.of(
            "run",
            "sh",
            "call",
            "cp",
            "schema",
            "config",
            "approvals",
            "ps",
            "logs",
            "kill",
            "attach",
            "sandboxes",
            "doctor",
            "mcp");

    private final Console console;

    private Main(Console console) {
        this.console = console;
    }

    public static void main(String[] args) {
        Console console = Console.ofProcess();
        StderrLogging.install(console.debug());
        Thread.setDefaultUncaughtExceptionHandler((_, e) -> diesOf(console, e));
        QuickExit.now(execute(console, args));
    }

    /// Runs one command and returns its exit code. It throws nothing.
    public static int execute(Console console, String... args) {
        return new Main(console).run(Arrays.asList(args));
    }

    private int run(List<String> args) {
        try {
            return dispatch(args);
        } catch (UsageException e) {
            int code = fail(e, String.valueOf(e.getMessage()), ExitCode.USAGE);
            e.help().ifPresent(help -> console.say("'" + help + "' tells more."));
            return code;
        } catch (SandboxException e) {
            return fail(e, String.valueOf(e.getMessage()), ExitCode.of(e.code()));
        } catch (IOException | RuntimeException e) {
            String hint = console.debug() ? "" : " Set " + Console.DEBUG + "=1 to see where.";
            return fail(e, "internal error: " + e + "." + hint, ExitCode.FAILED);
        } catch (OutOfMemoryError e) { // also thrown if the kernel refuses a thread
            return fail(e, noRoom(e), ExitCode.FAILED);
        }
    }

    private int dispatch(List<String> args) throws IOException {
        String name = args.isEmpty() ? "" : args.getFirst();
        return switch (name) {
            case "" -> {
                console.printErr(help());
                yield ExitCode.USAGE.number();
            }
            case "-h", "--help", "help" -> {
                console.print(args.size() > 1 ? command(args.get(1)).syntax().help() : help());
                yield ExitCode.SUCCESS.number();
            }
            case "-V", "--version" -> {
                console.println("talaria " + version());
                yield ExitCode.SUCCESS.number();
            }
            default -> run(command(name), args.subList(1, args.size()));
        };
    }

    private int run(CliCommand command, List<String> args) throws IOException {
        Syntax syntax = command.syntax();
        int end = args.indexOf("--");
        Arguments given = syntax.parse(end < 0 ? args : args.subList(0, end));
        if (given.has(Syntax.HELP.name())) {
            console.print(syntax.help());
            return ExitCode.SUCCESS.number();
        }
        if (end >= 0 && !List.of(RunCommand.NAME, ShellCommand.NAME).contains(syntax.name())) {
            throw new UsageException(
                    "'--' and arguments after it are for scripts and commands: talaria run FILE -- ARGS,"
                            + " talaria sh -- COMMAND.");
        }
        return command.run(given, end < 0 ? List.of() : args.subList(end + 1, args.size()), console);
    }

    private static CliCommand command(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "sh" -> new ShellCommand();
            case "call" -> new CallCommand();
            case "cp" -> new CopyCommand();
            case "schema" -> new SchemaCommand();
            case "config" -> new ConfigCommand();
            case "approvals" -> new ApprovalsCommand();
            case "ps" -> new PsCommand();
            case "logs" -> new LogsCommand();
            case "kill" -> new KillCommand();
            case "attach" -> new AttachCommand();
            case "sandboxes" -> new SandboxesCommand();
            case "doctor" -> new DoctorCommand();
            case "mcp" -> new McpCommand();
            default ->
                throw new UsageException(
                        "there is no command '" + name + "'." + Suggestion.among(name, COMMANDS), "talaria --help");
        };
    }

    private static String help() {
        StringBuilder text = new StringBuilder("""
                Usage: talaria COMMAND [OPTIONS]

                Runs a model's scripts and commands in a sandbox, and lets scripts call tools.

                Commands ('talaria COMMAND --help' explains more, with examples):
                """);
        for (String name : COMMANDS) {
            text.append(Syntax.entry(name, command(name).syntax().firstSentence()));
        }
        text.append(Syntax.entry("bench", "Measures how fast this machine runs scripts, and prints a table."));
        text.append("\nOptions:\n")
                .append(Syntax.entry("--help", "Show this and end."))
                .append(Syntax.entry("--version", "Show the version and end."))
                .append("\nExample:\n  talaria run examples/repo-report.py\n");
        return text.toString();
    }

    private static String noRoom(OutOfMemoryError e) {
        return "there is no memory, or no room for another thread (" + e.getMessage()
                + "). End other programs, or raise the limits (ulimit -u, ulimit -v).";
    }

    /// Reports the failure of a thread in one line.
    private static void diesOf(Console console, Throwable e) {
        String message = e instanceof OutOfMemoryError full ? noRoom(full) : "internal error: " + e + ".";
        var _ = new Main(console).fail(e, message, ExitCode.FAILED);
    }

    private int fail(Throwable e, String message, ExitCode code) {
        console.say("talaria: " + message);
        if (console.debug()) {
            e.printStackTrace(console.err());
            console.err().flush();
        }
        return code.number();
    }

    private static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("(development)");
    }
}
