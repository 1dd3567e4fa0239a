# Writes one file without Python: "sh -c TEXT sh PATH". It enters the file's folder and prints four lines: the home folder of HOME and
# of the account, the folder's real path, and the rest of the path. It waits for the line "go", a line with the size, and the content.
# Its working folder stays the same meanwhile, even if somebody swaps a link of the path.
unset CDPATH
nl='
'
fail() { printf '%s: %s\n' "$1" "$2" >&2; exit 1; }

# Prints the real path of the working folder. A shell's own "pwd" may print a path with links.
where() {
  w=$(env pwd -P 2>/dev/null || pwd -P) || fail "$1" 'No such file or directory'
  case $w in /*) ;; *) fail "$1" 'It leads out of the view of this place' ;; esac
  [ "$w" -ef . ] || fail "$1" 'It leads elsewhere than when it was checked'
}

# Enters the folder of a file. Missing folders become the beginning of $rest.
enter() {
  case $1 in
    */*) d=${1%/*} name=${1##*/}; [ -n "$d" ] || d=/ ;;
    *) d=. name=$1 ;;
  esac
  case $name in '' | . | ..) fail "$1" 'Is a directory' ;; esac
  case $d in /*) ;; *) d=./$d ;; esac
  until [ -d "$d" ]; do
    [ -e "$d" ] && fail "$1" 'Not a directory'
    [ -L "$d" ] && fail "$1" 'A link on the way leads to nothing'
    c=${d##*/}
    case $c in
      '' | .) ;;
      ..) fail "$1" 'No such file or directory' ;;
      *) rest=$c/$rest ;;
    esac
    d=${d%/*}
    [ -n "$d" ] || d=/
  done
  cd -P -- "$d" || exit 1
}

p=$1 rest= links=0
case $p in '~') p=$HOME ;; '~/'*) p=$HOME/${p#??} ;; esac
while :; do case $p in ?*/) p=${p%/} ;; *) break ;; esac; done
enter "$p"
while [ -z "$rest" ] && [ -L "./$name" ]; do
  links=$((links + 1))
  [ $links -le 40 ] || fail "$1" 'Too many levels of symbolic links'
  to=$(readlink "./$name" && echo x) || fail "$1" 'Cannot follow the link'
  enter "${to%"$nl"x}"
done
[ -z "$rest" ] && [ -d "./$name" ] && fail "$1" 'Is a directory'
where "$1"
held=$w
# Prints the real path of a home folder, if it exists.
home() { cd -P -- "$1" 2>/dev/null && { env pwd -P 2>/dev/null || pwd -P; }; }
h=$(home "${HOME:-/}")
account=$(eval "home ~$(id -un 2>/dev/null)")
case $h$account$held$rest$name in *"$nl"*) fail "$1" 'A name on the way has a line break in it' ;; esac
printf '%s\n%s\n%s\n%s\n' "$h" "$account" "$held" "$rest$name"

read -r go || exit 1
[ "$go" = go ] || exit 1
read -r size || exit 1
where "$1"
[ "$w" = "$held" ] || fail "$1" 'It leads elsewhere than when it was checked'
while [ -n "$rest" ]; do
  c=${rest%%/*} rest=${rest#*/}
  mkdir "./$c" 2>/dev/null || [ -d "./$c" ] || mkdir "./$c" || exit 1
  [ -L "./$c" ] && fail "$1" 'It leads elsewhere than when it was checked'
  cd -P -- "./$c" || exit 1
  where "$1"
  held=${held%/}/$c
  [ "$w" = "$held" ] || fail "$1" 'It leads elsewhere than when it was checked'
done
t=./.talaria-$$.part
trap 'rm -f "$t" "$t.t"' EXIT
trap 'exit 1' HUP INT TERM
set -C
cat > "$t" || exit 1
[ "$(wc -c < "$t")" -eq "$size" ] || fail "$1" 'the copy was cut'
[ -L "./$name" ] && fail "$1" 'It has become a link since it was checked'
[ -e "./$name" ] && [ ! -f "./$name" ] && fail "$1" 'Not a regular file'
[ -e "./$name" ] && m=$(stat -c %a "./$name" 2>/dev/null) && { chmod "$m" "$t" || exit 1; }
if mv -fT "$t" "$t.t" 2>/dev/null; then mv -fT "$t.t" "./$name"; else mv -f "$t" "./$name"; fi
