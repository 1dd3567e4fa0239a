# Part of dev/testbed: a clock that tests can set, for the programs they start.
packages+=(libfaketime)

clock_component() {
    local library
    library=$(ls /usr/lib/*/faketime/libfaketime.so.1 2> /dev/null | head -n 1) || true
    if [ -z "$library" ]; then
        missing clock "there is no libfaketime.so.1; install libfaketime"
        return
    fi
    export_value TALARIA_TESTBED_CLOCK "$library"
    have clock "$library"
}
