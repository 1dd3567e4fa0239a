package dev.talaria.cli;

import dev.talaria.engine.admin.ListedProcess;
import dev.talaria.engine.json.Json;
import java.util.List;

/// `talaria kill`: ends a background process, whoever started it.
final class KillCommand implements CliCommand {

    @Override
    public Syntax syntax() {
        return new Syntax(
                "kill",
                "Ends a background process and all its children, and waits until they have ended. An ID may be shortened."
                        + " Exit code: 2 if there is no such process, 1 if it has ended already or cannot be ended.",
                List.of("ID"),
                1,
                List.of(Option.flag("--json", "Print the result as one JSON object.")),
                List.of("talaria kill 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        ListedProcess process = PsCommand.find(given, console);
        boolean ran = process.status().equals("running");
        boolean ended = ran && process.kill();
        if (given.has("--json")) {
            console.println(Json.text(PsCommand.json(PsCommand.find(given, console))));
        } else {
            console.println(
                    ended
                            ? "Ended: " + process.id()
                            : process.id()
                                    + (ran ? " has not ended yet; 'talaria ps' tells more." : " has ended before."));
        }
        return ended ? ExitCode.SUCCESS.number() : ExitCode.FAILED.number();
    }
}
