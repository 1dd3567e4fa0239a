package dev.talaria.cli;

import dev.talaria.cli.doctor.Doctor;
import dev.talaria.cli.doctor.Finding;
import dev.talaria.cli.doctor.Finding.Level;
import dev.talaria.engine.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `talaria doctor`: shows what works here, and what to do about the rest.
final class DoctorCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                        "doctor",
                        "Checks what scripts need, with a real run on the chosen backend. Exit code: 0 if the run works, 1"
                                + " if not.",
                        List.of(),
                        0,
                        List.of(Option.flag("--json", "Print the findings as one JSON object.")),
                        List.of("talaria doctor", "talaria doctor --backend bubblewrap"))
                .with(EngineOptions.ALL);
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        List<Finding> findings = Doctor.examine(EngineOptions.load(given, console), console.environment());
        boolean well = findings.stream().noneMatch(finding -> finding.level() == Level.FAIL);
        if (given.has("--json")) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("ok", well);
            value.put("findings", findings.stream().map(Finding::value).toList());
            console.println(Json.text(value));
        } else {
            findings.forEach(finding -> show(finding, console));
        }
        return (well ? ExitCode.SUCCESS : ExitCode.FAILED).number();
    }

    private static void show(Finding finding, Console console) {
        String level = String.format("%-5s", finding.level().word());
        String painted = console.paintsOut() ? colour(finding.level()) + level + "\033[0m" : level;
        console.println(painted, String.format("%-14s", finding.topic()) + finding.text());
        finding.next().ifPresent(next -> console.println(" ".repeat(19) + "next: " + next));
    }

    private static String colour(Level level) {
        return switch (level) {
            case OK -> "\033[32m";
            case WARN -> "\033[33m";
            case FAIL -> "\033[31m";
        };
    }
}
