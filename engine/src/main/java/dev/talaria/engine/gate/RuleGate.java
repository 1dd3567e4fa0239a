package dev.talaria.engine.gate;

import dev.talaria.api.Effect;
import dev.talaria.api.Gate;
import dev.talaria.api.Isolation;
import dev.talaria.api.Question.Reason;
import dev.talaria.api.Sandbox;
import dev.talaria.api.ToolContext;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.Settings;
import dev.talaria.engine.gate.reading.HomeFolder;
import dev.talaria.engine.gate.reading.Reading;
import dev.talaria.engine.gate.reading.ShellContext;
import dev.talaria.engine.gate.rules.Rule;
import dev.talaria.engine.gate.rules.RuleTable;
import dev.talaria.engine.gate.rules.UserRules;
import dev.talaria.engine.json.Json;
import dev.talaria.engine.output.Redactor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The gate that is used unless a program brings its own. For a command, the first of these that has
/// an opinion decides:
///
/// 1. the **hard floor**: commands that never run where the host is in reach
/// 2. the user's **deny** rules, in every sandbox
/// 3. the user's **allow** rules
/// 4. the table of **dangerous** commands: a command that matches no rule runs. A rule counts where
///    its damage can happen; text that cannot be computed counts where any damage can happen
/// 5. the **mode**: `manual` and `ask` ask a person, `allow` lets the command run, `deny` refuses it
///
/// Patterns advise, isolation protects: a determined script gets around every pattern.
public final class RuleGate implements Gate {
    private static final Decision ALLOWED = new Decision.Allowed("allowed");
    private static final Decision ISOLATED = new Decision.Allowed("allowed: isolated");
    private static final int MOST_UNKNOWN = 3; // more sentences would only hide the command
    private static final Reason UNCHECKED =
            new Reason("too much to check", "It is too long or too tangled to be checked to its end.");
    private static final Reason SHELL = new Reason(
            "shell in the background",
            "It starts a shell or an interpreter that goes on and does what is typed into it, and where it runs nothing"
                    + " keeps it from your files.");
    private static final Reason SCRIPT =
            new Reason(Grant.SCRIPTS, "It is a script, and where it runs nothing keeps it from your files.");

    private final ApprovalSettings settings;
    private final Function<ToolContext, Sandbox> sandboxes;
    private final Function<ToolContext, Optional<String>> folders;
    private final BiFunction<ToolContext, String, WriteTarget> targets;
    private final SessionExports exports = new SessionExports();
    private final Redactor redactor;
    private final Consent consent;
    private final DecisionTexts texts;
    private final UserRules deny;
    private final UserRules allow;
    private final TypedInput.Keyboard keyboard;
    private final HomeFolder home;

    /// Makes the gate that the settings describe.
    ///
    /// @param sandboxes finds the sandbox of a call, and opens it if necessary
    /// @param folders knows the folder that a call's command would start in
    /// @param targets finds the file that a call would change, by its path, and holds it
    /// @param later stores questions that nobody can answer when they come
    /// @param keyboard knows the processes that somebody can type into
    public RuleGate(
            Settings settings,
            Function<ToolContext, Sandbox> sandboxes,
            Function<ToolContext, Optional<String>> folders,
            BiFunction<ToolContext, String, WriteTarget> targets,
            Approvers approvers,
            Optional<StoredQuestions> later,
            Redactor redactor,
            TypedInput.Keyboard keyboard) {
        this.keyboard = keyboard;
        this.home = home(settings.folders());
        this.settings = settings.approvals();
        this.sandboxes = sandboxes;
        this.folders = folders;
        this.targets = targets;
        this.redactor = redactor;
        InstantSource clock = InstantSource.system();
        ApprovalMemory memory = new ApprovalMemory(new StoredApprovals(settings.folders()), clock);
        this.consent = new Consent(
                approvers,
                memory,
                later.map(pending -> new Consent.Later(pending, this.settings.pending())),
                this.settings.timeout(),
                clock);
        this.texts = new DecisionTexts(settings);
        this.deny = new UserRules(this.settings.deny());
        this.allow = new UserRules(this.settings.allow());
    }

