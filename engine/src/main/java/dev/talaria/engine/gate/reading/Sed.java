package dev.talaria.engine.gate.reading;

import dev.talaria.engine.gate.reading.Commands.Call;
import java.util.ArrayList;
import java.util.List;

/// The words of `sed`: its programs, and the files that it changes in place.
///
/// @param scripts programs in its words
/// @param scriptFiles files with programs
/// @param files files that it reads
/// @param inPlace whether it changes those files
record Sed(List<String> scripts, List<String> scriptFiles, List<String> files, boolean inPlace) {
    static boolean named(String program) {
        return program.equals("sed") || program.equals("gsed") || program.equals("ssed");
    }

    static Sed of(List<String> words) {
        List<String> scripts = new ArrayList<>();
        List<String> scriptFiles = new ArrayList<>();
        List<String> operands = new ArrayList<>();
        boolean inPlace = false;
        boolean options = true;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String next = i + 1 < words.size() ? words.get(i + 1) : "";
            if (options && word.equals("--")) {
                options = false;
            } else if (options && word.startsWith("--")) {
                int equals = word.indexOf('=');
                String name = equals < 0 ? word : word.substring(0, equals);
                String value = equals < 0 ? next : word.substring(equals + 1);
                boolean script = "--expression".startsWith(name);
                boolean file = !script && "--file".startsWith(name) && !name.equals("--f");
                boolean takes = script || file || (name.startsWith("--l") && "--line-length".startsWith(name));
                if (script) {
                    scripts.add(value);
                } else if (file) {
                    scriptFiles.add(value);
                }
                inPlace |= "--in-place".startsWith(name);
                i += takes && equals < 0 ? 1 : 0;
            } else if (options && word.length() > 1 && word.startsWith("-")) {
                int letter = valued(word);
                String rest = letter < 0 ? "" : word.substring(letter + 1);
                char which = letter < 0 ? ' ' : word.charAt(letter);
                inPlace |= which == 'i' || which == 'I';
                String value = rest.isEmpty() ? next : rest;
                if (which == 'e') {
                    scripts.add(value);
                } else if (which == 'f') {
                    scriptFiles.add(value);
                }
                i += rest.isEmpty() && (which == 'e' || which == 'f' || which == 'l') ? 1 : 0;
            } else {
                operands.add(word);
            }
        }
        int first = 0;
        if (scripts.isEmpty() && scriptFiles.isEmpty() && !operands.isEmpty()) {
            boolean bsd = inPlace && operands.getFirst().isEmpty() && operands.size() > 1; // sed -i '' PROGRAM
            first = bsd ? 2 : 1;
            scripts.add(operands.get(first - 1));
        }
        return new Sed(
                scripts, scriptFiles, operands.subList(Math.min(first, operands.size()), operands.size()), inPlace);
    }

    /// Returns the place of the first letter that takes a value, or -1.
    private static int valued(String word) {
        for (int i = 1; i < word.length(); i++) {
            if ("efliI".indexOf(word.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /// Evaluates the programs.
    static void run(List<String> words, Call call, Evaluator evaluator, Runners runners) {
        Sed sed = of(words);
        List<String> scripts = new ArrayList<>();
        if (!sed.scripts.isEmpty()) {
            scripts.add(String.join("\n", sed.scripts));
        }
        sed.scriptFiles.forEach(
                file -> evaluator.targets.taken(file, call.state()).ifPresent(scripts::add));
        for (String script : scripts) {
            SedScript.SedEffects found = SedScript.of(script);
            boolean made = evaluator.findings.marks.made(script) && script.length() == 1;
            if (found.runsInput()) {
                evaluator.findings.unknown("It has sed run what it reads.");
            } else if (made || (!found.clear() && !UnknownValues.any(script))) {
                evaluator.findings.unknown("It gives sed a program that is not understood.");
            }
            found.commands().forEach(command -> runners.text(command, call));
            found.writes().stream()
                    .filter(path -> !path.startsWith("/dev/std"))
                    .forEach(path -> evaluator.targets.write("write", path, call.state()));
        }
    }
}
