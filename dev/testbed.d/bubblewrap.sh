# Part of dev/testbed.
packages+=(bubblewrap linux-libc-dev) # the kernel's headers: a test compares the numbers of system calls

bwrap_component() {
    local try=(bwrap --ro-bind / / --dev /dev --proc /proc --unshare-all --new-session true) log=$cache/logs/bwrap.log
    if ! command -v bwrap > /dev/null; then
        missing bwrap "bubblewrap is not installed"
    elif ! timeout 10 "${try[@]}" > "$log" 2>&1; then
        missing bwrap "it does not work here: $(last_line "$log")"
    else
        export_value TALARIA_TESTBED_BWRAP 1
        have bwrap "$(bwrap --version)"
    fi
}