    @Override
    public Decision decide(ToolContext context, Effect effect) {
        return switch (effect) {
            case Effect.Harmless _ -> ALLOWED;
            case Effect.Command command -> command(context, command);
            case Effect.Typing(String process, String data) ->
                keyboard.typed(context.call(), process, data)
                        .map(typed -> typed(context, typed))
                        .orElse(ALLOWED); // the tool reports that there is no such process
            case Effect.Script(String code, Map<String, Object> given) ->
                script(context, code, given, ShellContext.at(() -> folders.apply(context)));
            case Effect.FileChange(String path) -> change(context, path);
            case Effect.Undeclared _ -> undeclared(context);
        };
    }

    /// Judges a tool that does not declare its effect: it may do anything, anywhere.
    private Decision undeclared(ToolContext context) {
        String text = context.call().tool() + " " + Json.text(context.arguments());
        Asked asked = new Asked(QuestionText.of(text), Optional.empty(), () -> QuestionScope.ofTool(text));
        Reason reason = new Reason(
                "tool " + context.call().tool(), "The tool does not say what it does: it may change anything.");
        return deny.findInLines(text)
                .map(texts::rule)
                .or(() -> allow.matchOne(List.of(text)).map(RuleGate::allowed))
                .orElseGet(() ->
                        settings.mode() == ApprovalMode.ALLOW ? ALLOWED : question(context, asked, List.of(reason)));
    }

    /// Returns this user's home, with Talaria's folders under the names that rules use.
    private static HomeFolder home(Folders folders) {
        return new HomeFolder(
                Folders.home().toString(),
                Map.of(
                        folders.config().toString(), "~/.config/talaria",
                        folders.state().toString(), "~/.local/state/talaria",
                        folders.cache().toString(), "~/.cache/talaria"));
    }

    /// Judges a change of a file by the path that is really changed, with links resolved. If no host
    /// is in reach and the user denies nothing, the path does not matter.
    private Decision change(ToolContext context, String wanted) {
        boolean reaches = reachesHost(context);
        if (sandboxes.apply(context).reach().isEmpty() && settings.deny().isEmpty()) {
            return ALLOWED;
        }
        WriteTarget target = targets.apply(context, wanted);
        List<String> real = Stream.concat(Stream.of(target.path()), target.names().stream())
                .map(path -> context.call().tool() + " " + path)
                .distinct()
                .toList();
        String written = context.call().tool() + " " + wanted + "\n" + String.join("\n", real);
        Optional<Decision> floor = reaches ? hardFloor(judged(Tables.HARD, target)) : Optional.empty();
        return floor.or(() -> deny.findInLines(written).map(texts::rule))
                .or(() -> allow.matchOne(real).map(RuleGate::allowed))
                .orElseGet(() -> dangerous(
                        context,
                        real.getFirst(),
                        judged(Tables.DANGEROUS, target)
                                .within(sandboxes.apply(context).reach()),
                        target));
    }

    private static RuleTable.Judgement judged(RuleTable table, WriteTarget target) {
        List<RuleTable.Judgement> all =
                target.names().stream().map(table::judgeWrite).toList();
        return new RuleTable.Judgement(
                all.stream().flatMap(one -> one.rules().stream()).distinct().toList(),
                all.stream().anyMatch(RuleTable.Judgement::unfinished));
    }

    private Optional<Decision> hardFloor(RuleTable.Judgement judgement) {
        return judgement
                .first()
                .map(texts::hard)
                .or(() -> judgement.unfinished()
                        ? Optional.of(texts.unreadable("its path is too long"))
                        : Optional.empty());
    }

