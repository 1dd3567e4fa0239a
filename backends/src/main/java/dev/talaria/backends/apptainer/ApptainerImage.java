package dev.talaria.backends.apptainer;

import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// The image that a sandbox starts from. A remote image is built into a file once, however often it
/// is used.
///
/// @param name a file, a folder, or the name that was asked for
/// @param remark a note for the user
record ApptainerImage(String name, Optional<String> remark) {
    private static final System.Logger LOG = System.getLogger(ApptainerImage.class.getName());
    private static final Duration BUILD = Duration.ofMinutes(10);
    private static final Duration WAIT = BUILD.plusSeconds(30); // for a build by another process
    private static final long ROOM = 1L << 30;
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9-]*:.*");

    /// Builds an image, one at a time across all processes: the lock ends with its holder. The file
    /// appears only when it is complete.
    private static final String SCRIPT = "[ -s \"$2\" ] && exit 0; rm -f \"$2.new\";"
            + " timeout \"$4\" \"$1\" build \"$2.new\" \"$3\" > \"$2.log\" 2>&1 < /dev/null"
            + " && mv \"$2.new\" \"$2\" && exit 0; code=$?; tail -n 3 \"$2.log\" >&2; rm -f \"$2.new\"; exit $code";

    static ApptainerImage of(String image, ApptainerClient client, Path cache, Consumer<String> progress) {
        if (!ELSEWHERE.matcher(image).matches()) {
            if (!Files.isReadable(Path.of(image))) {
                throw Client.unavailable("There is no image " + image + " to read. Set option image of the backend"
                        + " apptainer to a SIF file, a folder, or the like of docker://debian:12.");
            }
            return new ApptainerImage(Path.of(image).toAbsolutePath().toString(), Optional.empty());
        }
        Path sif = cache.resolve(fileName(image));
        if (exists(sif)) {
            return new ApptainerImage(sif.toString(), Optional.empty());
        }
        progress.accept("the image " + image + ", which is made into a file");
        try (var _ = LogTail.of(Path.of(sif + ".log"), line -> progress.accept("the image " + image + ": " + line))) {
            return build(image, client, cache, sif);
        }
    }

    private static ApptainerImage build(String image, ApptainerClient client, Path cache, Path sif) {
        requireRoom(cache, image);
        LOG.log(System.Logger.Level.INFO, "Making {0} of {1}; {0}.log tells how it goes on", sif, image);
        Path temporary = cache.resolve("tmp");
        Client.Finished made;
        try {
            Files.createDirectories(temporary);
            ApptainerClient roomy =
                    client.with("APPTAINER_CACHEDIR", cache.toString()).with("APPTAINER_TMPDIR", temporary.toString());
            made = Client.run(
                    roomy.command(List.of(
                            "flock",
                            "-w",
                            String.valueOf(WAIT.toSeconds()),
                            sif + ".lock",
                            "sh",
                            "-c",
                            SCRIPT,
                            "sh",
                            client.program(),
                            sif.toString(),
                            image,
                            String.valueOf(BUILD.toSeconds()))),
                    WAIT.plus(BUILD).plusSeconds(30),
                    4000);
        } catch (IOException e) {
            made = new Client.Finished(Optional.empty(), e.toString());
        }
        if (made.ended(0) && exists(sif)) {
            LOG.log(System.Logger.Level.INFO, "{0} is there", sif);
            return new ApptainerImage(sif.toString(), Optional.empty());
        }
        String why = made.ended(124) ? "it took more than " + BUILD.toSeconds() + " s" : made.said();
        return new ApptainerImage(
                image,
                Optional.of("The image " + image + " could not be made into a file (" + why
                        + "), so it is used as it is, and starts more slowly."));
    }

    /// Checks that there is room: an image is unpacked before it is packed.
    private static void requireRoom(Path cache, String image) {
        try {
            if (Files.getFileStore(cache).getUsableSpace() < ROOM) {
                throw Client.unavailable("There is less than 1 GiB of room in " + cache + " to make the image " + image
                        + ". Make room, or set option cache of the backend apptainer to a folder that has it.");
            }
        } catch (IOException e) {
            // The room is not known: then the build is tried.
        }
    }

    private static boolean exists(Path sif) {
        try {
            return Files.size(sif) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns a file name that people recognize and no other image has.
    static String fileName(String image) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(image.getBytes(StandardCharsets.UTF_8));
            String plain = image.replaceFirst("^[a-z0-9-]+:(//)?", "")
                    .replaceAll("[^A-Za-z0-9._-]+", "-")
                    .replaceFirst("^[-.]+", "");
            return plain.substring(Math.max(0, plain.length() - 80)) + "-"
                    + HexFormat.of().formatHex(digest, 0, 6) + ".sif";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
