package dev.talaria.backends.container;

import dev.talaria.api.OwnUser;
import dev.talaria.api.Reason;
import dev.talaria.backends.options.Options;
import dev.talaria.backends.process.Client;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The user that commands in a container run as.
///
/// @param host whether it is the user who runs Talaria
record ContainerUser(int uid, int gid, boolean host) {
    /// The capabilities of root that `apt` needs, and no more.
    private static final List<String> OF_ROOT = List.of("DAC_OVERRIDE", "CHOWN", "FOWNER", "SETUID", "SETGID");

    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

    /// Reads option `user`: `host`, `root`, or numbers.
    static ContainerUser of(Options options) {
        String wanted = options.find("user").orElse("host");
        Matcher numbers = NUMBERS.matcher(wanted);
        if (numbers.matches()) {
            int uid = Integer.parseInt(numbers.group(1));
            return new ContainerUser(uid, numbers.group(2) == null ? uid : Integer.parseInt(numbers.group(2)), false);
        }
        return switch (wanted) {
            case "host" -> ours();
            case "root" -> new ContainerUser(0, 0, false);
            default -> throw options.wrong("user", "'" + wanted + "' is neither host nor root nor UID:GID");
        };
    }

    private static ContainerUser ours() {
        try {
            return new ContainerUser(OwnUser.uid(), OwnUser.gid(), true);
        } catch (IOException e) {
            throw Client.unavailable(
                    "This machine does not tell who runs Talaria (" + Reason.of(e) + "). Set option user to UID:GID.");
        }
    }

    boolean root() {
        return uid == 0;
    }

    /// Returns the capabilities that stay; all others are dropped.
    List<String> capabilities() {
        return root() ? OF_ROOT : List.of();
    }

    static boolean harmless(String capability) {
        return OF_ROOT.contains(capability);
    }

    String home() {
        return root() ? "/root" : "/home/talaria";
    }

    @Override
    public String toString() {
        return uid + ":" + gid;
    }
}
