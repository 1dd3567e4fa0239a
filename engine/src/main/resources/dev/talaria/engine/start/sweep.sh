# Signals a job from outside: MAGIC JOB SESSION term|finish. Prints how many were found and who could not be ended.
magic=$1 job=$2 session=$3 spare="$$ $3" left=0
if [ "$4" = term ]; then # the leader stays to see the end
    members
    for pid in $found; do left=$((left + 1)); done
    kill -TERM $found 2> /dev/null
    kill -CONT $found 2> /dev/null
    found=''
else
    finish
    if tr '\000' '\n' < "/proc/$session/cmdline" 2> /dev/null | grep -qxF -e "$job"; then # surely the leader
        kill -KILL "$session"
    fi
fi
printf '\000%s %s%s\n' "$magic" "$left" "$(names)"
