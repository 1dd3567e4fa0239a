package dev.talaria.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.talaria.api.Caller;
import dev.talaria.api.ToolCall;
import dev.talaria.api.ToolResult;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ApprovalMode;
import dev.talaria.engine.config.ApprovalSettings;
import dev.talaria.engine.config.Settings;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Tests that a tool changes the file that its path really leads to, and that the gate judges that
/// file.
interface WriteRuns extends RunSubject {

    private static RunResult write(Terminal terminal, String path, String content) {
        return new RunResult(terminal.engine()
                .call(ToolCall.of(terminal.caller(), "write_file", Map.of("path", path, "content", content))));
    }

    private static UnaryOperator<Settings> with(ApprovalMode mode, String... deny) {
        return settings -> settings.withApprovals(
                ApprovalSettings.defaults().withMode(mode).withDeny(List.of(deny)));
    }

    private Terminal fresh(Engine engine) {
        return new Terminal(engine, Runs.freshSession());
    }

    /// Returns a new folder, without a link in its path.
    private String folder(Terminal terminal) {
        String folder = runs().writable() + "/write-" + UUID.randomUUID();
        return terminal.output("mkdir " + folder + " && (cd -P " + folder + " && env pwd -P)")
                .strip();
    }

    /// Returns the output of a command in a folder; the session stays in its own.
    private static String in(String folder, Terminal terminal, String command) {
        return terminal.output("(cd " + folder + "; " + command + ")");
    }

    @Test
    default void aLinkIsWrittenThroughAndStaysALink() {
        Terminal terminal = Terminal.shared(runs());
        String here = folder(terminal);
        in(
                here,
                terminal,
                "mkdir real; echo old > real/file; chmod 640 real/file; ln -s real folder;"
                        + " ln -s ../" + here.substring(here.lastIndexOf('/') + 1) + "/folder/file link; ln -s " + here
                        + "/real/new dangling");

        assertThat(write(terminal, here + "/link", "through\n").text("path")).isEqualTo(here + "/real/file");
        assertThat(write(terminal, here + "/dangling", "made\n").text("path")).isEqualTo(here + "/real/new");
        assertThat(write(terminal, here + "/folder/../real/./third", "third\n").text("path"))
                .isEqualTo(here + "/real/third");

        assertThat(in(
                        here,
                        terminal,
                        "cat real/file real/new real/third; ls -A real; ls -l real/file;"
                                + " [ -L link ] && [ -L dangling ] && [ -L folder ] && echo links"))
                .startsWith("through\nmade\nthird\nfile\nnew\nthird\n-rw-r----- ")
                .endsWith("\nlinks\n");
    }

    @Test
    default void missingFoldersAreMade() {
        Terminal terminal = Terminal.shared(runs());
        String here = folder(terminal);
        in(here, terminal, "mkdir real; ln -s real folder");

        String name = "ä b/-c/'d'";
        assertThat(write(terminal, here + "/folder/" + name + "/file", "deep\n").text("path"))
                .isEqualTo(here + "/real/" + name + "/file");
        assertThat(write(terminal, here + "/real/-c/empty", "").number("bytes_written"))
                .isZero();

        assertThat(in(here, terminal, "cat \"real/" + name + "/file\"; wc -c < real/-c/empty | tr -d ' '"))
                .isEqualTo("deep\n0\n");
    }

    @Test
    default void whatIsNoFileIsRefusedAndStaysAsItIs() {
        Terminal terminal = Terminal.shared(runs());
        String here = folder(terminal);
        String look = "ls -lAR | grep -v ^total";
        in(
                here,
                terminal,
                "ln -s round circle; ln -s circle round; mkdir folder; mkfifo pipe; echo x > file; ln -s pipe to-pipe");
        String before = in(here, terminal, look);

        for (String name : List.of("circle", "folder", ".", "pipe", "file/below", "folder/..", "to-pipe")) {
            assertThat(write(terminal, here + "/" + name, "evil").refused())
                    .as(name)
                    .isNotBlank();
        }

        assertThat(in(here, terminal, look)).isEqualTo(before);
    }

    @Test
    default void aDenyRuleCountsForThePathThatIsReallyChanged() {
        try (Engine engine = runs().another(with(ApprovalMode.ALLOW, "^write_file .*/kept/"))) {
            Terminal terminal = fresh(engine);
            String here = folder(terminal);
            in(
                    here,
                    terminal,
                    "mkdir kept open; echo old > kept/file; ln -s kept folder;"
                            + " ln -s ../kept/file open/link; ln -s ../kept/new open/dangling");

            for (String path : List.of(
                    "kept/file",
                    "kept/new",
                    "kept/more/new",
                    "folder/file",
                    "folder/more/new",
                    "open/link",
                    "open/dangling",
                    "open/../folder/../kept/file")) {
                RunResult ran = write(terminal, here + "/" + path, "evil");
                assertThat(ran.result()).as(path).isInstanceOf(ToolResult.Denied.class);
                assertThat(ran.error()).contains("^write_file .*/kept/");
            }

            assertThat(write(terminal, here + "/open/file", "fine").text("status"))
                    .isEqualTo("ok");
            assertThat(in(here, terminal, "cat kept/file; ls -A kept open"))
                    .isEqualTo("old\nkept:\nfile\n\nopen:\ndangling\nfile\nlink\n");
        }
    }

    @Test
    default void whatRunsLaterIsAskedAboutWhereTheHostIsInReach() {
        // Nobody is asked here, and the folder itself has to be created.
        UnaryOperator<Settings> strict = settings -> {
            Settings denying = with(ApprovalMode.DENY).apply(settings);
            return denying.withApprovals(denying.approvals().withAllow(List.of("mkdir -p \\S+/\\.git/hooks")));
        };
        try (Engine engine = runs().another(strict)) {
            Terminal terminal = fresh(engine);
            String here = folder(terminal);
            terminal.output("mkdir -p " + here + "/.git/hooks");
            in(here, terminal, "ln -s .git/hooks innocent");
            boolean reaches = terminal.run("rm -rf .git/nothing").result() instanceof ToolResult.Denied;

            RunResult ran = write(terminal, here + "/innocent/pre-commit", "evil");

            if (reaches) {
                assertThat(ran.result()).isInstanceOf(ToolResult.Denied.class);
                assertThat(ran.error()).contains("git runs by itself");
            } else {
                assertThat(ran.text("path")).isEqualTo(here + "/.git/hooks/pre-commit");
            }
            assertThat(terminal.output("ls -A " + here + "/.git/hooks")).isEqualTo(reaches ? "" : "pre-commit\n");
            assertThat(write(terminal, here + "/.git/description", "fine").text("status"))
                    .isEqualTo("ok");
        }
    }

    @Test
    default void aScriptsOwnCallIsJudgedAlike() {
        if (!has(Behaviour.PYTHON)) {
            return; // no scripts
        }
        try (Engine engine = runs().another(with(ApprovalMode.ALLOW, "write_file .*/kept/"))) {
            Caller caller = Runs.freshSession();
            RunResult ran = new RunResult(engine.call(Runs.call(caller, """
                    import os, tempfile
                    from hermes_tools import write_file
                    here = os.path.realpath(tempfile.mkdtemp())
                    os.mkdir(here + "/kept")
                    os.symlink("kept", here + "/link")
                    answers = [write_file(here + "/" + name, "x") for name in ("link/a", "kept/b", "c")]
                    print(["Denied" in str(a) for a in answers], os.listdir(here + "/kept"))
                    """, Map.of())));

            assertThat(ran.output()).as("%s", ran.value()).isEqualTo("[True, True, False] []\n");
        }
    }
}
