package dev.talaria.backends.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Lists the places of keys, credentials and sockets of agents. A sandbox on this machine should
/// never see them.
final class SecretPlaces {
    /// Paths below a home folder.
    private static final List<String> IN_HOME = List.of(
            ".ssh",
            ".gnupg",
            ".aws",
            ".azure",
            ".kube",
            ".docker",
            ".netrc",
            ".git-credentials",
            ".pypirc",
            ".npmrc",
            ".yarnrc.yml",
            ".pgpass",
            ".my.cnf",
            ".vault-token",
            ".password-store",
            ".cargo/credentials",
            ".cargo/credentials.toml",
            ".gem/credentials",
            ".m2/settings.xml",
            ".m2/settings-security.xml",
            ".gradle/gradle.properties",
            ".terraform.d/credentials.tfrc.json",
            ".config/gcloud",
            ".config/gh",
            ".config/glab-cli",
            ".config/hub",
            ".config/op",
            ".config/rclone",
            ".config/containers/auth.json",
            ".config/git/credentials",
            ".config/google-chrome",
            ".config/chromium",
            ".config/BraveSoftware",
            ".mozilla",
            ".thunderbird",
            ".local/share/keyrings",
            ".local/share/kwalletd",
            ".claude",
            ".codex",
            ".hermes",
            ".bash_history",
            ".zsh_history",
            ".python_history",
            ".Xauthority",
            ".ICEauthority");

    /// Variables that name such a place.
    private static final List<String> NAMED_BY = List.of(
            "SSH_AUTH_SOCK",
            "GNUPGHOME",
            "GPG_AGENT_INFO",
            "GNOME_KEYRING_CONTROL",
            "XAUTHORITY",
            "ICEAUTHORITY",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
            "DOCKER_HOST",
            "CONTAINER_HOST",
            "DOCKER_CONFIG",
            "REGISTRY_AUTH_FILE",
            "KUBECONFIG",
            "AWS_SHARED_CREDENTIALS_FILE",
            "AWS_CONFIG_FILE",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AZURE_CONFIG_DIR",
            "CLOUDSDK_CONFIG",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "NETRC",
            "PGPASSFILE",
            "NPM_CONFIG_USERCONFIG",
            "KRB5CCNAME",
            "KRB5_KTNAME",
            "VAULT_TOKEN_FILE",
            "PASSWORD_STORE_DIR",
            "HERMES_HOME");

    /// Sockets, outside of /run, of daemons that obey everybody who can connect.
    private static final List<String> DAEMONS = List.of(
            "/var/snap/lxd/common/lxd",
            "/var/lib/lxd",
            "/var/lib/incus",
            "/var/lib/docker",
            "/var/lib/containerd",
            "/var/lib/libvirt",
            "/var/spool/cron");

    private SecretPlaces() {}

    /// Returns the places below a home folder, existing or not.
    static List<Path> below(Path home) {
        return IN_HOME.stream().map(home::resolve).toList();
    }

    /// Returns the places that the environment names, and those of daemons.
    static List<Path> elsewhere(Map<String, String> environment) {
        List<Path> found = new ArrayList<>(DAEMONS.stream().map(Path::of).toList());
        for (String name : NAMED_BY) {
            // KUBECONFIG is a list, DOCKER_HOST and similar ones begin with unix:// or unix:path=,
            // KRB5CCNAME with FILE:
            Stream.of(environment.getOrDefault(name, "").split("[:=,;]", -1))
                    .map(part -> part.startsWith("//") ? part.substring(1) : part)
                    .filter(part -> part.startsWith("/") && part.length() > 1 && part.indexOf('\0') < 0)
                    .map(Path::of)
                    .forEach(found::add);
        }
        return List.copyOf(found);
    }
}
