#!/usr/bin/env bash
# Runs a command with no other programs than those of the packages that tools/setup.sh names, of Debian's nvcc where that is the one,
# of what these depend on, and of Debian's essential packages: then a program that no row names is missing here as it is on a machine
# that nobody has touched. `make test` runs all tests so. Where dpkg does not know whose a program is, PATH stays.
#
#     tests/named.sh COMMAND...
#     tests/named.sh --packages    prints those packages
#
# A program that a bash script called in vain is a line "not ok" at the end. Exit status: the command's, or 1 with such a line.
set -uo pipefail
export LC_ALL=C
work=$(mktemp -d)
trap 'PATH=$path; rm -rf "$work"' EXIT
path=$PATH
mkdir "$work/bin"
export CALLED_IN_VAIN=$work/log
: >"$work/log"
command_not_found_handle() {
    echo "$1, which ${BASH_SOURCE[1]:-$0} calls, is not here: a row of tools/setup.sh should name its package" >>"$CALLED_IN_VAIN"
    echo "$1: command not found" >&2
    return 127
}
export -f command_not_found_handle

# The closure of the named packages over what they depend on, as installed here.
named_packages() {
    local nvcc
    nvcc=$(dpkg-query -S "$(type -P "${NVCC:-nvcc}")" | sed 's/:.*//')
    # shellcheck disable=SC2016 # the format is dpkg's
    dpkg-query -W -f '${Package}|${Essential}|${Pre-Depends}, ${Depends}|${Provides}\n' |
        awk -F'|' -v named="$(tools/setup.sh packages | tr '\n' ' ') $nvcc" '
            function words(list) { gsub(/\([^)]*\)|\|[^,]*|:[a-z]+|,/, " ", list); return list }
            function visit(name,    list, count, i) {
                if (seen[name]++) return
                if (name in needs) print name
                count = split(needs[name] " " givers[name], list, " ")
                for (i = 1; i <= count; i++) visit(list[i])
            }
            { needs[$1] = words($3); if ($2 == "yes") named = named " " $1
              count = split(words($4), gives, " ")
              for (i = 1; i <= count; i++) givers[gives[i]] = givers[gives[i]] " " $1 }
            END { count = split(named, list, " "); for (i = 1; i <= count; i++) visit(list[i]) }'
}

# A program on PATH is linked when it is a file of those packages, or in the end leads to one (Debian's alternatives); when a row asks
# for its name; and when it comes with a GPU's driver, the CUDA toolkit, a container engine, is git, which brought the clone, or a
# compiler by its version, among which Debian's nvcc looks for one that it knows. /bin is /usr/bin.
link_programs() { # PACKAGE...
    local programs
    mapfile -t programs < <(IFS=:; for place in $PATH; do find -L "$place/" -maxdepth 1 -type f -perm /111 2>/dev/null; done)
    paste -d'|' <(printf '%s\n' "${programs[@]}") <(realpath -m -- "${programs[@]}") |
        awk -F'|' -v asked="$(tools/setup.sh commands) nvcc nvdisasm cuobjdump ncu compute-sanitizer nvidia-smi docker podman git" '
            function plain(path) { sub(/^\/usr\//, "/", path); return path }
            BEGIN { count = split(asked, list, " "); for (i = 1; i <= count; i++) free[list[i]] }
            NF == 1 { named[plain($0)]; next }
            { name = $1; sub(/.*\//, "", name) }
            !(name in linked) && (plain($1) in named || plain($2) in named || name in free || name ~ /^(gcc|g\+\+|cpp)-[0-9]+$/) { linked[name]; print $1 }
            ' <(dpkg -L "$@" | grep 'bin/') - | xargs -d '\n' ln -st "$work/bin"
}

mapfile -t packages < <(named_packages 2>/dev/null)
if [[ $1 == --packages ]]; then
    printf '%s\n' "${packages[@]}"
    exit
fi
if ((${#packages[@]})); then
    link_programs "${packages[@]}"
    if [[ -e $work/bin/bash ]]; then PATH=$work/bin; fi
fi
status=0
"$@" || status=$?
if [[ -s $work/log ]]; then
    sort -u "$work/log" | sed 's/^/not ok - /'
    status=1
fi
exit $status
