package dev.talaria.engine.decide.reading;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Programs that run another program: `sudo`, `env`, `nohup` and their like.
final class Wrappers {
    private static final int MOST = 16;

    /// @param takesValue letters of the short options that take the next word
    /// @param positionals how many words of its own come before the command
    /// @param not short options with which nothing is run
    private record Wrapper(String takesValue, int positionals, String not) {}

    private static final Map<String, Wrapper> ALL = Map.ofEntries(
            Map.entry("sudo", new Wrapper("ughpCrtTUDR", 0, "vlVK")),
            Map.entry("doas", new Wrapper("uC", 0, "L")),
            Map.entry("env", new Wrapper("uC", 0, "")),
            Map.entry("command", new Wrapper("", 0, "vV")),
            Map.entry("builtin", new Wrapper("", 0, "")),
            Map.entry("exec", new Wrapper("a", 0, "")),
            Map.entry("nohup", new Wrapper("", 0, "")),
            Map.entry("setsid", new Wrapper("", 0, "")),
            Map.entry("time", new Wrapper("fo", 0, "")),
            Map.entry("nice", new Wrapper("n", 0, "")),
            Map.entry("ionice", new Wrapper("cn", 0, "p")),
            Map.entry("chrt", new Wrapper("", 1, "pm")),
            Map.entry("taskset", new Wrapper("", 1, "p")),
            Map.entry("stdbuf", new Wrapper("ioe", 0, "")),
            Map.entry("timeout", new Wrapper("sk", 1, "")),
            Map.entry("flock", new Wrapper("wE", 1, "u")),
            Map.entry("chroot", new Wrapper("", 1, "")),
            Map.entry("unshare", new Wrapper("", 0, "")),
            Map.entry("busybox", new Wrapper("", 0, "")),
            Map.entry("toybox", new Wrapper("", 0, "")),
            Map.entry("strace", new Wrapper("eopsaPSuUX", 0, "")),
            Map.entry("ltrace", new Wrapper("eopsau", 0, "")),
            Map.entry("unbuffer", new Wrapper("", 0, "")),
            Map.entry("caffeinate", new Wrapper("tw", 0, "")),
            Map.entry("pkexec", new Wrapper("", 0, "")),
            Map.entry("systemd-run", new Wrapper("pEtMHuG", 0, "")),
            Map.entry("systemd-inhibit", new Wrapper("", 0, "")),
            Map.entry("nsenter", new Wrapper("tSG", 0, "")),
            Map.entry("setpriv", new Wrapper("", 0, "")),
            Map.entry("setarch", new Wrapper("", 1, "")),
            Map.entry("linux64", new Wrapper("", 0, "")),
            Map.entry("fakeroot", new Wrapper("lfsi", 0, "")),
            Map.entry("firejail", new Wrapper("", 0, "")),
            Map.entry("gosu", new Wrapper("", 1, "")),
            Map.entry("su-exec", new Wrapper("", 1, "")),
            Map.entry("prlimit", new Wrapper("p", 0, "")),
            Map.entry("cgexec", new Wrapper("g", 0, "")),
            Map.entry("numactl", new Wrapper("CNmip", 0, "")),
            Map.entry("dbus-run-session", new Wrapper("", 0, "")),
            Map.entry("xvfb-run", new Wrapper("enfspw", 0, "")),
            Map.entry("proxychains", new Wrapper("f", 0, "")),
            Map.entry("torsocks", new Wrapper("", 0, "")),
            Map.entry("catchsegv", new Wrapper("", 0, "")),
            Map.entry("rlwrap", new Wrapper("afHs", 0, "")),
            Map.entry("winpty", new Wrapper("", 0, "")),
            Map.entry("chronic", new Wrapper("", 0, "")),
            Map.entry("ld-linux-x86-64.so.2", new Wrapper("", 0, "")),
            Map.entry("ld-linux-aarch64.so.1", new Wrapper("", 0, "")));

    private static final Set<String> LONG_VALUES = Set.of(
            "--user",
            "--group",
            "--chdir",
            "--unset",
            "--signal",
            "--kill-after",
            "--output",
            "--input",
            "--error",
            "--adjustment",
            "--class",
            "--classdata",
            "--prompt",
            "--host",
            "--close-from",
            "--chroot",
            "--role",
            "--type",
            "--other-user",
            "--command-timeout",
            "--wait",
            "--timeout",
            "--conflict-exit-code",
            "--format",
            "--target",
            "--unit",
            "--property",
            "--setenv",
            "--reuid",
            "--regid",
            "--argv0");

    private Wrappers() {}

    /// Returns the folder that `env -C` or `sudo -D` goes to.
    static Optional<String> folder(List<Word> words) {
        String program = Programs.name(words.getFirst().text());
        String option = program.equals("env") ? "-C" : program.equals("sudo") ? "-D" : "";
        for (int i = 1; !option.isEmpty() && i < words.size(); i++) {
            String word = words.get(i).text();
            if (word.startsWith("--chdir=")) {
                return Optional.of(word.substring("--chdir=".length()));
            }
            if ((word.equals(option) || word.equals("--chdir")) && i + 1 < words.size()) {
                return Optional.of(words.get(i + 1).text());
            }
            if (!word.startsWith("-")) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /// Returns the words from the first program that does something itself.
    static List<Word> peel(List<Word> words, Findings findings) {
        List<Word> left = assignments(words);
        for (int i = 0; i < MOST && !left.isEmpty(); i++) {
            Optional<List<Word>> inner = inner(left);
            if (inner.isEmpty()) {
                return left;
            }
            left = assignments(inner.get());
            if (!left.isEmpty() && Programs.name(left.getFirst().text()).equals("sudo")) {
                findings.command("sudo", SimpleCommand.show(left)); // it has rules of its own: sudo -S
            }
        }
        if (!left.isEmpty() && inner(left).isPresent()) {
            findings.giveUp("more than " + MOST + " programs in it do nothing but run the next");
        }
        return left;
    }

    private static Optional<List<Word>> inner(List<Word> words) {
        Wrapper wrapper = ALL.get(Programs.name(words.getFirst().text()));
        if (wrapper == null) {
            return Optional.empty();
        }
        int at = 1;
        while (at < words.size()) {
            String word = words.get(at).text();
            if (word.equals("--")) {
                at++;
                break;
            }
            if (!word.startsWith("-")) {
                break;
            }
            if (word.startsWith("--")) {
                at += LONG_VALUES.contains(word) ? 2 : 1;
                continue;
            }
            int value = firstOf(word, wrapper.takesValue());
            if (firstOf(word, wrapper.not()) < value) {
                return Optional.empty();
            }
            at += value == word.length() - 1 ? 2 : 1; // -u root, but -uroot
        }
        List<Word> rest = assignments(words.subList(Math.min(at, words.size()), words.size()));
        return rest.size() <= wrapper.positionals()
                ? Optional.empty()
                : Optional.of(rest.subList(wrapper.positionals(), rest.size()));
    }

    /// Returns where the first of the letters stands in a bundle of short options; far away if none does.
    private static int firstOf(String bundle, String letters) {
        for (int i = 1; i < bundle.length(); i++) {
            if (letters.indexOf(bundle.charAt(i)) >= 0) {
                return i;
            }
        }
        return Integer.MAX_VALUE;
    }

    /// Returns the words after `NAME=value` ones.
    static List<Word> assignments(List<Word> words) {
        int at = 0;
        while (at < words.size() && Programs.assignment(words.get(at).text())) {
            at++;
        }
        return words.subList(at, words.size());
    }
}