    private Decision dangerous(ToolContext context, String subject, RuleTable.Judgement judgement, WriteTarget target) {
        List<Reason> reasons = reasons(judgement);
        return settings.mode() == ApprovalMode.ALLOW || reasons.isEmpty()
                ? ALLOWED
                : question(
                        context,
                        new Asked(
                                QuestionText.of(subject),
                                Optional.empty(),
                                () -> QuestionScope.of(
                                        "change",
                                        subject,
                                        context.arguments(),
                                        ShellContext.at(() -> folders.apply(context))
                                                .with(home),
                                        List.of("write " + target.path()),
                                        sandboxes.apply(context))),
                        reasons);
    }

    /// Judges a command in its surroundings: with the variables that the session may have exported,
    /// in its folder.
    private Decision command(ToolContext context, Effect.Command command) {
        String session = context.call().caller().session();
        ShellContext here = ShellContext.at(() -> folders.apply(context)).with(home);
        ShellContext at = command.workdir().map(here::below).orElse(here);
        ShellContext there = command.input().map(at::reading).orElse(at);
        String all = command.text() + "\n" + command.input().orElse("");
        PossibleReadings readings = PossibleReadings.of(command.text(), there, exports.ways(session, all));
        Reading reading = readings.any();
        Map<String, Object> given = Map.of("input", command.input(), "background", command.background());
        ShellContext found = at.with(exports.told(session));
        Optional<Decision> script = command.input()
                .filter(_ -> InputMeaning.to(reading) == InputMeaning.INTERPRETER)
                .map(code -> script(context, code, Map.of("to", command.text()), found))
                .filter(decided -> !(decided instanceof Decision.Allowed));
        QuestionText shown = QuestionText.of(command.text());
        Asked asked = new Asked(
                command.input()
                        .map(input -> shown.with("its input (stdin_data)", input))
                        .orElse(shown),
                command.input(),
                () -> QuestionScope.of(
                        "command", reading.raw(), given, found, ChangedPaths.of(reading), sandboxes.apply(context)));
        Decision decision = script.orElseGet(() -> command(context, reading, command.background(), asked));
        if (decision instanceof Decision.Allowed && reading.unreadable().isEmpty()) {
            readings.all().forEach(one -> exports.add(session, one.exports()));
        }
        return decision;
    }

    /// The content of a possible question.
    ///
    /// @param subject the text that a person sees
    /// @param input the command's input
    private record Asked(QuestionText subject, Optional<String> input, Supplier<QuestionScope> scope) {
        RuleTable.Judgement judged(RuleTable table, Reading reading) {
            return input.map(text -> table.judge(reading, text)).orElseGet(() -> table.judge(reading));
        }
    }

    /// Judges typed input: into a shell it is a command, into an interpreter a script, into any other
    /// program data.
    private Decision typed(ToolContext context, TypedInput typed) {
        Reading process = Reading.of(typed.command());
        return switch (InputMeaning.to(process)) {
            case NEITHER -> ALLOWED;
            case INTERPRETER ->
                hardFloor(context, Reading.ofCode(typed.text()), Tables.HARD::judge)
                        .or(() -> statement(context, typed, process))
                        .orElseGet(() -> script(
                                context,
                                typed.text(),
                                Map.of("to", typed.command()),
                                ShellContext.at(() -> folders.apply(context))));
            case SHELL -> {
                TypedKeys keys = TypedKeys.of(typed.text(), typed.terminal());
                Decision raw = line(context, typed, typed.text().replace('\r', '\n'));
                // A terminal obeys editing keys; a pipe passes them on as letters. Both readings are
                // judged, so that neither is a way around the gate.
                Decision decision =
                        raw instanceof Decision.Allowed && !keys.text().equals(typed.text())
                                ? line(context, typed, keys.text())
                                : raw;
                boolean ask = keys.unclear()
                        && decision instanceof Decision.Allowed
                        && settings.mode() != ApprovalMode.ALLOW
                        && reachesAnything(context);
                Asked asked = typing(context, typed, typed.text(), Reading.of(typed.text()), typed.before());
                yield ask ? question(context, asked, List.of(UNCHECKED)) : decision;
            }
        };
    }

