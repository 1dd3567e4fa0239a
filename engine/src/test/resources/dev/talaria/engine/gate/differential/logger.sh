#!/bin/sh
# Stands where PROGRAM stands and only says that it was called. Calls that the tests' own constructions need are made.
printf '%s\037' 'MARKPROGRAM' "$@" >> /run/leaf.log
case "PROGRAM $*" in
    find*-delete* | chmod*777* | tee*.bashrc* | dd*of=* | rm* | truncate* | npm* | systemctl*) exit 0 ;;
esac
for word; do
    case "PROGRAM $word" in
        'git reset' | 'git push' | 'git clean') exit 0 ;;
    esac
done
if [ -x /run/real/PROGRAM ]; then exec /run/real/PROGRAM "$@"; fi
