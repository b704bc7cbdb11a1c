# Functions for a directory of results in which run_all.sh replaces and removes only files that it
# wrote itself. run_all.sh sources this file. A function that may not do its work prints one line
# and fails.
#
# The directory holds a list of the files that were written into it (.written-by-run_all). A file's
# name goes on the list before the file is made. A directory without the list is accepted only if it
# is new or empty.

own_list=.written-by-run_all

own_no() {
    printf '%s\n' "run_all.sh: $1" >&2
    return 1
}

# own_directory PATH CALLER ROOT: makes the directory PATH (relative to the folder CALLER), locks
# its list and sets own_path to its full name. Refuses /, $HOME, ROOT (the project) and ROOT's
# docs/results, which has the results of other machines.
own_directory() {
    local path=$1 root home
    [[ $path ]] || { own_no "'' is no directory's name; name one"; return; }
    [[ $path == /* ]] || path=$2/$path
    path=$(realpath -m -- "$path" 2>/dev/null && printf x) || {
        own_no "'$1' cannot be resolved; name another"
        return
    }
    path=${path%$'\n'x}
    root=$(realpath -m -- "$3" && printf x) home=$(realpath -m -- "${HOME:-/}" && printf x)
    root=${root%$'\n'x} home=${home%$'\n'x}
    case $path in
        / | "$home" | "$root" | "$root/docs/results" | "$root/docs/results"/*)
            own_no "'$1' is not a directory for results; name a new one"; return ;;
    esac
    [[ ! -e $path || -d $path ]] || {
        own_no "'$1' is not a directory; name another"
        return
    }
    mkdir -p -- "$path" 2>/dev/null || {
        own_no "cannot make the directory '$1'; name another"
        return
    }
    if [[ ! -f $path/$own_list || -L $path/$own_list ]]; then
        [[ -r $path && ! $(ls -A -- "$path") ]] ||
            {
                own_no "'$1' holds files that run_all.sh did not write; name an empty directory"
                return
            }
        (
            set -C
            echo '# what run_all.sh wrote here; it replaces and removes nothing else' \
                >"$path/$own_list"
        ) 2>/dev/null ||
            {
                own_no "cannot write into '$1'; name another"
                return
            }
    fi
    { exec {own_lock}>>"$path/$own_list"; } 2>/dev/null || {
        own_no "cannot write into '$1'; name another"
        return
    }
    flock -n "$own_lock" || {
        own_no "another run_all.sh is at work in '$1'; name another directory"
        return
    }
    own_path=$path
}

# own NAME...: puts these files on the list. Fails if one of them exists and is not on the list.
own() {
    local name
    for name in "$@"; do
        grep -qxF -e "$name" -- "$own_path/$own_list" && continue
        [[ ! -e $own_path/$name && ! -L $own_path/$name ]] ||
            {
                own_no "'$own_path/$name' is in the way: run_all.sh did not write it; move it away"
                return
            }
        mkdir -p -- "$(dirname -- "$own_path/$name")" && printf '%s\n' "$name" >&"$own_lock" ||
            return
    done
}

# own_copy FILE NAME: copies FILE to NAME, also from another file system. The copy is whole or does
# not exist.
own_copy() {
    local fresh
    own "$2" || return
    fresh=$(mktemp -- "$own_path/.new-XXXXXX") || return
    if cp -- "$1" "$fresh" && chmod "$(printf '%o' $((0666 & ~$(umask))))" "$fresh" &&
        mv -f -- "$fresh" "$own_path/$2"; then
        return
    fi
    rm -f -- "$fresh"
    own_no "'$own_path/$2' cannot be written; what was there before is left as it was"
}

# own_forget: removes every file on the list, and folders that become empty.
own_forget() {
    local name folder
    while IFS= read -r name; do
        [[ $name && $name != \#* && $name != /* && /$name/ != */../* ]] || continue
        if [[ -f $own_path/$name || -L $own_path/$name ]]; then rm -f -- "$own_path/$name"; fi
        folder=$(dirname -- "$name")
        [[ $folder == . ]] || rmdir -- "$own_path/$folder" 2>/dev/null || true
    done <"$own_path/$own_list"
    echo '# what run_all.sh wrote here; it replaces and removes nothing else' >"$own_path/$own_list"
}
