package dev.talaria.engine.gate.rules;

import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.util.Words;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The statements that the commands of a text may send to a database. They are kept apart: a `WHERE`
/// counts for its own statement only, and a message for `git commit` is no statement, whatever else
/// runs.
///
/// @param anybodys statements for commands that may be clients
/// @param clients statements for commands that are clients
record Statements(Set<String> anybodys, Set<String> clients) {
    /// Programs that show, search or pass on text. A pattern in their arguments does nothing.
    static final Set<String> TEXT_ONLY = Set.of(
            "grep", "egrep", "fgrep", "rg", "ag", "ack", "git", "echo", "printf", "cat", "sed", "awk", "head", "tail",
            "less", "more", "wc", "sort", "uniq", "cut", "cd", "ls", "tee", "man", "diff", "gh", "true", "pwd", "jq",
            "tr", "column", "mkdir", "touch", "nl", "fold", "export", "set", "find", "xargs", "hg", "svn", "jj", "bat");

    /// Clients of databases, and programs that open one.
    private static final Set<String> CLIENTS = Words.set("""
            psql pgcli mysql mariadb mycli sqlite sqlite3 litecli duckdb sqlcmd isql tsql sqlplus clickhouse
            clickhouse-client cqlsh cockroach bq snowsql usql hive beeline impala-shell spark-sql trino presto mongosh
            mongo redis-cli valkey-cli keydb-cli dbshell dbconsole d1 turso surreal influx arangosh cypher-shell db nc
            ncat telnet
            """);
    private static final int LONGEST_CLIENT = 20;

    /// Shows that a command reads more than its words.
    private static final Pattern READS = Pattern.compile(
            "<|(?:^|[ ␣])(?:-f|--file|--init-file|-i|@|\\\\i|\\.read|source)|\\.(?:sql|redis|js|cql)\\b");

    private static final Pattern END = Pattern.compile(";|&&|\\|\\|?|\\n\\s*\\n");
    private static final int MOST_STATEMENTS = 400;

    /// Finds the statements in a command.
    static Statements of(Reading reading) {
        Statements found = new Statements(new LinkedHashSet<>(), new LinkedHashSet<>());
        reading.commands().forEach(line -> found.command(line, reading.text()));
        reading.pipelines().forEach(line -> found.pipeline(line, reading.text()));
        reading.code().forEach(code -> split(code, found.anybodys));
        return found;
    }

    /// Finds the statements in a command and in its input.
    static Statements of(Reading reading, String input) {
        Statements found = of(reading);
        found.input(reading, input);
        return found;
    }

    /// Finds the statements in input that is typed into a program.
    static Statements read(Reading process, String typed) {
        Statements found = new Statements(new LinkedHashSet<>(), new LinkedHashSet<>());
        found.input(process, typed);
        return found;
    }

    private void input(Reading reading, String text) {
        if (!TEXT_ONLY.containsAll(reading.programs())) {
            split(text, anybodys);
        }
        if (reading.commands().stream().anyMatch(Statements::client)) {
            split(text, clients);
        }
    }

    private void command(String line, String text) {
        if (!TEXT_ONLY.contains(program(line))) {
            add(List.of(line), line, client(line), text);
        }
    }

    /// Adds the statements in a pipeline: a command's output is the input of the next one.
    private void pipeline(String line, String text) {
        List<String> parts = List.of(line.split(" \\| ", -1));
        List<String> fed = parts.stream()
                .skip(1)
                .filter(part -> !TEXT_ONLY.contains(program(part)))
                .toList();
        if (!fed.isEmpty()) {
            add(parts, line, fed.stream().anyMatch(Statements::client), text);
        }
    }

    /// Adds the statements in the parts of a line, and those in the whole text if the line may read them.
    private void add(List<String> parts, String line, boolean client, String text) {
        boolean reads = client ? READS.matcher(line).find() : line.contains("<");
        Stream.concat(parts.stream().map(Statements::words), reads ? Stream.of(text) : Stream.empty())
                .forEach(one -> {
                    split(one, anybodys);
                    if (client) {
                        split(one, clients);
                    }
                });
    }

    private static boolean client(String line) {
        if (TEXT_ONLY.contains(program(line))) {
            return false;
        }
        int begin = 0;
        for (int end = 0; end <= line.length(); end++) {
            char c = end < line.length() ? line.charAt(end) : ' ';
            boolean apart = c == ' ' || c == '␣';
            if (apart || c == '.' || (c >= '0' && c <= '9')) { // psql, psql15, sqlite3.40
                if (end - begin <= LONGEST_CLIENT && CLIENTS.contains(line.substring(begin, end))) {
                    return true;
                }
            }
            if (apart || c == '/' || c == ':') {
                begin = end + 1;
            }
        }
        return false;
    }

    private static void split(String text, Set<String> into) {
        into.addAll(List.of(END.split(text, MOST_STATEMENTS)));
    }

    private static String program(String line) {
        String clear = line.startsWith("(") ? line.substring(1) : line;
        int end = clear.indexOf(' ');
        return end < 0 ? clear : clear.substring(0, end);
    }

    /// Returns the words of a line with the characters that stood in them before.
    private static String words(String line) {
        return line.replace('␣', ' ').replace('¦', '|').replace('‹', '<').replace('›', '>');
    }
}
