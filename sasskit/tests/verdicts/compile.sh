# Sourced by the scripts that run the kernels of sasskit/tests/verdicts. Requires: tap.sh.

# compile CUBIN ARCH OPTIONS SOURCE...: compiles all sources to build/verdicts/CUBIN.cubin and to
# the PTX that it is made from. Two scripts may call it for one file at the same time.
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
# cubin_of SOURCE: prints the name of the cubin that contains the source.
cubin_of() {
    local set=${1%/*}
    case $1 in
        *.sass) echo "${set##*/}_sass" ;;
        *_90a.cu) echo "${set##*/}_90a" ;;
        *_G.cu) echo "${set##*/}_G" ;;
        *) echo "${set##*/}" ;;
    esac
}
clean_sources() { printf '%s\n' sasskit/tests/verdicts/clean/*.cu | grep -v _90a; }
