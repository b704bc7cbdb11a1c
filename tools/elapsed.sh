# Defines elapsed(), which shows how long a part of a script takes. run_all.sh and tools/setup.sh
# source this file.
#
#     exec {ticking}> >(elapsed TITLE [COMMAND...])     opens a pipe to elapsed, which starts
#     WORK {ticking}>&-                  the work that takes time; it does not inherit the pipe
#     exec {ticking}>&-; wait $!         closes the pipe, which ends elapsed
#
# Until its input ends, elapsed prints TITLE, what COMMAND prints, and the elapsed seconds: at a
# terminal every second in one line, which it clears at the end, otherwise a line every ten seconds.
# No signal is used to end it: a subshell that gets one as it starts would run its parent's traps.
elapsed() {
    local title=$1 began=$SECONDS pause=10 rc
    shift
    [[ ! -t 1 ]] || pause=1
    while rc=0; read -r -t "$pause" || rc=$?; ((rc > 128)); do # more than 128: timeout
        if [[ -t 1 ]]; then printf '\r\033[K'; fi
        printf '%s %s%d s' "$title" "$("$@")" $((SECONDS - began))
        if [[ ! -t 1 ]]; then printf ' ...\n'; fi
    done
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
}
