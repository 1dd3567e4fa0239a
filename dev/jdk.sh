# Finds a JDK 25. Sourced by ./talaria and by the scripts in dev/; starts no program on the usual path.
# After find_jdk: jdk_home is its folder, jdk_build its exact version (an AOT cache is good for that one build only).

talaria_cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/talaria

# True if $1 is a JDK 25 (any 25.x); sets jdk_home and jdk_build.
is_jdk_25() {
    [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] || return 1
    jdk_build='' found=''
    if [ -r "$1/release" ]; then
        while IFS='=' read -r key value; do
            value=${value#\"}
            value=${value%\"}
            case $key in
                JAVA_RUNTIME_VERSION) jdk_build=$value ;;
                JAVA_VERSION) found=$value; break ;;
            esac
        done < "$1/release"
    else
        found=$("$1/bin/java" -version 2>&1) || return 1
        found=${found#*\"}
        found=${found%%\"*}
    fi
    case $found in
        25 | 25.* | 25-*) ;;
        *) return 1 ;;
    esac
    jdk_build=${jdk_build:-$found}
    jdk_home=$1
}

search_jdk() {
    old_ifs=$IFS
    IFS=:
    for dir in $PATH; do
        IFS=$old_ifs
        [ -x "$dir/java" ] || continue
        real=$(readlink -f "$dir/java") && is_jdk_25 "${real%/bin/java}" && return 0
    done
    IFS=$old_ifs
    for dir in /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/*; do
        is_jdk_25 "$dir" && return 0
    done
    return 1
}

find_jdk() {
    if [ -n "${TALARIA_JAVA_HOME:-}" ]; then
        is_jdk_25 "$TALARIA_JAVA_HOME" && return 0
        echo "talaria: TALARIA_JAVA_HOME is $TALARIA_JAVA_HOME, and that is no JDK 25. Point it at one, or unset it." >&2
        return 1
    fi
    [ -n "${JAVA_HOME:-}" ] && is_jdk_25 "$JAVA_HOME" && return 0
    if [ -r "$talaria_cache/jdk" ] && read -r remembered < "$talaria_cache/jdk" && is_jdk_25 "$remembered"; then
        return 0
    fi
    if search_jdk; then
        (umask 077 && mkdir -p "$talaria_cache" && echo "$jdk_home" > "$talaria_cache/jdk") 2>/dev/null || true
        return 0
    fi
    cat >&2 <<'MESSAGE'
talaria: needs a JDK 25, and found none in TALARIA_JAVA_HOME, JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman or ~/.jdks.
Install one of these packages and start again (an older java may stay beside it):
    apt install temurin-25-jdk      (Adoptium's repository)
    apt install openjdk-25-jdk      (newer Debian and Ubuntu releases)
If it is installed elsewhere: export TALARIA_JAVA_HOME=/path/to/the/jdk
MESSAGE
    return 1
}

# Maven's own libraries make a JDK 25 print warnings; older JDKs do not know these options.
maven_with_jdk_25() {
    JAVA_HOME=$jdk_home \
        MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}" \
        mvn "$@"
}
