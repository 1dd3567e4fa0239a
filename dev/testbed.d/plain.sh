# Part of dev/testbed.
packages+=(busybox-static)

# Two places without bash: one that has busybox and nothing else, one that has Python besides.
plain_component() {
    local busybox=/bin/busybox bare=$container-bare sh=$container-sh log=$cache/logs/plain.log
    if ! grep -q '^TALARIA_TESTBED_DOCKER_CONTAINER=' "$new_env"; then
        missing plain "there is no Docker container"
    elif [ ! -x $busybox ] || ldd $busybox > /dev/null 2>&1; then
        missing plain "there is no static busybox; install busybox-static"
    elif ! { runs $bare || start_bare; } > "$log" 2>&1 || ! { runs $sh || start_sh; } >> "$log" 2>&1; then
        missing plain "the containers without bash do not start: $(last_line "$log")"
    else
        export_value TALARIA_TESTBED_BARE_CONTAINER $bare
        export_value TALARIA_TESTBED_SH_CONTAINER $sh
        have plain "containers $bare, $sh"
    fi
}

runs() { [ "$(timeout 10 docker inspect --format '{{.State.Running}}' "$1" 2> /dev/null)" = true ]; }

start_bare() {
    local tree=$cache/bare.tree name=talaria-test:bare
    if ! timeout 10 docker image inspect $name > /dev/null 2>&1; then
        rm -rf "$tree"
        mkdir -p "$tree"/{bin,etc,proc,dev,usr/bin} && mkdir -m 700 "$tree/root" && mkdir -m 1777 "$tree/tmp" &&
            cp $busybox "$tree/bin/busybox" && echo 'root:x:0:0:root:/root:/bin/sh' > "$tree/etc/passwd" &&
            $busybox --list | grep -vx busybox | while read -r applet; do ln -s busybox "$tree/bin/$applet"; done &&
            tar -C "$tree" -c . | timeout 60 docker import - $name || return 1
        rm -rf "$tree"
    fi
    timeout 30 docker rm -f $bare > /dev/null 2>&1
    timeout 60 docker run -d --name $bare --network none --init $name /bin/sleep 2147483647
}

start_sh() {
    timeout 30 docker rm -f $sh > /dev/null 2>&1
    timeout 60 docker run -d --name $sh --network none --init "$image" sleep infinity &&
        timeout 20 docker cp $busybox $sh:/usr/bin/busybox &&
        timeout 20 docker exec $sh /bin/sh -c 'rm -f /usr/bin/bash && ln -sf busybox /usr/bin/sh'
}
