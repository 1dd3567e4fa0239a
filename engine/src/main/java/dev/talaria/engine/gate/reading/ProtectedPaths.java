package dev.talaria.engine.gate.reading;

import dev.talaria.engine.util.Words;
import java.util.ArrayList;
import java.util.List;

/// Knows the places that rules protect, which a path with `*`, `?` or `[...]` may match.
final class ProtectedPaths {
    /// Paths in a home.
    private static final List<List<String>> IN_HOMES = split("""
            .ssh .aws .gnupg .kube .docker .azure .oci .password-store .terraform.d .vault .boto .netrc .pgpass
            .git-credentials .npmrc .yarnrc .pypirc .my.cnf .s3cfg .vault-token .Xauthority .rhosts .k5login
            .config/gh .config/glab-cli .config/hub .config/gcloud .config/op .config/rclone .config/age .config/sops
            .config/containers .config/helm .config/git .config/pip .config/nvim .config/fish .config/zsh
            .config/autostart .config/systemd .config/environment.d .config/Code/User .config/talaria
            .config/opencode .config/claude .config/goose .config/github-copilot .config/zed
            .local/share/keyrings .local/share/systemd .local/share/applications .local/state/talaria
            .local/share/talaria .local/bin .cache/talaria .gitconfig .hgrc .vimrc .exrc .emacs .inputrc .screenrc
            .tmux.conf .gdbinit .psqlrc .condarc .gemrc .irbrc .Rprofile .curlrc .wgetrc .nanorc .xinitrc .vim .emacs.d
            .cargo/config .cargo/config.toml .cargo/credentials .cargo/credentials.toml .cargo/env .cargo/bin
            .m2/settings.xml .gradle/init.gradle .gradle/init.d .gradle/gradle.properties .vscode .bundle .mvn
            .claude .claude.json .codex .cursor .gemini .hermes .continue .windsurf .copilot .opencode .goose .aider.conf.yml
            .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout
            .kshrc .cshrc .tcshrc .login .logout .xprofile .xsessionrc .xsession .pam_environment .bash_history .zsh_history
            .bashrc.d .zshrc.d .oh-my-zsh
            """);

    /// Paths in any folder.
    private static final List<List<String>> ANYWHERE = split(
            ".git/hooks .git/config .git/info/attributes .husky .claude/settings.json .cursor/mcp.json .codex/config.toml");

    private static final int LONGEST = 500;

    private ProtectedPaths() {}

    private static List<List<String>> split(String names) {
        return Words.list(names).stream()
                .map(name -> List.of(name.split("/", -1)))
                .toList();
    }

    /// Returns the path, and the protected paths that a shell could put in its place.
    ///
    /// @param dots whether `*` also matches names that begin with a dot
    static List<String> ways(String path, boolean dots) {
        if (!Globs.wild(path) || path.length() > LONGEST) {
            return List.of(path);
        }
        List<String> parts = List.of(path.split("/", -1));
        List<String> found = new ArrayList<>();
        found.add(path);
        int home =
                path.startsWith("~") ? 1 : path.startsWith("/root/") ? 2 : path.matches("/(?:home|Users)/.+") ? 3 : 0;
        for (int i = 1; i < parts.size(); i++) {
            List<List<String>> known = i == home ? IN_HOMES : ANYWHERE;
            for (List<String> name : known) {
                if (matches(parts, i, name, dots)) {
                    List<String> way = new ArrayList<>(parts.subList(0, i));
                    way.addAll(name);
                    way.addAll(parts.subList(Math.min(parts.size(), i + name.size()), parts.size()));
                    found.add(String.join("/", way));
                }
            }
        }
        return found;
    }

    private static boolean matches(List<String> parts, int from, List<String> name, boolean dots) {
        boolean wild = false;
        for (int i = 0; i < name.size() && from + i < parts.size(); i++) {
            String part = parts.get(from + i);
            boolean hidden = !dots && name.get(i).startsWith(".") && !part.startsWith(".") && !part.startsWith("[");
            if (hidden
                    || !(part.equals(name.get(i))
                            || Globs.find(part, name.subList(i, i + 1)).isPresent())) {
                return false;
            }
            wild |= Globs.wild(part);
        }
        // `~/.*` itself names what is in the home, and no rule protects ~/.config as a whole.
        return wild && from + name.size() <= parts.size();
    }
}
