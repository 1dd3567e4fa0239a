package dev.talaria.cli;

import dev.talaria.engine.tool.process.ProcessConnection;
import dev.talaria.engine.tool.process.ProcessListing;
import dev.talaria.engine.tool.process.PublishedProcess;
import dev.talaria.engine.tool.process.SurvivingProcess;
import dev.talaria.engine.util.Json;
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
                List.of(Option.flag("--json", "Print what became of it as one JSON object.")),
                List.of("talaria kill 3f2a9c"));
    }

    @Override
    public int run(Arguments given, List<String> rest, Console console) {
        ProcessListing process = PsCommand.find(given, console);
        boolean ran = process.status().equals("running");
        boolean ended = ran
                && switch (process) {
                    case SurvivingProcess kept -> end(kept);
                    case PublishedProcess owned -> owned.kill();
                };
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

    private static boolean end(SurvivingProcess kept) {
        try (ProcessConnection attached = ProcessConnection.to(kept, _ -> {})) {
            attached.kill();
            attached.await();
        }
        return true;
    }
}
