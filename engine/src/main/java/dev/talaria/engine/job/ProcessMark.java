package dev.talaria.engine.job;

import dev.talaria.engine.util.Identity;
import dev.talaria.engine.util.RandomBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What all processes of a relay or a job carry in their environment, so that they are found when nobody else knows
/// them any more. It names this program, too: whoever finds a mark can tell whether anybody is left to look after it.
///
/// @param world the start of a machine and the process namespace in which the owner's number counts
/// @param owner the program that made it
/// @param random tells it from others of that program
public record ProcessMark(String world, Identity owner, String random) {
    /// The variable that holds it.
    public static final String VARIABLE = "TALARIA_JOB";

    private static final Pattern TEXT =
            Pattern.compile(VARIABLE + "=([0-9a-f-]+)\\.([0-9]{1,10})\\.([0-9]{1,18})\\.([0-9a-f]+)");

    private static final String NOBODYS = "0";
    private static final String OUR_WORLD = ourWorld();
    private static final Identity WE = Identity.ofThisProcess();

    /// Returns a mark of this program that nobody else has.
    public static String fresh() {
        return OUR_WORLD + "." + WE.pid() + "." + WE.start() + "." + RandomBytes.hex(16);
    }

    /// Returns the mark that one of several words is, as `/proc` shows an environment.
    static Optional<ProcessMark> find(String words) {
        return Pattern.compile("\0")
                .splitAsStream(words)
                .flatMap(word -> of(word).stream())
                .findFirst();
    }

    /// Returns the mark that a word is: no more than that.
    static Optional<ProcessMark> of(String word) {
        Matcher matcher = TEXT.matcher(word);
        return matcher.matches()
                ? Optional.of(new ProcessMark(
                        matcher.group(1),
                        new Identity(Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))),
                        matcher.group(4)))
                : Optional.empty();
    }

    /// Returns whether its owner was a program of this machine that has ended.
    boolean orphaned() {
        return world.equals(OUR_WORLD) && !world.equals(NOBODYS) && !owner.alive();
    }

    /// The first namespace of every machine has the same number.
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
