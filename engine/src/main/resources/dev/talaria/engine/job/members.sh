# Finds and ends the processes of a job: by its mark in their environment (for the relay: in the command line), by its
# session, and with all their children.
# Needs: job (the mark), session (its leader's pid, or 0), spare (pids to leave alone), and shell (the pid of the job's
# shell, unless that shell runs this).
shell='' runner=''

# Prints the files that contain the mark. An old grep stops at the first NUL.
marked() {
    if printf 'a\000b\000' | grep -qzxF b 2> /dev/null; then
        grep -slzxF -e "TALARIA_JOB=$job" /proc/[0-9]*/environ /proc/[0-9]*/cmdline
    else
        for environ in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do
            tr '\000' '\n' < "$environ" 2> /dev/null | grep -qxF -e "TALARIA_JOB=$job" && echo "$environ"
        done
    fi
}

# Prints the files of living processes whose fields after the name match: state, parent, group, session.
stat_matching() { grep -slE -e "\) [^ZX] $1 " /proc/[0-9]*/stat; }

# Adds the process of a file below /proc, unless it has ended: our own helpers have by now.
add() {
    pid=${1#/proc/}
    pid=${pid%%/*}
    case " $found $spare $runner " in *" $pid "*) return ;; esac
    if [ -e "/proc/$pid" ]; then
        found="$found $pid"
        fresh="$fresh|$pid"
    fi
}

members() {
    found='' fresh=''
    for file in $(marked); do add "$file"; done
    if [ "$session" -gt 1 ]; then
        for file in $(stat_matching "[0-9]+ [0-9]+ $session"); do add "$file"; done
    fi
    while [ -n "$fresh" ]; do
        parents=${fresh#|}
        fresh=''
        for file in $(stat_matching "($parents)"); do add "$file"; done
    done
}

# Prints the process that runs a script (run.py), if this job has one.
find_runner() {
    for file in $(stat_matching "$shell"); do
        pid=${file#/proc/}
        pid=${pid%%/*}
        grep -qs -e 'hermes_exec_[0-9a-f]*/run\.py' "/proc/$pid/cmdline" && echo "$pid"
    done
}

# Ends all members. Sets: left (their number), found (those that could not be ended).
finish() {
    left=0 round=0
    # run.py is the parent of all orphans, and ends them as soon as the script is dead.
    [ -z "$shell" ] || runner=$(find_runner)
    members
    if [ -n "$runner" ]; then
        kill -CONT $runner
        while [ -e "/proc/${runner%% *}/exe" ] && [ $round -lt 90 ]; do
            [ -z "$found" ] || kill -KILL $found
            sleep 0.02 || break
            round=$((round + 1))
            members
        done
        runner='' round=0
        members
    fi 2> /dev/null
    for pid in $found; do left=$((left + 1)); done
    while [ -n "$found" ] && [ $round -lt 25 ]; do
        if [ $round -ge 3 ]; then # it grows as fast as we kill: stop it first
            kill -STOP $found
            members
        fi
        kill -KILL $found
        [ $round -eq 0 ] || sleep 0.02 || sleep 1
        round=$((round + 1))
        members
    done 2> /dev/null
}

names() { for pid in $found; do printf '\t%s (%s)' "$(cat "/proc/$pid/comm" 2> /dev/null)" "$pid"; done; }
