# Sourced by those who run the kernels of tests/verdicts; tap.sh has what compile calls.

# compile CUBIN ARCH OPTIONS SOURCE...: build/verdicts/CUBIN.cubin of all these sources, and the PTX that it is made from. Two scripts
# may ask for the same at the same time.
compile() {
    local made=build/verdicts/$1 arch=$2 options
    read -ra options <<<"$3"
    mkdir -p build/verdicts
    (
        flock 9
        together "${@:4}" >"$made.cu"
        cubin "$made.ptx" -arch="$arch" -lineinfo "${options[@]}" -I. "$made.cu" &&
            cubin "$made.cubin" -arch="$arch" -lineinfo "${options[@]}" "$made.ptx"
    ) 9>"$made.lock"
}
# The cubin that a source is in.
cubin_of() { # SOURCE
    local set=${1%/*}
    case $1 in *.sass) echo "${set##*/}_sass" ;; *_90a.cu) echo "${set##*/}_90a" ;; *) echo "${set##*/}" ;; esac
}
clean_sources() { printf '%s\n' tests/verdicts/clean/*.cu | grep -v _90a; }
