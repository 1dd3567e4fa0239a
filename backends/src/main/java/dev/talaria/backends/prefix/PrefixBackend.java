package dev.talaria.backends.prefix;

import dev.talaria.api.Backend;
import dev.talaria.api.Command;
import dev.talaria.api.Isolation;
import dev.talaria.api.Sandbox;
import dev.talaria.api.SandboxSpec;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.PrefixSandbox;
import dev.talaria.backends.process.ShellWords;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Runs commands by a command prefix, such as `kubectl exec -i POD --`. What the sandbox keeps out is
/// not known, so it counts as nothing.
///
/// Option `prefix`: the words, split and quoted as in a shell. The client must pass on stdin, stdout,
/// stderr and the exit code, and must not put a shell between.
public final class PrefixBackend implements Backend {

    @Override
    public String name() {
        return "prefix";
    }

    @Override
    public Sandbox open(SandboxSpec spec) {
        String line = Options.of(this, spec)
                .allow("prefix")
                .require("prefix", "the words that go in front of a command, such as 'kubectl exec -i POD --'");
        List<String> words = ShellWords.split(line);
        Client.locate(words.getFirst(), "Check option prefix.");
        Function<Command, List<String>> prefix = command -> wrap(words, command, spec);
        Client.Finished trial = Client.attempt(prefix.apply(Command.of("true")));
        if (!trial.ended(0)) {
            throw Client.unavailable("No command runs behind the prefix '" + line + "' (" + trial.said() + "). Try '"
                    + line + " true' in a shell until it works.");
        }
        return new PrefixSandbox(
                "prefix:" + words.getFirst(), Isolation.NONE, prefix, () -> true, _ -> false, UnaryOperator.identity());
    }

    private static List<String> wrap(List<String> words, Command command, SandboxSpec spec) {
        Optional<String> cwd = command.cwd().or(spec::cwd);
        List<String> argv = command.argv();
        return ShellWords.joined(
                words, cwd.map(folder -> ShellWords.inFolder(folder, argv)).orElse(argv));
    }
}
