# elapsed shows how long a part takes. run_all.sh and tools/setup.sh source this file.
#
#     exec {ticking}> >(elapsed TITLE [COMMAND...])
#     COMMAND {ticking}>&-               the commands to wait for; they do not get the pipe
#     exec {ticking}>&-; wait $!         closes the pipe, which ends elapsed
#
# It prints TITLE, what COMMAND prints, and the elapsed seconds until its input ends: at a terminal
# every second in one line, which it clears at the end, otherwise a line every ten seconds. No
# signal ends it: a subshell that gets one as it starts would still run the traps of its parent.
elapsed() {
    local title=$1 began=$SECONDS pause=10 rc
    shift
    [[ ! -t 1 ]] || pause=1
    while rc=0; read -r -t "$pause" || rc=$?; ((rc > 128)); do # more than 128: a timeout
        if [[ -t 1 ]]; then printf '\r\033[K'; fi
        printf '%s %s%d s' "$title" "$("$@")" $((SECONDS - began))
        if [[ ! -t 1 ]]; then printf ' ...\n'; fi
    done
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
}
