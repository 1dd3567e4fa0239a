# Part of dev/testbed.
packages+=(python3 python3-venv tmux bsdutils)

python_component() {
    # The real one: python3 on the PATH may be a shim in a home folder that a sandbox hides.
    if [ ! -x /usr/bin/python3 ]; then
        missing python "there is no /usr/bin/python3; install python3"
        return
    fi
    export_value TALARIA_TESTBED_PYTHON /usr/bin/python3
    if [ -x /usr/bin/tmux ]; then export_value TALARIA_TESTBED_TMUX /usr/bin/tmux; fi
    if [ -x /usr/bin/script ]; then export_value TALARIA_TESTBED_SCRIPT /usr/bin/script; fi
    have python "$(timeout 10 /usr/bin/python3 --version 2>&1)"
}
