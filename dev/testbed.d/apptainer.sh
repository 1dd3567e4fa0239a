# Part of dev/testbed.
packages+=(debootstrap util-linux)

# Apptainer is in Debian sid alone, and needs its libc: a tree of sid is kept beside, and entered by a mount namespace whose root
# it is (Apptainer refuses to work in a chroot). It runs as the ordinary user talaria1: that is what it is made for.
apptainer_shared=/var/lib/talaria-testbed/apptainer # the same inside and outside
apptainer_namespaces=/run/talaria-testbed           # keeps the namespace alive

make_sid() {
    local tree=$cache/sid.tree mirror
    [ ! -d "$tree" ] || return 0
    if ! $root || ! command -v debootstrap > /dev/null; then
        echo "a tree of Debian sid takes root and debootstrap"
        return 1
    fi
    echo "  Making a tree of Debian sid for Apptainer (a minute)..." >&2
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 'Identifier: Packages' 2> /dev/null | head -n 1)
    rm -rf "$tree.new"
    if ! timeout 1200 debootstrap --variant=minbase --include=apptainer,squashfs-tools,fuse3,squashfuse sid "$tree.new" ${mirror:+"$mirror"} \
        < /dev/null > "$cache/logs/sid.log" 2>&1 9>&-; then
        echo "Debian sid cannot be installed: $(last_line "$cache/logs/sid.log")"
        rm -rf "$tree.new"
        return 1
    fi
    mkdir -p "$tree.new/etc" "$tree.new$apptainer_shared" "$tree.new/home/talaria1"
    # Apptainer binds these into its containers, and fails without them.
    [ -e "$tree.new/etc/hosts" ] || echo '127.0.0.1 localhost' > "$tree.new/etc/hosts"
    [ -e "$tree.new/etc/localtime" ] || ln -s /usr/share/zoneinfo/Etc/UTC "$tree.new/etc/localtime"
    [ -e "$tree.new/etc/resolv.conf" ] || : > "$tree.new/etc/resolv.conf"
    rm -rf "$tree.new/var/cache/apt/archives" "$tree.new/var/lib/apt/lists"
    mv "$tree.new" "$tree"
}

# Makes the namespace, and pins it to a file: it needs no process. The file must be on a mount that does not spread.
enter_sid() {
    local tree=$cache/sid.tree spaces=$apptainer_namespaces made user
    user=$(id -u talaria1):$(id -g talaria1)
    mkdir -p $spaces $apptainer_shared "$tree$apptainer_shared" "$tree/home/talaria1"
    chown "$user" $apptainer_shared "$tree/home/talaria1" && chmod 711 $apptainer_shared
    grep -q '^talaria1:' "$tree/etc/passwd" || getent passwd talaria1 >> "$tree/etc/passwd"
    grep -q '^talaria1:' "$tree/etc/group" || getent group talaria1 >> "$tree/etc/group"
    mountpoint -q $spaces || { mount --bind $spaces $spaces && mount --make-private $spaces; } || return 1
    ! mountpoint -q $spaces/apptainer || umount $spaces/apptainer
    : > $spaces/apptainer
    rm -f $spaces/ready $spaces/leave
    mkfifo $spaces/ready $spaces/leave
    unshare --mount sh -ec '
        mount --make-rprivate /
        mount --bind "$1" "$1"
        cd "$1"
        mount --rbind /proc proc
        mount --rbind /sys sys
        mount -t tmpfs -o mode=755 dev dev
        for device in null zero full random urandom tty; do
            : > dev/$device
            mount --bind /dev/$device dev/$device
        done
        mknod -m 666 dev/fuse c 10 229 # the host keeps its own for root
        mkdir dev/pts dev/shm
        mount --rbind /dev/pts dev/pts
        mount -t tmpfs -o mode=1777 shm dev/shm
        ln -s pts/ptmx dev/ptmx
        ln -s /proc/self/fd dev/fd
        ln -s fd/0 dev/stdin
        ln -s fd/1 dev/stdout
        ln -s fd/2 dev/stderr
        mount --bind "$2" ".$2"
        mount --bind /tmp tmp
        exec 3<> "$3/ready" 4<> "$3/leave"
        mount -t tmpfs -o mode=755 run run
        mkdir run/old
        pivot_root . run/old
        cd /
        umount -l /run/old
        echo ready >&3
        read -r leave <&4
    ' sh "$tree" $apptainer_shared $spaces < /dev/null 9>&- &
    made=$!
    if timeout 20 head -n 1 $spaces/ready | grep -q ready; then mount --bind /proc/$made/ns/mnt $spaces/apptainer; fi
    timeout 5 sh -c "echo leave > $spaces/leave"
    wait $made
    rm -f $spaces/ready $spaces/leave
    mountpoint -q $spaces/apptainer
}

