package dev.talaria.cli;

import dev.talaria.engine.Json;
import dev.talaria.engine.process.Attached;
import dev.talaria.engine.process.Kept;
import java.util.List;

/// `talaria kill`: ends a process that outlives Talaria.
final class KillCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "kill",
                "Ends a background process and all its children, and waits until they have ended. An ID may be shortened."
                        + " Exit code: 2 if there is no such process, 1 if it has ended already.",
                List.of("ID"),
                1,
                List.of(Option.flag("--json", "Print what became of it as one JSON object.")),
                List.of("talaria kill 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        Kept kept = PsCommand.find(given, console);
        boolean ran = kept.status().equals("running");
        if (ran) {
            try (Attached attached = Attached.to(kept, _ -> {})) {
                attached.kill();
                attached.await();
            }
        }
        if (given.has("--json")) {
            console.println(Json.text(PsCommand.json(kept)));
        } else {
            console.println(ran ? "Ended: " + kept.id() : kept.id() + " has ended before.");
        }
        return ran ? ExitCode.SUCCESS.number() : ExitCode.FAILED.number();
    }
}
