package dev.talaria.engine.job;

import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The mark that all processes of a relay or a job carry in their environment, so that they can be
/// found when nobody else knows them any more. It names its owner, too, so that a finder can tell
/// whether the owner still lives.
///
/// @param world the boot of a machine and the process namespace that the owner's number belongs to
/// @param owner the program that made the mark
/// @param random distinguishes it from other marks of that program
public record ProcessMark(String world, Identity owner, String random) {
    /// The variable that contains the mark.
    public static final String VARIABLE = "TALARIA_JOB";

    private static final Pattern TEXT =
            Pattern.compile(VARIABLE + "=([0-9a-f-]+)\\.([0-9]{1,10})\\.([0-9]{1,18})\\.([0-9a-f]+)");

    private static final String NOBODYS = "0";
    private static final String OUR_WORLD = ourWorld();
    private static final Identity WE = Identity.ofThisProcess();

    /// Returns a new mark of this program.
    public static String fresh() {
        return OUR_WORLD + "." + WE.pid() + "." + WE.start() + "." + RandomBytes.hex(16);
    }

    /// Returns the first mark among several words, in the form in which `/proc` shows an environment.
    static Optional<ProcessMark> find(String words) {
        return Pattern.compile("\0")
                .splitAsStream(words)
                .flatMap(word -> of(word).stream())
                .findFirst();
    }

    /// Returns the mark in a word that contains nothing else.
    static Optional<ProcessMark> of(String word) {
        Matcher matcher = TEXT.matcher(word);
        return matcher.matches()
                ? Optional.of(new ProcessMark(
                        matcher.group(1),
                        new Identity(Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))),
                        matcher.group(4)))
                : Optional.empty();
    }

    /// Returns whether the owner was a program of this machine that has ended.
    boolean orphaned() {
        return world.equals(OUR_WORLD) && !world.equals(NOBODYS) && !owner.alive();
    }

    /// Returns the boot and the process namespace. The boot is needed because the first namespace of
    /// every machine has the same number.
    private static String ourWorld() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"));
            String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return boot.substring(0, 8) + "-" + link.replaceAll("[^0-9]", "");
        } catch (IOException | IndexOutOfBoundsException e) {
            return NOBODYS;
        }
    }
}
