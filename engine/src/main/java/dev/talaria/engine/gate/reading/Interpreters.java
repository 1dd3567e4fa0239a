package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Finds out what interpreters of other languages run: `python -c`, `perl -e`, a file, their input.
final class Interpreters {
    /// One line for each interpreter: its name; letters whose value is a program; letters that take
    /// another value; letters that take the rest of their word; letters whose value is a program's
    /// file; letters without a value; long options whose value is a program; long options that take
    /// another value.
    private static final String TABLE = """
            (?:python|pypy|jython|micropython|graalpy|py|hy) c WXQ - - bBdEhiIOPqRsSuvVxtJ23 - check-hash-based-pycs
            (?:ipython|ptpython|ptipython|bpython) c - - i - InteractiveShellApp.code_to_run,InteractiveShellApp.exec_lines,TerminalIPythonApp.code_to_run profile
            perl eE I MmiFxDCVd - acfgnpstTuUwWXlvh0123456789 - -
            (?:ruby|jruby|truffleruby|mruby|rbx) e ICrEX iFxKTW0 - acdhlnpsSuUvwy0123456789 - encoding,external-encoding,internal-encoding
            (?:node|nodejs|electron|tsx|ts-node|esno|coffee|iojs) ep rC - - chivt eval,print require,import,loader,experimental-loader,env-file,conditions,input-type,title,icu-data-dir,openssl-config
            php rBRE dczStgT - fF aCeHhilmnqsvw run,process-code,process-begin,process-end define,php-ini,zend-extension,server,docroot
            bun ep rc - - bhv eval,print preload,config,cwd,env-file,define,loader
            deno - crL - - qhAV eval,eval-file config,import-map,lock,log-level,env-file,cert
            (?:lua|luajit|luau|texlua|luatex|fennel) e lO - - ivEWj eval,execute require-macros
            osascript e ls - - i - -
            (?:r|rscript|littler) e gdl - f qsvhi eval,expression gui,encoding,args
            """;

    /// Other interpreters. An option of theirs that is not known here counts as a program where it
    /// may be one.
    private static final Pattern OTHERS = Pattern.compile(
            "irb|pry|iex|raku|perl6|rakudo|swift|qjs|d8|jsc|rhino|mongo|mongosh|crystal|nim|gforth|newlisp|csi|gsi|gosh"
                    + "|janet|pike|bb|clojure|clj|kotlin|kotlinc|ghc|runghc|scala-cli|tclsh|expect|wish|guile|sbcl|clisp"
                    + "|racket|julia|octave|ocaml|ghci|scala|groovy|jshell|erl|elixir|emacs|swipl|gnuplot|tcl|ecl|maxima");

    private static final Spec OTHER = new Spec(OTHERS, "eEcxgB", "", "", "", "", List.of("eval", "execute"), List.of());
    private static final Set<String> TAKING_CODE =
            Set.of("timeit", "pdb", "ipython", "code", "ptpython", "bpython", "cprofile", "profile", "trace");
    private static final List<Spec> ALL = table();

    private record Spec(
            Pattern name,
            String code,
            String values,
            String rest,
            String files,
            String flags,
            List<String> longCode,
            List<String> longValues) {}

    /// What an interpreter was told to run.
    ///
    /// @param texts programs that stand in its words
    /// @param files files with programs, and words that may name such a file
    /// @param input whether it may read its program from its input
    /// @param shell texts that it passes to a shell of its own
    record Invocation(List<String> texts, List<String> files, boolean input, List<String> shell) {}

    private Interpreters() {}

    private static List<Spec> table() {
        return Words.rows(TABLE).stream()
                .map(cells -> new Spec(
                        Pattern.compile(cells.get(0) + "(?:-?\\d[\\d.]*[a-z]{0,2})?(?:-dbg)?"),
                        cells.get(1),
                        cells.get(2),
                        cells.get(3),
                        cells.get(4),
                        cells.get(5),
                        Words.parts(cells.get(6)),
                        Words.parts(cells.get(7))))
                .toList();
    }

    private static Optional<Spec> spec(String program) {
        return ALL.stream()
                .filter(spec -> spec.name().matcher(program).matches())
                .findFirst()
                .or(() -> OTHERS.matcher(program).matches() ? Optional.of(OTHER) : Optional.empty());
    }

    static Optional<Invocation> invocation(String program, List<String> words) {
        return spec(program).map(spec -> new Reader(program, spec, words).read());
    }

    /// Reads the words behind an interpreter's name, one after the other.
    private static final class Reader {
        private final String program;
        private final Spec spec;
        private final List<String> words;
        private final List<String> texts = new ArrayList<>();
        private final List<String> files = new ArrayList<>();
        private final List<String> shell = new ArrayList<>();
        private int at;
        private boolean doubtful; // whether the word before may take this one as its value
        private boolean ended;
        private boolean sure; // whether a file is certainly named

