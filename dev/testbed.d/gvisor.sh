# Part of dev/testbed.

# The runtime is one static binary. Debian 12's own is too old for newer kernels, so it comes from backports.
install_runsc() {
    local source=/etc/apt/sources.list.d/talaria-testbed-backports.list mirror
    if ! $root; then
        echo "runsc is not installed, and only root can do that"
        return 1
    fi
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Identifier: Packages' 2> /dev/null | head -n 1)
    if [ -z "$mirror" ]; then
        echo "this is no Debian 12, or apt has no package lists yet"
        return 1
    fi
    if ! apt-get indextargets --format '$(CODENAME)' 2> /dev/null | grep -qx bookworm-backports; then
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm-backports main" > $source
        apt update -o Dir::Etc::sourcelist=$source -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=0 || rm -f $source
    fi
    if ! apt -t bookworm-backports install runsc; then
        echo "runsc cannot be installed: $(last_line "$cache/logs/apt.log")"
        return 1
    fi
}

knows_runsc() { timeout 10 docker info --format '{{range $name, $_ := .Runtimes}}{{$name}} {{end}}' 2> /dev/null | grep -qw runsc; }

# The engine reads its runtimes again on SIGHUP; containers go on. There is no network here, so the runtime needs none.
register_runsc() {
    /usr/bin/python3 - /etc/docker/daemon.json <<'PYTHON' && kill -HUP "$(cat /var/run/docker.pid)" && wait_for 10 knows_runsc
import json, os, sys
path = sys.argv[1]
config = json.load(open(path)) if os.path.exists(path) and os.path.getsize(path) else {}
config.setdefault("runtimes", {})["runsc"] = {"path": "/usr/bin/runsc", "runtimeArgs": ["--network=none"]}
os.makedirs(os.path.dirname(path), exist_ok=True)
with open(path + ".new", "w") as f:
    json.dump(config, f, indent=4)
os.replace(path + ".new", path)
PYTHON
}

gvisor_component() {
    local gvisor=$container-gvisor log=$cache/logs/gvisor.log reason
    if ! grep -q '^TALARIA_TESTBED_DOCKER_CONTAINER=' "$new_env"; then
        missing gvisor "there is no Docker container"
        return
    fi
    if ! command -v runsc > /dev/null && ! reason=$(install_runsc); then
        missing gvisor "$reason"
        return
    fi
    if ! knows_runsc && { ! $root || ! register_runsc > "$log" 2>&1; }; then
        missing gvisor "the Docker engine does not take runsc as a runtime: $(last_line "$log")"
        return
    fi
    if ! runs $gvisor; then
        timeout 30 docker rm -f $gvisor > /dev/null 2>&1
        if ! timeout 60 docker run -d --name $gvisor --runtime runsc --network none --init "$image" sleep infinity > "$log" 2>&1; then
            missing gvisor "the container does not start: $(grep -m 1 -i error "$log")"
            return
        fi
    fi
    if ! timeout 20 docker exec -i $gvisor dmesg < /dev/null 2> "$log" | grep -q gVisor; then
        missing gvisor "the container's kernel is not gVisor: $(last_line "$log")"
        return
    fi
    export_value TALARIA_TESTBED_GVISOR_CONTAINER $gvisor
    have gvisor "$(runsc --version | head -n 1), container $gvisor"
}
