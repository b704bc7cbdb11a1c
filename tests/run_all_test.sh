#!/usr/bin/env bash
# run_all.sh spares other people's files. It accepts a directory that is new or empty, or that it
# made itself, and replaces and removes only files that it wrote. It refuses any other directory
# before set-up or build begins.
source "$(dirname "$0")/tap.sh"
project=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/home" "$work/mine" "$work/empty"
echo precious >"$work/mine/results.csv"
echo precious >"$work/file"
ln -s "$work/mine" "$work/link"
# Two directories to refuse: in one a link has the name of run_all.sh's list of files, in the other
# a directory has it.
mkdir -p "$work/false/.written-by-run_all" "$work/linked"
ln -s "$work/file" "$work/linked/.written-by-run_all"
sums() { find "$1" -type f ! -path '*/.git/*' -exec cksum {} + | sort; }
before=$(
    sums "$work"
    sums docs/results
)
for directory in / // /usr/.. "$HOME" "$HOME/." docs/results docs/results/ docs/results/h200 \
    docs/results/h200/../ \
    docs/results/new . tests steps/../docs "$work/mine" "$work/mine/" "$work/link" "$work/file" \
    "$work/file/x" "$work/false" \
    "$work/linked" /dev/null /proc/x ''; do
    for option in '' --fresh --quick; do
        one_line_is "refused: '$directory' $option" 2 'run_all.sh:' timeout 20 ./run_all.sh \
            $option "$directory" </dev/null
    done
done
one_line_is 'an empty home is refused' 2 'is not a directory for results' env HOME="$work/home" \
    ./run_all.sh "$work/home"
one_line_is 'two directories are refused' 2 'more than one directory' ./run_all.sh '' a
after=$(
    sums "$work"
    sums docs/results
)
[[ $before == "$after" && ! -e docs/results/new ]] && pass 'refused directories are unchanged' ||
    fail 'refused directories are unchanged' "$(diff <(echo "$before") <(echo "$after"))"

# A relative directory is relative to the caller's folder. The build stops early; the directory
# exists by then.
mkdir "$work/bin" "$work/caller"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/make"
chmod +x "$work/bin/make"
(cd "$work/caller" && PATH=$work/bin:$PATH "$project/run_all.sh" own >"$work/said" 2>&1)
[[ -f $work/caller/own/.written-by-run_all && ! -e own ]]
verdict $? "a relative directory is the caller's" "$(cat "$work/said")"

one_line_is 'by sh: bash takes over' 2 "unknown option '--none'" sh run_all.sh --none
one_line_is 'by sh without bash: one line' 1 'needs bash' env PATH="$work/home" \
    "$(command -v dash || command -v sh)" run_all.sh --quick

# A failed build shows its last lines, and the file that has the rest. A stopped build says how to
# go on, and mentions results only if there are some.
printf '#!/bin/sh\necho "[3/9] cc x.c"; echo "x.c:1: error: no"; exit 2\n' >"$work/bin/make"
failing() { PATH=$work/bin:$PATH ./run_all.sh --quick "$work/failing"; }
case_is 'a build that fails: the cause' 1 'x.c:1: error: no' failing
case_is 'a build that fails: where the rest is' 1 'log.txt' failing
printf '#!/bin/sh\nkill -INT $PPID; exit 130\n' >"$work/bin/make"
said=$(PATH=$work/bin:$PATH ./run_all.sh --quick "$work/failing" 2>&1)
[[ $? == 130 && $said == *'Stopped. Run the same command again'* ]]
verdict $? 'stopped before there are results' "$said"

# An `elapsed` that ends at once must not run its parent's traps, which remove the work folder.
mkdir "$work/kept"
hundred_parts() {
    bash -c 'trap "rmdir \"$1\"" EXIT INT TERM
        source tools/elapsed.sh
        for ((i = 0; i < 100; i++)); do
            exec {ticking}> >(elapsed part)
            exec {ticking}>&-
            wait $!
            [[ -d $1 ]] || exit 1
        done' - "$work/kept"
}
case_is 'a hundred short parts: the work folder stays' 0 '' hundred_parts

# The summary at the end, made from the results that come with the project: no line is wide, each
# step has a line, and the speeds of the ladder rise.
tools/summary.sh '' '' docs/results/h200/results.csv measured \
    docs/results/h200/results.csv >"$work/screen"
[[ $(awk 'length > 100' "$work/screen") ]] && fail 'the screen has 100 columns at most' \
    "$(cat "$work/screen")" || pass 'the screen has 100 columns at most'
rises() {
    awk '/^0[1-9]_/ { rows++; if ($(NF - 1) < last) exit 1; last = $(NF - 1) }
        END { if (rows != 9) exit 1 }' "$work/screen"
}
case_is 'nine steps, each faster than the one before' 0 '' rises

# The exercise that it suggests has a line to edit.
first=$(sed -n 's/^ *solve .*make exercise EX=\([0-9a-z]*\).*/\1/p' run_all.sh)
[[ $first ]] && grep -q -- '---- your line' exercises/"$first"_*/kernel.*
verdict $? 'it suggests an exercise with a line to edit' "EX=$first"

# tools/own.sh: the functions that decide which files run_all.sh owns.
source tools/own.sh
own_directory "$work/empty" . . && own a.csv deep/b.csv && echo 1 >"$own_path/a.csv" &&
    echo 1 >"$own_path/deep/b.csv"
verdict $? 'an empty directory is taken'
one_line_is 'one run at a time' 1 'another run_all.sh' bash \
    -c 'source tools/own.sh; own_directory "$1" . .' - "$work/empty"
echo mine >"$own_path/notes.txt"
echo mine >"$own_path/deep/mine.csv"
echo mine >"$own_path/ladder.svg"
ln -s "$work/file" "$own_path/chart.png"
mkdir "$own_path/folder.png"
for name in ladder.svg chart.png folder.png; do
    one_line_is "$name is in the way" 1 'did not write it; move it away' own_copy README.md "$name"
done
own a.csv
verdict $? 'a file that run_all.sh wrote is replaced'
own_copy README.md h200/copy.md && cmp -s README.md "$own_path/h200/copy.md"
verdict $? 'a copy is whole'
if full=$(
    ulimit -f 1
    trap '' XFSZ
    own_copy README.md h200/copy.md 2>&1
); then fail 'a full disk is noticed' "$full"; fi
[[ $full == *'cannot be written'* ]] && cmp -s README.md "$own_path/h200/copy.md" &&
    [[ ! $(find "$own_path" -name '.new*') ]]
verdict $? 'a full disk leaves the old copy' "$full"
# Somebody else edits the list
printf '%s\n' ../file /etc/passwd deep/../../file '' . deep >>"$own_path/.written-by-run_all"
own_forget
left=$(cd "$own_path" && find . | sort | xargs)
left_files='./chart.png ./deep ./deep/mine.csv ./folder.png ./ladder.svg ./notes.txt'
[[ $left == ". ./.written-by-run_all $left_files" ]]
verdict $? '--fresh removes what is on the list and nothing else' "$left"
[[ $(cat "$work/file") == precious && -s /etc/passwd ]]
verdict $? '--fresh removes nothing outside the directory'
