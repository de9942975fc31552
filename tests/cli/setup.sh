#!/bin/sh
# How a first-time user sets miscast up: if packages are missing and cannot be installed, ./dev lists
# them and the command for an administrator; installing an incomplete build installs nothing, and the
# demo builds everything that an installation needs.
#
#   setup.sh ROOT CMAKE BUILD
set -eu
root=$1 cmake=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

fail() {
    echo "setup: $*" >&2
    cat "$work/out" >&2
    exit 1
}
says() {
    grep -q -- "$1" "$work/out" || fail "expected: $1"
}

# ---- packages: a machine with few programs, in a folder with a space in its name -------------------

mkdir "$work/some where" "$work/bin" "$work/home"
cp "$root/dev" "$work/some where"
for tool in sh cat grep dirname getconf mkdir env; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
stub() { # NAME LINE...
    to=$work/bin/$1
    shift
    printf '%s\n' '#!/bin/sh' "$@" >"$to"
    chmod +x "$to"
}
# dev USER COMMAND: runs ./dev with that user id
dev() {
    stub id "echo $1"
    shift
    HOME=$work/home PATH=$work/bin "$work/some where/dev" "$@" >"$work/out" 2>&1 </dev/null && fail "dev $1 succeeds"
    ! grep -q 'not found$\|unbound' "$work/out" || fail "dev $1 runs what is not there"
}
named() {
    says 'packages are missing, and could not be installed: .*cmake .*libopenblas-dev .*libclang-19-dev'
    says 'administrator can install them:  apt-get update && apt-get install --no-install-recommends gcc .*libyaml-dev'
}
stub dpkg-query 'exit 1'
stub apt-get "echo \"\$@\" >>'$work/asked'" 'echo "E: Unable to fetch" >&2' 'exit 100'
for command in demo test package 'bench recall'; do
    # shellcheck disable=SC2086 # words
    dev 1000 $command
    named
    [ ! -e "$work/asked" ] || fail "apt-get was run by somebody who may not"
done
# sudo that lets nobody do anything, and root without a network.
stub sudo 'echo "sudo: a password is required" >&2' 'exit 1'
dev 1000 demo
named
rm "$work/bin/sudo"
dev 0 demo
named
grep -q '^\(-o [^ ]* \)*update' "$work/asked" || fail "root does not run apt-get"
# Elsewhere than on Debian packages are named, and the build has the last word.
rm "$work/bin/apt-get"
stub cmake 'echo "no compiler" >&2' 'exit 1'
dev 1000 demo
says 'not found, by their Debian names: gcc '
says 'no compiler'

# ---- installing ---------------------------------------------------------------------------------

# All that comes from the build, but for what is there since it was configured, is on the list.
find "$build" -name cmake_install.cmake ! -path '*/_deps/*' -exec cat {} + |
    grep -o "\"$build/[^\"]*\"" | tr -d '"' | sort -u >"$work/taken"
while read -r file; do
    case $file in *.cmake | *.pc | */CMakeFiles/* | *_export/* | */install_manifest*) continue ;; esac
    [ -f "$file" ] || continue
    grep -qxF "$file" "$build/installed.txt" || fail "$file is installed, and not on the list"
done <"$work/taken"
: >"$work/out"
for name in miscast libmiscast miscast.1 miscast.fish; do
    grep -q "/$name[^/]*\$" "$build/installed.txt" || fail "$name is not on the list"
done
grep -q '^ *build release installed ' "$root/dev" || fail "the demo does not build what is installed"

# A build that lacks something installs nothing.
mkdir "$work/a build"
cp "$build/MiscastBuilt.cmake" "$work/a build"
printf '%s\n' "$work/a build/miscast" "$work/a build/libmiscast.a" >"$work/a build/installed.txt"
: >"$work/a build/miscast"
"$cmake" -P "$work/a build/MiscastBuilt.cmake" >"$work/out" 2>&1 && fail "what is not built is installed"
says 'not built yet:'
says '/libmiscast.a'
says 'cmake --build "'
: >"$work/a build/libmiscast.a"
"$cmake" -P "$work/a build/MiscastBuilt.cmake" >"$work/out" 2>&1 || fail "what is built is not installed"
first=$(grep -n 'include(\|file(INSTALL' "$build/cmake_install.cmake" | head -n 1)
case $first in *MiscastBuilt.cmake*) ;; *) fail "something is installed before it is known that all is there" ;; esac
