# JOB PROGRAM ARGUMENTS...: runs the program, ends its remaining processes, and exits with its code. The first two lines of
# input are shell text: what we need (magic, folder, memory, input, remove, line), and the program's variables. Our own lines in the
# output start with a NUL and the magic. If the program has no input, we read ours: its end means that the host has gone, and ends the job.
# The shell reads a command line from descriptor 9: argv would show it to everybody, and is too short for some lines.
job=$1
shift
n='
'
IFS= read -r setup && IFS= read -r variables || exit 125
eval "$setup"
problem='' spare=$$
# All processes of our session belong to the job, except for us and a parent that leads it, such as a login shell.
read -r stat < /proc/$$/stat
family() { set -- ${1##*) } && parent=$2 session=$4; }
family "$stat"
if [ "$session" = "$parent" ]; then
    spare="$$ $parent"
elif [ "$session" != $$ ]; then
    session=0
fi
trap : TERM INT HUP # for the program only: we wait for its end
case $folder in '~' | '~/'*) folder=${HOME:-}${folder#'~'} ;; esac
if [ -n "$folder" ] && ! cd -- "$folder" 2> /dev/null; then
    why='No such file or directory'
    if [ -d "$folder" ]; then why='Permission denied'; elif [ -e "$folder" ]; then why='Not a directory'; fi
    problem="There is no folder $folder to work in ($why). Create it or choose another one."
elif [ -n "$memory" ] && ! (ulimit -v "$memory") 2> /dev/null; then
    problem="Memory cannot be limited to $memory KiB here."
fi
watcher=0
if [ "$input" = 0 ]; then
    exec 4<&0 < /dev/null
    (
        trap '' TERM INT HUP
        exec > /dev/null 2>&1
        read -r me rest < /proc/self/stat
        while read -r rest <&4; do :; done
        kill -STOP $$ # nobody is left to report to
        spare="$spare $me" shell=$$
        finish
        [ -z "$remove" ] || rm -rf -- "$remove"
        kill -KILL $$
    ) &
    watcher=$!
    spare="$spare $watcher"
    exec 4<&-
fi
printf '\000%s %s %s %s\n' "$magic" $$ "$session" $watcher
kind=''
[ -z "$line" ] || kind=$(eval "$variables" && command -v bash > /dev/null 2>&1 || echo sh)
if [ -n "$problem" ]; then
    printf '\000%s\n\000%s problem %s\n' "$magic" "$magic" "$(printf %s "$problem" | tr '\n' ' ')" >&2
    [ $watcher = 0 ] || kill -KILL $watcher
    exit 126
fi
exec 3>&2 2> /dev/null # shells report how a program died; we have our own report
(
    exec 2>&3 3>&-
    read -r me rest < /proc/self/stat
    printf '\000%s %s %s\n' "$magic" "$me" "$kind" >&2
    trap - TERM INT HUP
    [ -z "$memory" ] || ulimit -v "$memory"
    unset SHLVL OLDPWD
    eval "$variables"
    [ -z "$line" ] || exec 9<< END
$line
END
    command -v "$1" > /dev/null 2>&1 || { printf '%s: not found\n' "$1" >&2 && exit 127; }
    exec "$@"
)
status=$?
[ $watcher = 0 ] || kill -KILL $watcher
finish
printf '\000%s end %s %s%s\n' "$magic" "$status" "$left" "$(names)" >&3
exit "$status"
