package dev.talaria.engine.shell;

import dev.talaria.api.ToolContext;
import dev.talaria.engine.job.JobSpec;
import dev.talaria.engine.job.JobSpec.Line.Start;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.job.Patience;
import dev.talaria.engine.job.direct.DirectLauncher;
import dev.talaria.engine.sandbox.SandboxLease;
import dev.talaria.engine.sandbox.Sandboxes;
import dev.talaria.engine.sudo.SudoPasswords;
import java.util.Optional;

/// Makes commands ready to start, in the foreground and in the background alike.
public final class CommandSetup {
    private final Shell shell;
    private final Snapshots snapshots;
    private final Sandboxes sandboxes;
    private final SudoPasswords passwords;

    public CommandSetup(Shell shell, Sandboxes sandboxes, SudoPasswords passwords) {
        this.shell = shell;
        this.snapshots = new Snapshots(shell);
        this.sandboxes = sandboxes;
        this.passwords = passwords;
    }

    /// Enters the sandbox of the call's session and chooses shell, folder and launcher for a command.
    public ReadyCommand ready(ToolContext context, String command, Optional<String> workdir, Patience patience) {
        context.waitingFor(() -> "the sandbox");
        SandboxLease lease = sandboxes.enterWithRelay(context.call().caller().session(), patience);
        context.ranIn(lease.sandbox().name());
        Optional<Snapshots.Failure> failure = lease.relay().flatMap(_ -> snapshots.await(lease, patience));
        Start start = failure.map(Snapshots.Failure::instead).orElse(Start.RESTORED);
        JobSpec.Program program = shell.program(command, workdir, lease, start);
        Launcher launcher =
                lease.relay().<Launcher>map(relay -> relay).orElseGet(() -> new DirectLauncher(lease.sandbox()));
        return new ReadyCommand(lease, program, passwords.hiding(launcher), failure);
    }
}
