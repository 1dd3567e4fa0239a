package dev.talaria.cli.doctor;

import dev.talaria.api.OwnUser;
import dev.talaria.api.Reason;
import dev.talaria.engine.Engine;
import dev.talaria.engine.config.ConfigProblem;
import dev.talaria.engine.config.Folders;
import dev.talaria.engine.config.LoadedConfig;
import dev.talaria.engine.config.ScriptSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Checks this machine, this user and the configuration.
final class HostChecks {
    private static final long LITTLE = 1 << 20;

    private final LoadedConfig loaded;
    private final Map<String, String> environment;
    private final List<Finding> findings = new ArrayList<>();

    HostChecks(LoadedConfig loaded, Map<String, String> environment) {
        this.loaded = loaded;
        this.environment = environment;
    }

    List<Finding> findings() {
        findings.add(Finding.ok("java", Runtime.version() + ", " + System.getProperty("java.home")));
        configuration();
        user();
        folders();
        Engine.admin(environment)
                .sweep()
                .forEach(left -> findings.add(Finding.warn(
                        "left alone", left, "Look at it, and remove it yourself if it is nothing of yours.")));
        programs();
        limits();
        return List.copyOf(findings);
    }

    private void configuration() {
        for (ConfigProblem problem : loaded.ofUser()) {
            findings.add(Finding.fail("config", problem.text(), "'talaria config' shows all of it."));
        }
        for (ConfigProblem problem : loaded.ofProject()) {
            findings.add(Finding.warn("config", problem.text(), "Until then, that line does not count."));
        }
        loaded.warnings()
                .forEach(text -> findings.add(Finding.warn("config", text, "'talaria config' shows all of it.")));
        if (loaded.problems().isEmpty() && loaded.warnings().isEmpty()) {
            Path file = loaded.settings().folders().configFile();
            findings.add(
                    Finding.ok("config", Files.exists(file) ? file.toString() : "all defaults, there is no " + file));
        }
    }

    private void user() {
        String name = System.getProperty("user.name", "somebody");
        if (uid().equals(Optional.of(0))) {
            findings.add(Finding.warn(
                    "user",
                    name + " (uid 0): without isolation a script can read every file and, by /proc, the memory and open"
                            + " files of Talaria itself",
                    "Run Talaria as an ordinary user, or choose a backend that isolates."));
        } else {
            findings.add(Finding.ok("user", name + ", an ordinary user"));
        }
    }

    private static Optional<Integer> uid() {
        try {
            return Optional.of(OwnUser.uid());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void folders() {
        Folders folders = loaded.settings().folders();
        findings.add(folder("config folder", folders.config()));
        findings.add(folder("state folder", folders.state()));
        findings.add(folder("cache folder", folders.cache()));
    }

    private static Finding folder(String topic, Path folder) {
        try {
            if (!Files.exists(folder)) {
                Path above = existing(folder);
                return Files.isWritable(above)
                        ? Finding.ok(topic, folder + ", made when it is needed")
                        : Finding.fail(topic, folder + " cannot be made in " + above, "Allow yourself to write there.");
            }
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
            if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
                return Finding.fail(topic, folder + " cannot be written to", "Make it a folder of yours.");
            }
            if (Files.getFileStore(folder).getUsableSpace() < LITTLE) {
                return Finding.fail(topic, "there is no room in " + folder, "Make room: what is kept there gets lost.");
            }
            return permissions.endsWith("------")
                    ? Finding.ok(topic, folder + ", closed to others")
                    : Finding.warn(topic, folder + " is open to others (" + permissions + ")", "chmod 700 " + folder);
        } catch (IOException e) {
            return Finding.fail(topic, folder + ": " + Reason.of(e), "Check it.");
        }
    }

    /// Returns the folder itself, or the nearest one above it that exists.
    static Path existing(Path folder) {
        for (int names = folder.getNameCount(); names > 0; names--) {
            Path part = Path.of("/").resolve(folder.subpath(0, names));
            if (Files.exists(part)) {
                return part;
            }
        }
        return Path.of("/");
    }

    private void programs() {
        program("setsid", "without it scripts could open your terminal; install util-linux", true);
        program("bwrap", "only --backend bubblewrap needs it", false);
        program("docker", "only --backend docker needs it", false);
        program("ssh", "only --backend ssh needs it", false);
    }

    private void program(String name, String purpose, boolean needed) {
        Optional<Path> found = Arrays.stream(
                        environment.getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        if (found.isPresent()) {
            findings.add(Finding.ok(name, found.get().toString()));
        } else if (needed) {
            findings.add(Finding.warn(name, "not found", purpose));
        } else {
            findings.add(Finding.ok(name, "not found; " + purpose));
        }
    }

    private void limits() {
        ScriptSettings script = loaded.settings().script();
        String memory = script.memoryBytes()
                .map(bytes -> bytes + " bytes for each process")
                .orElse("unlimited");
        String processes = script.processes().map(String::valueOf).orElse("unlimited");
        String text = script.timeout().standard().toSeconds() + " s, "
                + script.toolCalls().standard() + " tool calls, memory " + memory + ", processes " + processes;
        findings.add(
                script.memoryBytes().isEmpty() || script.processes().isEmpty()
                        ? Finding.ok("limits", text, "Set script.memory-bytes and script.processes to bound them.")
                        : Finding.ok("limits", text));
    }
}
