#!/bin/sh
# Stands where programs stand that need rights the box does not have, or that are not on every machine.
name=${0##*/}
command=
shell=
case $name in
sudo | doas | pkexec | unshare | nsenter | setpriv | chroot | systemd-run | strace | runuser)
    while :; do
        case ${1-} in
        --) shift; break ;;
        -u | -g | -p | -C | -S* | -e | -o | -t) [ "$1" = -S ] || [ $# -lt 2 ] || shift; shift ;;
        -i | -s) shell=yes; shift ;;
        -c | --command) command=$2; shift 2 ;;
        --*) shift ;;
        -*) shift ;;
        [A-Za-z_]*=*) export "$1"; shift ;;
        *) break ;;
        esac
    done
    [ -z "$command" ] || exec sh -c "$command"
    [ $name != chroot ] || shift
    [ -z "$shell" ] || { [ $# = 0 ] && exec bash; exec bash -c "$*"; }
    [ $# != 0 ] || exec sh
    exec "$@"
    ;;
su | sg)
    while [ $# != 0 ]; do
        case $1 in
        --c*=*) command=${1#*=}; shift ;;
        --c* | -c | -lc) command=$2; shift 2 ;;
        -s) shift 2 ;;
        *) [ $name = su ] || [ $# != 1 ] || [ -z "${group-}" ] || command=$1; group=$1; shift ;;
        esac
    done
    [ -z "$command" ] || exec bash -c "$command"
    exec bash
    ;;
newgrp) exec bash ;;
parallel)
    while case ${1-} in -*) true ;; *) false ;; esac; do shift; done
    words=
    while [ $# != 0 ] && [ "$1" != ::: ]; do words="$words $1"; shift; done
    if [ $# != 0 ]; then
        shift
        for one; do sh -c "$words $one"; done
    else
        while read -r one; do sh -c "$words $one" < /dev/null; done
    fi
    ;;
busybox)
    [ "$1" != ash ] || { shift; exec sh "$@"; }
    exec "$@"
    ;;
*) exec bash "$@" ;;
esac
