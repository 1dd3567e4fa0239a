# Part of dev/testbed.
packages+=(openssh-server openssh-client)

ssh_works() { timeout 10 ssh -F "$cache/ssh/config" "$1" true < /dev/null > "$cache/logs/ssh.log" 2>&1; }

free_port() { # the first of ours that nobody listens on
    local port
    for port in $(seq 22022 22122); do
        (: < "/dev/tcp/127.0.0.1/$port") 2> /dev/null || { echo "$port" && return; }
    done
    return 1
}

start_sshd() {
    local dir=$cache/ssh sshd port keys hosts
    sshd=$(PATH=$PATH:/usr/sbin:/sbin command -v sshd) || { echo "openssh-server is not installed" && return 1; }
    port=$(free_port) || { echo "no free port" && return 1; }
    rm -rf "$dir" && mkdir -m 700 "$dir" || return 1
    keys=$dir/authorized_keys
    if $root; then
        # sshd reads it as the user who logs in, who may not look into our cache.
        mkdir -p /run/sshd /var/lib/talaria-testbed
        keys=/var/lib/talaria-testbed/authorized_keys
    fi
    ssh-keygen -q -t ed25519 -N '' -C talaria-testbed-host -f "$dir/host_key" &&
        ssh-keygen -q -t ed25519 -N '' -C talaria-testbed -f "$dir/key" && cp "$dir/key.pub" "$keys" && chmod 644 "$keys" || return 1
    cat > "$dir/sshd_config" <<CONFIG
ListenAddress 127.0.0.1
Port $port
HostKey $dir/host_key
AuthorizedKeysFile $keys
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
UsePAM no
StrictModes no
PidFile none
MaxStartups 200
MaxSessions 200
PrintMotd no
Subsystem sftp internal-sftp
# A home of its own: what is in ours, such as a profile that takes its time, must not decide about tests.
Match User $(id -un)
    SetEnv HOME=$dir/home
CONFIG
    echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 "$dir/host_key.pub")" > "$dir/known_hosts"
    hosts="talaria-testbed $(id -un)"
    if id talaria1 > /dev/null 2>&1 && $root; then hosts+=$'\n'"talaria-testbed-user talaria1"; fi
    while read -r host user; do
        cat <<CONFIG
Host $host
    HostName 127.0.0.1
    Port $port
    User $user
    IdentityFile $dir/key
    IdentitiesOnly yes
    UserKnownHostsFile $dir/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 5
CONFIG
    done <<< "$hosts" > "$dir/config"
    chmod 600 "$dir"/*
    mkdir "$dir/home"
    daemon "$cache/logs/sshd.log" "$sshd" -D -e -f "$dir/sshd_config"
    wait_for 10 ssh_works talaria-testbed || { echo "no login: $(last_line "$cache/logs/ssh.log"); sshd says: $(last_line "$cache/logs/sshd.log")" && return 1; }
}

ssh_component() {
    local reason
    if ! command -v ssh > /dev/null; then
        missing ssh "openssh-client is not installed"
        return
    fi
    if ! { [ -s "$cache/ssh/config" ] && ssh_works talaria-testbed; } && ! reason=$(start_sshd); then
        missing ssh "$reason"
        return
    fi
    export_value TALARIA_TESTBED_SSH_CONFIG "$cache/ssh/config"
    export_value TALARIA_TESTBED_SSH_HOST talaria-testbed
    if grep -q '^Host talaria-testbed-user$' "$cache/ssh/config"; then export_value TALARIA_TESTBED_SSH_USER_HOST talaria-testbed-user; fi
    have ssh "$(ssh -V 2>&1 | cut -d , -f 1) on port $(sed -n 's/^Port //p' "$cache/ssh/sshd_config")"
}
