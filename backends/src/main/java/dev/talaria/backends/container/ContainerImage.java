package dev.talaria.backends.container;

import dev.talaria.api.Command;
import dev.talaria.api.SandboxException;
import dev.talaria.backends.process.Client;
import dev.talaria.backends.process.LocalProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Pulls missing images.
final class ContainerImage {
    private static final System.Logger LOG = System.getLogger(ContainerImage.class.getName());
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private ContainerImage() {}

    /// Pulls an image, and reports the progress; in the log less often. That may take many minutes:
    /// the waiting call may leave before, and the next one finds the image.
    ///
    /// @throws SandboxException if the image cannot be pulled
    static void pull(ContainerClient client, String image, Duration patience, Consumer<String> progress) {
        progress.accept("the image " + image + ", which is pulled");
        LOG.log(System.Logger.Level.INFO, "Pulling the image {0}, for at most {1} s", image, patience.toSeconds());
        StringBuilder said = new StringBuilder();
        try (LocalProcess process = LocalProcess.start(Command.of(client.argv(List.of("pull", image))))) {
            process.stdin().close();
            Thread.ofPlatform().daemon().name("pull-stdout").start(() -> follow(process, image, false, said, progress));
            Thread errors = Thread.ofPlatform()
                    .daemon()
                    .name("pull-stderr")
                    .start(() -> follow(process, image, true, said, progress));
            Optional<Integer> status = process.waitFor(patience);
            if (status.isEmpty()) {
                process.kill();
                throw Client.unavailable("The image " + image + " was not there after " + patience.toSeconds()
                        + " s of pulling. Pull it by hand ('" + client.kind().program() + " pull " + image
                        + "'), or raise option pull-timeout.");
            }
            errors.join(Duration.ofSeconds(1));
            if (status.get() != 0) {
                throw missing(client, image, shown(said));
            }
            LOG.log(System.Logger.Level.INFO, "The image {0} is there", image);
        } catch (IOException e) {
            throw missing(client, image, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Client.unavailable("Interrupted while pulling the image " + image + ". Try again.");
        }
    }

    private static SandboxException missing(ContainerClient client, String image, String why) {
        return Client.unavailable("There is no image " + image + " here, and it cannot be pulled (" + why
                + "). Check option image, log in to its registry, or load it ('"
                + client.kind().program()
                + " load' or 'import').");
    }

    private static void follow(
            LocalProcess process, String image, boolean errors, StringBuilder said, Consumer<String> progress) {
        long next = System.nanoTime();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(errors ? process.stderr() : process.stdout(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (errors) {
                    synchronized (said) {
                        said.append(said.length() < 1000 ? line + "\n" : "");
                    }
                }
                progress.accept("the image " + image + ": " + line.strip());
                if (System.nanoTime() >= next) {
                    next = System.nanoTime() + BETWEEN_LINES.toNanos();
                    LOG.log(System.Logger.Level.INFO, "{0}: {1}", image, line.strip());
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    private static String shown(StringBuilder said) {
        synchronized (said) {
            String text = said.toString().strip();
            return text.isEmpty() ? "the client did not say why" : text.substring(text.lastIndexOf('\n') + 1);
        }
    }
}
