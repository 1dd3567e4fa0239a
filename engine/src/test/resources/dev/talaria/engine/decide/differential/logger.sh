#!/bin/sh
# Stands where PROGRAM stands and only says that it was called. Calls that the tests' own constructions need are made.
printf '%s\037' 'MARKPROGRAM' "$@" >> /run/leaf.log
case "PROGRAM $*" in
    git*alias*) ;;
    find*-delete* | chmod*777* | tee*.bashrc* | dd*of=* | rm* | truncate*) exit 0 ;;
    git*reset* | git*push* | git*clean* | git*branch* | npm* | pip* | systemctl*) exit 0 ;;
esac
if [ -x /run/real/PROGRAM ]; then exec /run/real/PROGRAM "$@"; fi
