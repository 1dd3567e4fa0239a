package dev.talaria.engine.sudo;

import dev.talaria.api.PasswordPrompt;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.config.SudoSettings;
import dev.talaria.engine.job.Launcher;
import dev.talaria.engine.output.KnownSecrets;
import dev.talaria.engine.output.Redactor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/// Gets sudo's passwords, and knows the password of each session.
public final class SudoPasswords {
    private static final Pattern NAMES_SUDO = Pattern.compile("(?<![\\w.-])sudo(?![\\w.-])");

    private final SudoSettings settings;
    private final Redactor redactor;
    private final KnownSecrets secrets;
    private final List<PasswordPrompt> prompts = new CopyOnWriteArrayList<>();
    private final Map<String, SessionPassword> sessions = new ConcurrentHashMap<>();

    /// @param secrets gets every password that is given to sudo
    public SudoPasswords(SudoSettings settings, Redactor redactor, KnownSecrets secrets, List<PasswordPrompt> prompts) {
        this.settings = settings;
        this.redactor = redactor;
        this.secrets = secrets;
        this.prompts.addAll(prompts);
        settings.password().ifPresent(secrets::add);
    }

    /// Adds a prompt, which is asked before the others.
    public void add(PasswordPrompt prompt) {
        prompts.addFirst(prompt);
    }

    public void remove(PasswordPrompt prompt) {
        prompts.remove(prompt);
    }

    /// Returns whether there is any source of passwords.
    public boolean any() {
        return settings.password().isPresent() || !prompts.isEmpty();
    }

    /// Returns the answers for one command, if the command names sudo. No other command gets a
    /// password: the gate has not seen sudo in it.
    public Optional<SudoAnswers> of(ToolContext context, String command, String sandbox) {
        if (!NAMES_SUDO.matcher(command).find()) {
            return Optional.empty();
        }
        SessionPassword session = sessions.computeIfAbsent(
                context.call().caller().session(), _ -> new SessionPassword(settings, secrets));
        PasswordQuestion person =
                new PasswordQuestion(List.copyOf(prompts), redactor, settings.timeout(), context, command, sandbox);
        return Optional.of(new SudoAnswers(session, person));
    }

    /// Returns the same launcher, but with all passwords masked in the output of its jobs.
    public Launcher hiding(Launcher launcher) {
        return new HidingLauncher(launcher, secrets);
    }
}
