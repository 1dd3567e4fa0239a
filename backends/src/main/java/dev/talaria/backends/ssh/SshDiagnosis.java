package dev.talaria.backends.ssh;

import dev.talaria.api.SandboxException;
import dev.talaria.backends.process.Client;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Explains a client's message that it could not connect, and says what to do.
final class SshDiagnosis {
    /// Messages from connecting; a connection that breaks later is another matter.
    private static final Pattern CONNECTING = Pattern.compile("connect to (?:host|address) .* port \\d+: "
            + "|kex_exchange_identification: |Connection timed out during banner exchange");

    private static final Pattern NO_SSH = Pattern.compile(
            "banner line contains invalid|invalid format" + "|no SSH identification|too long to be a banner");
    private static final Pattern OFFENDING = Pattern.compile("Offending .* key in (\\S+?):(\\d+)");
    private static final Pattern REMEDY = Pattern.compile("(?m)^\\s*(ssh-keygen -f .*-R .*)$");

    private SshDiagnosis() {}

    /// Returns whether a client that ended like this never reached the host, and may reach it a
    /// little later.
    static boolean away(Client.Finished trial) {
        return trial.ended(255)
                && CONNECTING.matcher(trial.said()).find()
                && !NO_SSH.matcher(trial.said()).find();
    }

    static SandboxException of(String host, Client.Finished trial) {
        String said = trial.said();
        if (said.contains("REMOTE HOST IDENTIFICATION HAS CHANGED")) {
            return Client.unavailable(changed(host, said));
        }
        String message = "The host " + host + " cannot be used (" + said + "). " + step(host, trial);
        return away(trial) ? Client.away(message) : Client.unavailable(message);
    }

    static void requireLinux(String host, String system) {
        if (!system.equals("Linux")) {
            throw Client.unavailable("The host " + host + " runs " + (system.isBlank() ? "no Linux" : system)
                    + ". Talaria works on Linux hosts only so far: choose another host.");
        }
    }

    private static String changed(String host, String said) {
        Matcher place = OFFENDING.matcher(said);
        Matcher remedy = REMEDY.matcher(said);
        return "The host " + host + " has another key than the one known of it"
                + (place.find() ? " (line " + place.group(2) + " of " + place.group(1) + ")" : "")
                + ". Either it was installed anew, or somebody else answers in its place. Ask whoever runs it; if the"
                + " new key is right, forget the old one with '"
                + (remedy.find() ? remedy.group(1).strip() : "ssh-keygen -R " + host) + "' and try again.";
    }

    private static String step(String host, Client.Finished trial) {
        String said = trial.said();
        String byHand = "'ssh " + host + " true'";
        if (said.contains("UNPROTECTED PRIVATE KEY")) {
            return "Make the key readable by its owner alone: chmod 600.";
        } else if (said.contains("Too many authentication failures")) {
            return "Your agent offers too many keys. Set the option key to the right one.";
        } else if (said.contains("Permission denied")) {
            return "Load your key into ssh-agent, or set the options user and key.";
        } else if (said.contains("Host key verification failed") || said.contains("host key is known for")) {
            return "Connect once by hand with 'ssh " + host + "' and check its key.";
        } else if (said.contains("Could not resolve")) {
            return "Check the name; it is looked up in ssh_config and in DNS.";
        } else if (NO_SSH.matcher(said).find()) {
            return "What answers there is no SSH server. Check the option port.";
        } else if (said.contains("onfiguration option")
                || said.contains("config file")
                || said.contains("bad config")) {
            return "Mend the configuration until 'ssh -G " + host + "' works.";
        } else if (said.contains("banner exchange") || said.contains("kex_exchange_identification")) {
            return "What answers there does not talk: it is no SSH server (check the option port), or too busy.";
        } else if (trial.ended(255) || trial.status().isEmpty()) {
            return "Check that the machine is up and " + byHand + " works.";
        }
        return "Its login shell must run commands: " + byHand + " has to end with 0, and it ended with "
                + trial.status().map(String::valueOf).orElse("nothing") + ".";
    }
}