# What tests run as `apptainer`: files that they make as root are handed to the user it runs as.
write_apptainer() {
    mkdir -p "$cache/bin"
    cat > "$cache/bin/apptainer" <<SCRIPT
#!/bin/sh
find $apptainer_shared -maxdepth 3 -user root -exec chown -h talaria1:talaria1 {} +
export HOME=/home/talaria1 USER=talaria1 LOGNAME=talaria1 PATH=/usr/bin:/bin:/usr/sbin:/sbin
exec nsenter --mount=$apptainer_namespaces/apptainer -- setpriv --reuid talaria1 --regid talaria1 --clear-groups apptainer "\$@"
SCRIPT
    chmod +x "$cache/bin/apptainer"
}

# The same files as the Docker image has. Made for speed, not for size.
make_sif() { # FILE
    local tree=$apptainer_shared/image.tree as=(setpriv --reuid talaria1 --regid talaria1 --clear-groups) id
    [ ! -s "$1" ] || return 0
    rm -rf $tree
    "${as[@]}" mkdir $tree && id=$(timeout 30 docker create "$image" true) || return 1
    timeout 120 docker export "$id" | "${as[@]}" tar -x --no-same-owner --exclude 'dev/*' -C $tree
    timeout 30 docker rm "$id" > /dev/null
    timeout 300 "$cache/bin/apptainer" build --mksquashfs-args '-comp zstd -Xcompression-level 1' "$1.new" $tree < /dev/null &&
        mv "$1.new" "$1"
    rm -rf $tree
    [ -s "$1" ]
}

apptainer_component() {
    local log=$cache/logs/apptainer.log reason sif=$apptainer_shared/${image//[:\/]/-}.sif version
    if ! $root || ! id talaria1 > /dev/null 2>&1; then
        missing apptainer "entering Debian sid takes root, and the user talaria1"
        return
    fi
    if ! reason=$(make_sid); then
        missing apptainer "$reason"
        return
    fi
    write_apptainer
    if ! version=$(timeout 10 "$cache/bin/apptainer" --version 2> "$log") &&
        ! { enter_sid >> "$log" 2>&1 && version=$(timeout 10 "$cache/bin/apptainer" --version 2>> "$log"); }; then
        missing apptainer "it does not start: $(last_line "$log")"
        return
    fi
    if ! grep -q '^TALARIA_TESTBED_DOCKER_IMAGE=' "$new_env" && [ ! -s "$sif" ]; then
        missing apptainer "its image is made of the Docker image, which is missing"
        return
    fi
    if ! make_sif "$sif" > "$log" 2>&1; then
        missing apptainer "no image can be made: $(last_line "$log")"
        return
    fi
    if ! timeout 60 "$cache/bin/apptainer" exec --containall "$sif" true < /dev/null > "$log" 2>&1; then
        missing apptainer "it runs nothing: $(last_line "$log")"
        return
    fi
    export_value TALARIA_TESTBED_APPTAINER "$cache/bin/apptainer"
    export_value TALARIA_TESTBED_APPTAINER_IMAGE "$sif"
    export_value TALARIA_TESTBED_APPTAINER_SCRATCH "$apptainer_shared"
    have apptainer "$version from Debian sid"
}
