# Part of dev/testbed. Podman has no daemon; its image is the same tar that Docker's is made of.
packages+=(podman runc uidmap catatonit)

# What a machine without RLIMIT rights or with mixed cgroups needs, tried from the plainest on.
podman_options() {
    local runtime ulimits
    for runtime in '' runc; do
        for ulimits in '' '["nofile=1024:1024","nproc=1024:1024"]'; do
            # shellcheck disable=SC2046 # words
            if timeout 60 podman ${runtime:+--runtime "$runtime"} run --rm --network none \
                $([ -z "$ulimits" ] || echo --ulimit nofile=1024:1024 --ulimit nproc=1024:1024) \
                --pids-limit 64 --memory 256m "$image" true > "$cache/logs/podman.log" 2>&1 < /dev/null; then
                export_value TALARIA_TESTBED_PODMAN_RUNTIME "$runtime"
                export_value TALARIA_TESTBED_PODMAN_ULIMITS "$ulimits"
                return 0
            fi
        done
    done
    return 1
}

podman_component() {
    local tar=$cache/bookworm-2.tar log=$cache/logs/podman.log
    if ! command -v podman > /dev/null; then
        missing podman "there is no podman client"
        return
    fi
    if ! timeout 30 podman image exists "$image" > "$log" 2>&1; then
        if [ ! -s "$tar" ]; then
            missing podman "there is no image: the docker component makes it"
            return
        fi
        if ! timeout 300 podman import "$tar" "$image" > "$log" 2>&1; then
            missing podman "podman import failed: $(last_line "$log")"
            return
        fi
    fi
    if ! podman_options; then
        missing podman "no container starts: $(last_line "$log")"
        return
    fi
    export_value TALARIA_TESTBED_PODMAN_IMAGE "$image"
    have podman "$(timeout 10 podman --version 2> /dev/null | cut -d' ' -f3)"
}
