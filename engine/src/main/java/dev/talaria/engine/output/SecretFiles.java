package dev.talaria.engine.output;

import dev.talaria.engine.util.Words;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Recognizes files that contain secrets under telling names: environment files, shell profiles,
/// agents' settings.
public final class SecretFiles {
    private static final Pattern ENVIRONMENT = Pattern.compile("\\.env(?:rc|[.*?_-].*)?|.+\\.env");
    private static final Pattern EXAMPLE = Pattern.compile(".*\\.(?:example|sample|template|dist)");
    private static final Set<String> OTHERS =
            Words.set(".bashrc .bash_profile .bash_login .profile .zshrc .zprofile .zlogin .zshenv talaria.yaml");
    private static final Pattern BY_PATH = Pattern.compile("(?:.*/)?(?:proc/[^/]+/environ|\\.hermes/config\\.yaml)");

    private SecretFiles() {}

    /// Returns whether the names in a file count, judged by its path. A path with a variable in it is
    /// not judged.
    public static boolean isSecret(String path) {
        String base = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        boolean environment =
                ENVIRONMENT.matcher(base).matches() && !EXAMPLE.matcher(base).matches();
        return base.indexOf('$') < 0
                && (environment
                        || OTHERS.contains(base)
                        || BY_PATH.matcher(path).matches());
    }
}
