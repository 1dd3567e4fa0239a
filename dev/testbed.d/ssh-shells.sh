# Part of dev/testbed.
packages+=(zsh fish tcsh dash busybox-static)

# An account for each kind of login shell, one whose rc file prints, and one whose home is not there.
ssh_shells_component() {
    local dir=/var/lib/talaria-testbed kind shell user hosts=""
    if ! grep -q '^TALARIA_TESTBED_SSH_HOST=' "$new_env"; then
        missing ssh_shells "there is no SSH server"
        return
    elif ! $root; then
        missing ssh_shells "only root can make the accounts"
        return
    fi
    if [ -x /bin/busybox ]; then ln -sfn /bin/busybox $dir/ash; fi
    for kind in dash zsh fish tcsh busybox noisy homeless; do
        case $kind in
            noisy) shell=/bin/bash ;;
            homeless) shell=/bin/bash ;;
            busybox) shell=$dir/ash ;;
            *) shell=$(command -v $kind) || shell=/nonexistent ;;
        esac
        if [ ! -x "$shell" ]; then
            echo "  No account with $kind: there is no such shell" >&2
            continue
        fi
        user=talaria-$kind
        if ! id "$user" > /dev/null 2>&1; then
            if [ $kind = homeless ]; then
                useradd --no-create-home --home-dir /nonexistent --shell "$shell" --password '*' "$user" 9>&-
            else
                useradd --create-home --shell "$shell" --password '*' "$user" 9>&-
            fi
        fi
        ssh_shell_files "$kind" "/home/$user" "$user"
        ssh_shell_host "$user"
        hosts+=" $kind"
    done
    export_value TALARIA_TESTBED_SSH_SHELLS "${hosts# }"
    have ssh_shells "accounts with${hosts}"
}

# What each account's login brings, so that tests can see whether it was one.
ssh_shell_files() { # KIND HOME USER
    case $1 in
        dash | busybox) printf '%s\n' 'PATH=$HOME/own-bin:$PATH; export PATH; umask 027' > "$2/.profile" ;;
        zsh) printf '%s\n' 'path=($HOME/own-bin $path); umask 027' > "$2/.zprofile" ;;
        fish)
            mkdir -p "$2/.config/fish"
            printf '%s\n' 'status is-login; and set -gx PATH $HOME/own-bin $PATH; and umask 027' > "$2/.config/fish/config.fish"
            ;;
        tcsh) printf '%s\n' 'setenv PATH $HOME/own-bin:$PATH; umask 027' > "$2/.tcshrc" ;;
        noisy)
            printf '%s\n' 'echo "Welcome!"; echo "You have mail." >&2; printf "no end of line"' > "$2/.bashrc"
            printf '%s\n' '. ~/.bashrc; PATH=$HOME/own-bin:$PATH; umask 027; read -r stolen; seq 2000' > "$2/.profile"
            ;;
        *) return 0 ;;
    esac
    chown -R "$3:" "$2"
}

ssh_shell_host() { # USER
    local config=$cache/ssh/config
    grep -qx "Host talaria-testbed-${1#talaria-}" "$config" && return
    sed -n '/^Host talaria-testbed$/,/^Host talaria-testbed-/p' "$config" | sed '$d' |
        sed "s/^Host .*/Host talaria-testbed-${1#talaria-}/; s/^    User .*/    User $1/" > "$config.host"
    cat "$config.host" >> "$config"
    rm -f "$config.host"
}
