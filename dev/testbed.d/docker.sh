# Part of dev/testbed.
packages+=(docker.io debootstrap procps)

docker_answers() { timeout 10 docker version --format '{{.Server.Version}}'; }

# Removes the pid file of a daemon that has ended, or ends within 15 s. A zombie has: nobody may be there to reap it.
forget_dead() { # PID-FILE
    local pid state
    [ -f "$1" ] || return 0
    pid=$(cat "$1")
    for _ in $(seq 30); do
        state=$(sed 's/.*) \(.\).*/\1/' "/proc/$pid/stat" 2> /dev/null || echo gone)
        case $state in
            Z | X | gone)
                rm -f "$1"
                return 0
                ;;
        esac
        sleep 0.5
    done
}

start_docker() { # STORAGE-DRIVER
    local log=$cache/logs/dockerd-$1.log
    forget_dead /var/run/docker.pid
    forget_dead /var/run/docker/containerd/containerd.pid
    daemon "$log" dockerd --storage-driver="$1" --iptables=false --bridge=none
    local pid=$!
    local end=$((SECONDS + 30))
    until docker_answers > /dev/null 2>&1; do
        if ! kill -0 $pid 2> /dev/null || [ $SECONDS -ge $end ]; then
            kill $pid 2> /dev/null
            wait_for 10 eval "! kill -0 $pid"
            return 1
        fi
        sleep 0.2
    done
}

# A real root file system with Python, made from Debian packages: no registry is asked.
make_image() {
    local tree=$cache/bookworm.tree tar=$cache/bookworm-2.tar mirror
    if [ ! -s "$tar" ]; then
        if ! $root; then
            echo "only root can make the image"
            return 1
        fi
        if ! command -v debootstrap > /dev/null; then
            echo "debootstrap is not installed"
            return 1
        fi
        echo "  Making the Docker image $image (a minute)..." >&2
        # The mirror that apt uses here; debootstrap's own default otherwise.
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Identifier: Packages' 2> /dev/null | head -n 1)
        rm -rf "$tree"
        if ! timeout 900 debootstrap --variant=minbase --include=python3,procps bookworm "$tree" ${mirror:+"$mirror"} \
            < /dev/null > "$cache/logs/debootstrap.log" 2>&1 9>&-; then
            echo "debootstrap failed: $(last_line "$cache/logs/debootstrap.log")"
            rm -rf "$tree"
            return 1
        fi
        tar -C "$tree" --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' --exclude='./usr/share/doc/*' \
            --exclude='./usr/share/locale/*' -cf "$tar.new" . && mv "$tar.new" "$tar"
        rm -rf "$tree"
    fi
    if ! timeout 300 docker import "$tar" "$image" > "$cache/logs/import.log" 2>&1; then
        echo "docker import failed: $(last_line "$cache/logs/import.log")"
        return 1
    fi
}

docker_component() {
    local log=$cache/logs/docker.log reason
    if ! command -v docker > /dev/null; then
        missing docker "there is no docker client"
        return
    fi
    if ! docker_answers > /dev/null 2> "$log"; then
        if ! $root || ! command -v dockerd > /dev/null; then
            missing docker "no engine answers, and starting one takes root and the docker.io package: $(last_line "$log")"
            return
        fi
        if ! start_docker overlay2 && ! start_docker vfs; then
            missing docker "dockerd does not start: $(last_line "$cache/logs/dockerd-vfs.log") (logs in $cache/logs)"
            return
        fi
    fi
    if ! timeout 10 docker image inspect "$image" > /dev/null 2>&1 && ! reason=$(make_image); then
        missing docker "no image: $reason"
        return
    fi
    export_value TALARIA_TESTBED_DOCKER_IMAGE "$image"
    if [ "$(timeout 10 docker inspect --format '{{.State.Running}}' $container 2> /dev/null)" != true ]; then
        timeout 30 docker rm -f $container > /dev/null 2>&1
        if ! timeout 60 docker run -d --name $container --network none --init "$image" sleep infinity > "$log" 2>&1; then
            missing docker "the container does not start: $(last_line "$log")"
            return
        fi
    fi
    if ! timeout 20 docker exec -i $container python3 -c 'import json' < /dev/null > "$log" 2>&1; then
        missing docker "the container runs no Python: $(last_line "$log")"
        return
    fi
    export_value TALARIA_TESTBED_DOCKER_CONTAINER $container
    have docker "engine $(docker_answers 2> /dev/null), container $container"
}