    /// Judges input that is typed into a database's client. It may be as dangerous as on the command
    /// line.
    private Optional<Decision> statement(ToolContext context, TypedInput typed, Reading process) {
        RuleTable.Judgement judgement = Tables.DANGEROUS
                .judgeInput(process, typed.text())
                .within(sandboxes.apply(context).reach());
        List<Reason> reasons = reasons(judgement);
        return settings.mode() == ApprovalMode.ALLOW || reasons.isEmpty()
                ? Optional.empty()
                : Optional.of(question(
                                context, typing(context, typed, typed.text(), Reading.of(""), typed.before()), reasons))
                        .filter(decided -> !(decided instanceof Decision.Allowed));
    }

    private Asked typing(ToolContext context, TypedInput typed, String text, Reading reading, ShellContext before) {
        return new Asked(
                QuestionText.of(text).with("typed into", typed.command()),
                Optional.empty(),
                () -> QuestionScope.of(
                        "line",
                        text,
                        Map.of("to", typed.command()),
                        before,
                        ChangedPaths.of(reading),
                        sandboxes.apply(context)));
    }

    /// Judges a line twice: after what the earlier lines have left, and with those lines as one text,
    /// since a quote or a function may have begun long ago. A grant for what only all lines do counts
    /// only after the same lines.
    private Decision line(ToolContext context, TypedInput typed, String text) {
        String lines = TypedKeys.of(typed.lines(), typed.terminal()).text();
        ShellContext before = typed.before().with(home);
        Reading whole = Reading.of(lines + text, before);
        return hardFloor(context, whole, Tables.HARD::judge).orElseGet(() -> {
            Reading earlier = Reading.of(lines, before);
            ShellContext after = earlier.after();
            Reading alone = Reading.of(text, after).beyond(Reading.of(""));
            Decision decision = command(context, alone, false, typing(context, typed, text, alone, after));
            Reading more = whole.beyond(earlier).beyond(alone);
            return decision instanceof Decision.Allowed
                    ? command(context, more, false, typing(context, typed, lines + text, more, before))
                    : decision;
        });
    }

    private Decision command(ToolContext context, Reading reading, boolean background, Asked asked) {
        return hardFloor(context, reading, one -> asked.judged(Tables.HARD, one))
                .or(() -> deny.findIn(reading).map(texts::rule))
                .or(() -> first(reading.code(), deny::findInLines).map(texts::rule))
                .or(() -> allow.matchWhole(reading).map(RuleGate::allowed))
                .orElseGet(() -> dangerous(context, reading, background, asked));
    }

    private Optional<Decision> hardFloor(
            ToolContext context, Reading reading, Function<Reading, RuleTable.Judgement> judge) {
        Optional<String> unreadable = reading.unreadable();
        RuleTable.Judgement judgement =
                unreadable.isPresent() ? new RuleTable.Judgement(List.of(), true) : judge.apply(reading);
        boolean nothing = judgement.rules().isEmpty() && !judgement.unfinished();
        if (nothing || !reachesHost(context)) {
            return Optional.empty();
        }
        return Optional.of(judgement
                .first()
                .map(texts::hard)
                .orElseGet(() -> texts.unreadable(unreadable.orElse("there is too much in it"))));
    }

    private static Decision allowed(String pattern) {
        return new Decision.Allowed("allowed by rule: " + pattern);
    }

