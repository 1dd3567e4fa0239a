package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.Set;
import java.util.regex.Pattern;

/// Knows the variables that a shell sets itself. A text may assign to them, but the shell decides
/// what they contain afterwards.
final class OwnVariables {
    /// Variables that change by themselves, or cannot be changed at all.
    private static final Set<String> CHANGING = Words.set("""
            PWD OLDPWD OPTARG REPLY SECONDS RANDOM SRANDOM LINENO EPOCHSECONDS EPOCHREALTIME UID EUID PPID COPROC
            PIPESTATUS HISTCMD MAPFILE _
            """);

    /// Variables that nobody sets for ordinary work.
    private static final Set<String> STRANGE = Words.set("""
            BASH_CMDS BASH_ALIASES BASH_VERSINFO BASH_ARGV0 BASH_ARGV BASH_ARGC BASH_REMATCH BASH_COMMAND BASH_SOURCE
            BASH_LINENO BASH_SUBSHELL BASH_EXECUTION_STRING BASH_COMPAT BASHPID BASHOPTS SHELLOPTS POSIXLY_CORRECT
            FUNCNAME DIRSTACK GROUPS
            """);

    /// Variables that the shell sets to a part of the text.
    private static final Pattern FROM_TEXT = Pattern.compile(
            "BASH_(?:REMATCH|COMMAND|ARG\\w+|SOURCE|ALIASES|CMDS|EXECUTION_STRING)|FUNCNAME|DIRSTACK|OPTARG|COPROC\\w*|"
                    + "READLINE_LINE|COMP_\\w+");

    /// Variables that the shell computes, whatever a text assigns to them.
    private static final Pattern COMPUTED = Pattern.compile(
            "S?RANDOM|SECONDS|LINENO|E?UID|PPID|BASHPID|EPOCH\\w+|BASHOPTS|SHELLOPTS|GROUPS|PIPESTATUS|FUNCNAME|DIRSTACK|"
                    + "BASH_(?:VERS\\w+|REMATCH|COMMAND|ARG\\w+|SOURCE|EXECUTION_STRING|LINENO|SUBSHELL)");

    private OwnVariables() {}

    /// Returns whether the shell sets a variable to a part of the text.
    static boolean fromText(String name) {
        return FROM_TEXT.matcher(name).matches();
    }

    /// Returns whether a variable contains something else than what was assigned to it.
    static boolean computed(String name) {
        return COMPUTED.matcher(name).matches();
    }

    /// Returns whether assigning to a variable may fail, or do something else.
    static boolean has(String name) {
        return CHANGING.contains(name) || STRANGE.contains(name);
    }

    /// Notes that a text has just set a variable.
    static void assigned(String given, State state, Findings findings) {
        int bracket = given.indexOf('[');
        String name = bracket > 0 ? given.substring(0, bracket) : given;
        if (STRANGE.contains(name)) {
            findings.unknown("It sets " + name + ", which the shell sets itself.");
        }
        if (has(name)) {
            Variable old = state.variables.get(name);
            boolean list = old != null && old.list();
            state.variables.put(name, list ? Variable.made() : Variable.of(UnknownValues.MADE));
        }
    }
}
