# Signals a job from outside: MAGIC JOB SHELL SESSION WATCHER term|kill|finish. Prints the number of processes, and those that could not be ended.
magic=$1 job=$2 shell=$3 session=$4 spare="$$ $3 $4 $5" left=0
if [ "$6" = term ]; then # the job's shell stays and sees the end, unless we finish
    members
    for pid in $found; do left=$((left + 1)); done
    kill -TERM $found 2> /dev/null
    kill -CONT $found 2> /dev/null
    found=''
else
    if [ "$6" = finish ] && tr '\000' '\n' < "/proc/$shell/cmdline" 2> /dev/null | grep -qxF -e "$job"; then # certainly that shell
        kill -KILL "$shell"
    fi
    finish
fi
printf '\000%s %s%s\n' "$magic" "$left" "$(names)"
