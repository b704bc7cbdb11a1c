# Functions for scripts: die() ends with a message; put() writes a file whole or not at all.

# die TEXT [STATUS]: prints the script's name and TEXT on stderr and exits with STATUS (default 2).
die() {
    local folder=${0%/*}
    echo "${folder##*/}/${0##*/}: $1" >&2
    exit "${2:-2}"
}

# put FILE TARGET: copies FILE to a fresh name beside TARGET, then renames the copy to TARGET.
put() {
    local fresh said
    [[ ! -e $2 || -f $2 ]] || die "'$2' is not a regular file; nothing written" 1
    fresh=$(mktemp "$2.XXXXXX" 2>/dev/null) ||
        die "cannot write '$2': no file can be made beside it" 1
    if ! said=$( (cp -- "$1" "$fresh" && chmod "$(printf %o $((0666 & ~$(umask))))" "$fresh" &&
        mv -fT -- "$fresh" "$2") 2>&1); then
        rm -f -- "$fresh"
        die "cannot write '$2': ${said##*: }; it is as it was" 1
    fi
}