        Reader(String program, Spec spec, List<String> words) {
            this.program = program;
            this.spec = spec;
            this.words = words;
        }

        Invocation read() {
            while (at < words.size() && !ended) {
                String word = words.get(at++);
                if (word.equals("--")) {
                    at += at < words.size() && texts.isEmpty() && file(words.get(at)) ? 1 : 0;
                    break;
                }
                if (word.length() > 1 && word.startsWith("--")) {
                    longOption(word);
                } else if (word.length() > 1 && word.startsWith("-")) {
                    letters(word);
                } else {
                    operand(word);
                }
            }
            return new Invocation(texts, files, texts.isEmpty() && !sure, shell);
        }

        private boolean file(String word) {
            sure = true;
            return files.add(word);
        }

        private String next() {
            return at < words.size() ? words.get(at++) : "";
        }

        private void operand(String word) {
            if (program.equals("deno") || program.equals("bun")) {
                subcommand(word);
            } else if (spec.equals(OTHER) && word.equals("eval") && texts.isEmpty()) {
                texts.add(next());
            } else if (!texts.isEmpty()) {
                ended = true; // the rest are arguments of its program
            } else {
                fileOrValue(word);
            }
        }

        /// Reads a word that names a file, or is the value of the option before it.
        private void fileOrValue(String word) {
            if (doubtful) {
                files.add(word);
                doubtful = false;
            } else {
                ended = file(word);
            }
        }

        private void subcommand(String word) {
            switch (word) {
                case "eval" -> {
                    words.subList(at, words.size()).stream()
                            .filter(one -> !one.startsWith("-"))
                            .forEach(texts::add);
                    ended = true;
                }
                case "exec" -> {
                    shell.add(String.join(" ", words.subList(at, words.size())));
                    ended = true;
                }
                case "run", "repl", "serve" -> doubtful = false;
                default -> fileOrValue(word);
            }
        }

        private void longOption(String word) {
            int equals = word.indexOf('=');
            String name = word.substring(2, equals < 0 ? word.length() : equals);
            boolean code = cut(name, spec.longCode())
                    || (name.length() == 1 && spec.code().contains(name));
            boolean takes = cut(name, spec.longValues());
            if (code) {
                texts.add(equals < 0 ? next() : word.substring(equals + 1));
            } else if (takes && equals < 0) {
                at++;
            } else {
                doubtful = equals < 0;
            }
        }

        private static boolean cut(String name, List<String> names) {
            return !name.isEmpty() && names.stream().anyMatch(one -> one.startsWith(name));
        }

        private void letters(String word) {
            if (word.matches("-{1,2}(?:eval|exec|execute|print|ex)")) {
                texts.add(next()); // emacs -eval, erl -eval
                return;
            }
            doubtful = false;
            for (int i = 1; i < word.length(); i++) {
                char letter = word.charAt(i);
                String rest = word.substring(i + 1);
                if (letter == 'm' && spec.code().equals("c")) {
                    module(rest.isEmpty() ? next() : rest);
                    return;
                }
                if (has(spec.code(), letter)) {
                    text(word, rest);
                    return;
                }
                if (has(spec.files(), letter)) {
                    file(rest.isEmpty() ? next() : rest);
                    return;
                }
                if (has(spec.values(), letter)) {
                    at += rest.isEmpty() ? 1 : 0;
                    return;
                }
                if (has(spec.rest(), letter)) {
                    attached(letter, rest);
                    return;
                }
                doubtful |= !has(spec.flags(), letter);
            }
        }

        private void text(String word, String rest) {
            boolean bundle = program.startsWith("node") || program.equals("bun"); // -pe
            if (rest.isEmpty() || (bundle && rest.matches("[a-z]"))) {
                boolean optional = bundle && word.endsWith("p") && at >= words.size();
                if (!optional) {
                    texts.add(next());
                }
            } else {
                texts.add(rest);
            }
            ended = spec.code().equals("c"); // the rest are arguments of python's program
        }

        /// Reads a letter with an attached value: `-i.bak`, and `-pie`, which hardly anybody writes
        /// on purpose.
        private void attached(char letter, String rest) {
            if (letter == 'M' || letter == 'm') {
                if (!rest.matches("[\\w:=,-]*")) {
                    texts.add(rest);
                }
                doubtful = rest.isEmpty();
            } else if (!rest.isEmpty() && has(spec.code(), rest.charAt(rest.length() - 1)) && at < words.size()) {
                texts.add(next());
            }
        }

        private void module(String name) {
            ended = true;
            sure = true;
            if (TAKING_CODE.contains(name.toLowerCase(Locale.ROOT))) {
                texts.addAll(words.subList(Math.min(at, words.size()), words.size()));
            }
        }

        private static boolean has(String letters, char letter) {
            return letters.indexOf(letter) >= 0;
        }
    }
}
