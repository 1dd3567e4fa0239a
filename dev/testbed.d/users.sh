# Part of dev/testbed.
packages+=(sudo util-linux)

user_component() {
    local user
    if $root; then
        for user in talaria1 talaria2; do
            id "$user" > /dev/null 2>&1 || useradd --create-home --shell /bin/bash --password '*' "$user" 9>&-
        done
    fi
    if ! id talaria1 > /dev/null 2>&1; then
        missing user "there is no user talaria1, and only root can make it"
        return
    fi
    export_value TALARIA_TESTBED_USER talaria1
    have user "talaria1"
    # The password is this machine's own and stays in files of mode 0600.
    if ! $root || ! command -v sudo > /dev/null || ! id talaria2 > /dev/null 2>&1; then
        missing sudo "needs root, the sudo package and the user talaria2"
        return
    fi
    if [ ! -s "$cache/sudo-password" ] || [[ $(getent shadow talaria2) == 'talaria2:*:'* ]]; then
        (umask 077 && od -An -N12 -tx1 /dev/urandom | tr -d ' \n' > "$cache/sudo-password")
        printf 'talaria2:%s\n' "$(< "$cache/sudo-password")" | chpasswd 9>&-
    fi
    # A file of our own: the right itself, and one command without a password. Other sudoers files stay as they are.
    local rules=/etc/sudoers.d/talaria-testbed
    printf '%s\n' 'talaria2 ALL=(ALL:ALL) ALL' 'talaria2 ALL=(ALL:ALL) NOPASSWD: /usr/bin/whoami' > "$cache/sudoers"
    if ! cmp -s "$cache/sudoers" $rules; then
        if ! visudo -qcf "$cache/sudoers" > "$cache/logs/sudo.log" 2>&1 || ! install -m 0440 "$cache/sudoers" $rules; then
            missing sudo "its rules are not accepted: $(last_line "$cache/logs/sudo.log")"
            return
        fi
    fi
    export_value TALARIA_TESTBED_SUDO_USER talaria2
    export_value TALARIA_TESTBED_SUDO_PASSWORD "$(< "$cache/sudo-password")"
    have sudo "talaria2, with a password"
}