    private Decision dangerous(ToolContext context, Reading reading, boolean background, Asked asked) {
        if (settings.mode() == ApprovalMode.ALLOW || reading.unreadable().isPresent()) {
            return ALLOWED; // an unreadable text got here because the host is out of reach
        }
        RuleTable.Judgement everywhere = asked.judged(Tables.DANGEROUS, reading);
        boolean script = settings.mode() == ApprovalMode.ASK && !reading.code().isEmpty();
        boolean shell = background && InputMeaning.to(reading) != InputMeaning.NEITHER;
        boolean found = !everywhere.rules().isEmpty() || everywhere.unfinished();
        if (!found && !script && !shell && reading.unknown().isEmpty()) {
            return ALLOWED; // anywhere
        }
        Sandbox sandbox = sandboxes.apply(context);
        List<Reason> reasons = reasons(everywhere.within(sandbox.reach()));
        if (!sandbox.reach().isEmpty()) {
            reading.unknown().stream()
                    .limit(MOST_UNKNOWN)
                    .forEach(why -> reasons.add(new Reason("cannot be computed", why)));
            if (script) {
                reasons.add(SCRIPT); // code in another language is judged like execute_code
            }
        }
        if (shell && sandbox.isolation() == Isolation.NONE) {
            reasons.add(SHELL);
        }
        if (reasons.isEmpty()) {
            return found ? ISOLATED : ALLOWED;
        }
        return question(context, asked, reasons);
    }

    private static List<Reason> reasons(RuleTable.Judgement judgement) {
        return new ArrayList<>(
                judgement.unfinished()
                        ? List.of(UNCHECKED)
                        : judgement.rules().stream()
                                .map(rule -> new Reason(rule.key(), rule.why()))
                                .distinct()
                                .toList());
    }

    /// Judges a script.
    ///
    /// @param given what belongs to the script besides its text
    private Decision script(ToolContext context, String code, Map<String, Object> given, ShellContext here) {
        return deny.findInLines(code).map(texts::rule).orElseGet(() -> switch (settings.mode()) {
            // The user who chose the backend has allowed scripts there. The mode deny refuses dangerous commands;
            // scripts are not commands, so they run unless a deny rule matches.
            case MANUAL, ALLOW, DENY -> ALLOWED;
            case ASK -> reachesAnything(context) ? ask(context, code, given, here) : ISOLATED;
        });
    }

    private Decision ask(ToolContext context, String code, Map<String, Object> given, ShellContext here) {
        QuestionText shown = QuestionText.of(code);
        Asked asked = new Asked(
                Optional.ofNullable(given.get("to"))
                        .map(to -> shown.with("given to", to))
                        .orElse(shown),
                Optional.empty(),
                () -> QuestionScope.of("script", code, given, here, List.of(), sandboxes.apply(context)));
        return question(context, asked, List.of(SCRIPT));
    }

    private Decision question(ToolContext context, Asked asked, List<Reason> reasons) {
        QuestionScope scope = asked.scope().get();
        if (settings.mode() == ApprovalMode.DENY) {
            return consent.known(context, scope, reasons)
                    ? texts.of(new Consent.Outcome.Known(), reasons)
                    : texts.mode(reasons);
        }
        String subject = asked.subject().shown(text -> redactor.redact(text, Redactor.Mode.CODE));
        return texts.of(consent.ask(context, scope, subject, reasons, Tables.ABOUT_PATHS), reasons);
    }

    private static Optional<String> first(List<String> texts, Function<String, Optional<String>> search) {
        return texts.stream().map(search).flatMap(Optional::stream).findFirst();
    }

    private boolean reachesAnything(ToolContext context) {
        return !sandboxes.apply(context).reach().isEmpty();
    }

    private boolean reachesHost(ToolContext context) {
        return sandboxes.apply(context).reachesHost();
    }

    /// The tables, read when the first command comes: many programs never send one.
    private static final class Tables {
        static final RuleTable HARD = RuleTable.hard();
        static final RuleTable DANGEROUS = RuleTable.dangerous();

        /// The keys of rules whose only damage is to the paths that a command changes.
        static final Set<String> ABOUT_PATHS = Stream.concat(
                        Offers.ABOUT_PATHS.stream(),
                        DANGEROUS.rules().stream()
                                .filter(rule -> rule.on() == Rule.On.WRITE)
                                .map(Rule::key))
                .collect(Collectors.toUnmodifiableSet());
    }
}
