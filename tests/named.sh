#!/usr/bin/env bash
# Runs a command with a PATH that has only the programs of certain packages: those that
# tools/setup.sh names, Debian's nvcc if it is used, their dependencies, and Debian's essential
# packages. So a program that no row of set-up names is missing, as on a new machine. `make test`
# runs every test this way. Without dpkg, PATH stays as it is.
#
#     tests/named.sh COMMAND...
#     tests/named.sh --packages    prints the packages
#
# Each program that a bash script calls and does not find becomes a line "not ok" at the end. Exit
# status: the command's, or 1 with such a line.
set -uo pipefail
export LC_ALL=C
work=$(mktemp -d)
trap 'PATH=$path; rm -rf "$work"' EXIT
path=$PATH
mkdir "$work/bin"
export CALLED_IN_VAIN=$work/log
: >"$work/log"
command_not_found_handle() {
    echo "$1, which ${BASH_SOURCE[1]:-$0} calls, is not here: a row of tools/setup.sh should name" \
        "its package" >>"$CALLED_IN_VAIN"
    echo "$1: command not found" >&2
    return 127
}
export -f command_not_found_handle

# Prints the named packages and everything that they depend on, as installed here.
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

# Links a program of PATH if one of these is true: it is a file of those packages; it is a link that
# leads to one (Debian's alternatives); a row of set-up asks for its name. Further programs are
# always linked: those of a GPU's driver, of the CUDA toolkit and of container engines; git, which
# made the clone; and compilers with a version in their name, among which Debian's nvcc looks for a
# supported one. /bin counts as /usr/bin.
link_programs() { # PACKAGE...
    local programs
    mapfile -t programs < <(
        IFS=:
        for place in $PATH; do find -L "$place/" -maxdepth 1 -type f -perm /111 2>/dev/null; done
    )
    paste -d'|' <(printf '%s\n' "${programs[@]}") <(realpath -m -- "${programs[@]}") |
        awk -F'|' -v asked="$(tools/setup.sh \
            commands) nvcc nvdisasm cuobjdump ncu compute-sanitizer nvidia-smi docker podman git" '
            function plain(path) { sub(/^\/usr\//, "/", path); return path }
            BEGIN { count = split(asked, list, " "); for (i = 1; i <= count; i++) free[list[i]] }
            NF == 1 { named[plain($0)]; next }
            { name = $1; sub(/.*\//, "", name) }
            !(name in linked) && (plain($1) in named || plain($2) in named || name in free ||
                name ~ /^(gcc|g\+\+|cpp)-[0-9]+$/) { linked[name]; print $1 }
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
