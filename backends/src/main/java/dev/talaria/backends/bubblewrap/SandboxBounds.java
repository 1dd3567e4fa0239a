package dev.talaria.backends.bubblewrap;

import dev.talaria.backends.options.Options;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How much a sandbox on this machine may take.
///
/// @param memory bytes, of all its processes together where the kernel's control groups are ours to use, else of each
/// @param processes how many it may have at a time
/// @param fileBytes how long a file may get
record SandboxBounds(OptionalLong memory, OptionalLong processes, OptionalLong fileBytes) {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})\\s*([kmgt]?)(?:i?b)?");

    static SandboxBounds of(Options options) {
        return new SandboxBounds(
                size(options, "memory", "5GiB"),
                size(options, "processes", "512"),
                size(options, "file-size", "10GiB"));
    }

    private static OptionalLong size(Options options, String name, String standard) {
        String given = options.find(name).orElse(standard).strip().toLowerCase(Locale.ROOT);
        if (given.equals("unlimited")) {
            return OptionalLong.empty();
        }
        Matcher matcher = SIZE.matcher(given);
        boolean plain = name.equals("processes");
        if (!matcher.matches() || (plain && !matcher.group(2).isEmpty())) {
            throw Options.refuse("Option " + name + " of the backend bubblewrap is '" + given + "': write "
                    + (plain ? "a number" : "a size such as 2GiB") + ", or unlimited.");
        }
        int steps = " kmgt".indexOf((matcher.group(2) + " ").charAt(0));
        long value = Long.parseLong(matcher.group(1)) << (10 * steps);
        if (value < (plain ? 16 : 1 << 20)) {
            throw Options.refuse("Option " + name + " of the backend bubblewrap is '" + given
                    + "', too little for anything to run. Write at least " + (plain ? "16." : "1MiB."));
        }
        return OptionalLong.of(value);
    }
}
