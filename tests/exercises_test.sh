#!/usr/bin/env bash
# Tests every exercise. The key and other right solutions (`other`) pass; each plausible wrong one
# (`wrong`) fails with a message that helps; an empty prediction is refused. The checker answers
# within ten seconds.
# `make test` draws an eighth of them, `make test-all` takes all, EXERCISES=04,06a takes only these.
source "$(dirname "$0")/tap.sh"
NVCC=$(tools/nvcc.sh) && export NVCC
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needs 'the exercises' patch || exit 0
counted=
! of_13_0 'wrong solutions, which counts tell from right ones' || counted=yes

# solve EXERCISE WHICH FOLDER: writes the solution WHICH (given, key, or a name from `wrong` or
# `other`) to FOLDER and runs the checker on it. The checker's output goes to FOLDER/said.
solve() {
    local status=0
    mkdir -p "$(dirname "$3")"
    build/exercise "$1" solution "$2" "$3" || return 3
    MY=$3 build/exercise "$1" judge >"$3/said" 2>&1 || status=$?
    return $status
}

for folder in exercises/*/; do
    name=$(basename "$folder")
    [[ ! ${EXERCISES:-} || ,$EXERCISES, == *,"${name%%_*}",* ||
        ,$EXERCISES, == *,"${name:0:2}",* ]] || continue
    echo "$name"
done | { if [[ ${EXERCISES:-} ]]; then cat; else draw 6 exercises; fi; } >"$work/names"
mapfile -t names <"$work/names"
# One make builds all programs, not one make per solution. Programs of lesson 14 contain the
# solution, so they are left out.
mapfile -t programs < <(for name in "${names[@]}" 02a_barriers 04a_lanes_8x4 04c_rows_of_lanes \
    08b_ring_of_three; do
    [[ $name == 14* ]] || ! grep -q '^launch|' "exercises/$name/wishes" ||
        echo "build/exercises/$name/run"
done | sort -u)
if said=$(make -s "${programs[@]}" 2>&1); then
    export RUNS_ARE_MADE=yes
else
    fail 'the programs of the exercises' "$said"
fi
for name in "${names[@]}"; do
    folder=exercises/$name
    status=0
    solve "$name" given "$work/$name/empty" || status=$?
    if [[ $status == 1 ]] && grep -q '^Predict first' "$work/$name/empty/said"; then
        pass "$name: an empty prediction is refused"
    else
        fail "$name: an empty prediction is refused" "status $status" \
            "$(cat "$work/$name/empty/said")"
    fi

    for right in key $(sed -n 's/^=== \([a-z0-9_]*\).*/\1/p' "$folder/other" 2>/dev/null); do
        label="$name: $right passes" status=0 begun=$SECONDS
        solve "$name" "$right" "$work/$name/right" || status=$?
        if [[ $status == 0 ]]; then
            pass "$label"
        else
            fail "$label" "$(cat "$work/$name/right/said")"
        fi
        # The limit is ten seconds on two free cores; a busy machine gets more.
        if ((SECONDS - begun <= 40)); then
            pass "$label, in time"
        else
            fail "$label, in time" "$((SECONDS - begun)) s"
        fi
    done

    for file in task.md hints.md answer.md; do
        [[ -s $folder/$file ]] || fail "$name: $file" "missing or empty"
    done
    lines=$(wc -l <"$folder/task.md")
    ((lines <= 25)) || fail "$name: the task is half a page at most" "$lines lines"
    [[ $counted ]] || continue
    while read -r wrong says; do
        label="$name: $wrong fails and is told why"
        status=0
        solve "$name" "$wrong" "$work/$name/wrong_$wrong" </dev/null || status=$?
        # Joins the lines that the checker breaks at 100 columns.
        if [[ $says && $status == 1 ]] && tr -s ' \n' '  ' <"$work/$name/wrong_$wrong/said" |
            grep -qF -- "$says"; then
            pass "$label"
        else
            fail "$label" "status $status, expected 1 and to read: $says" \
                "$(cat "$work/$name/wrong_$wrong/said")"
        fi
    done < <(sed -n "s/^=== \([a-z0-9_]*\)\(, the key's kernel\)*: /\1 /p" "$folder/wrong")
    [[ -s $folder/wrong ]] || fail "$name: wrong" 'no wrong solution'
done

# Right answers in other notations.
solve 08b_ring_of_three key "$work/form" || true
sed -i 's/^#define AHEAD .*/#define AHEAD (BUFFERS - 1)/' "$work/form/kernel.cu"
sed -i 's/^bytes = .*/bytes = 24,576 bytes/' "$work/form/prediction"
case_is 'a macro in another form, a prediction with its unit' 0 'right:   bytes of shared memory' \
    env MY="$work/form" build/exercise 08b judge

# A kernel with an endless loop that stays within its buffers.
solve 02a_barriers key "$work/endless" || true
sed -i 's/k_left -= TILE/k_left -= 0/; s/\([ab]\) += .*TILE.*/\1 += 0;/' "$work/endless/kernel.cu"
case_is 'a kernel that never ends' 1 'does every loop end?' env MY="$work/endless" PATIENCE=1 \
    build/exercise 02a judge

case_is 'an unknown exercise' 2 "'99z'" build/exercise 99z
case_is 'an exercise without its zero' 2 'did you mean 04a?' build/exercise 4a
case_is 'a lesson alone' 2 'did you mean 04a, 04b, 04c, 04d?' build/exercise 04
case_is 'a word of its name' 2 'did you mean 01b?' build/exercise strided
case_is 'a wrong word' 2 'expected hint, answer, solution or again' build/exercise 04a solve
export MY=$work/mine
case_is 'the first time: a copy' 0 "Your copy is in $MY/04a_lanes_8x4" build/exercise 04a
case_is 'untouched' 0 "Nothing is changed in $MY/04a_lanes_8x4 yet" build/exercise 04a
case_is 'a hint' 0 'A warp loads A eight times' build/exercise 04a hint
case_is 'the next hint' 0 '72 floats apart in As' build/exercise 04a hint
case_is 'the answer' 0 '## Why' build/exercise 04a answer
case_is 'the state of all' 0 'begun' build/exercise
listed=$(build/exercise) all=(exercises/*/)
row='^[0-9x][0-9a-e]+_[^ ]+ +[1-9][0-9]* (easy|medium|hard) +(nvcc)? +(-|begun|solved) +[^ ]'
[[ $(grep -cE "$row" <<<"$listed") == "${#all[@]}" ]] &&
    [[ $(awk 'length > most { most = length } END { print most }' <<<"$listed") -le 100 ]]
verdict $? 'all are listed, within 100 columns' "$listed"
said=$(diff <(grep '^| \[[0-9x][0-9a-e]*\](' exercises/README.md) \
    <(build/exercise --table))
verdict $? 'the table of exercises/README.md' "$said"

# Predictions in the notations that readers use. The answer of 04a is 1,572,864.
solve 04a_lanes_8x4 key "$work/predicted" || true
while IFS='|' read -r status text; do
    sed -i "s;^wavefronts =.*;wavefronts = $text;" "$work/predicted/prediction"
    got=0
    MY=$work/predicted build/exercise 04a judge >"$work/judged" 2>&1 </dev/null || got=$?
    [[ $got == "$status" ]]
    verdict $? "a prediction: $text" "status $got, expected $status" "$(cat "$work/judged")"
done <<'END'
0|about 1,572,864 wavefronts
0|~ 65,536 x 24
0|(16 + 8) * 2^16
0|3145728/2
1|65,536 x 23
1|3145728/
1|1/0
1|1572 864
END

# The reader's folder: predictions given by name, make's exit status, the reference solution, the
# next exercise.
build/exercise 04c >/dev/null
case_is 'make has no error where a task is not done' 0 'Predict first: yours' make -s exercise \
    EX=04c PREDICT='one=32+1'
case_is 'a name that is not predicted' 2 "'two' is not predicted" env PREDICT='two=1' \
    build/exercise 04c
case_is 'a prediction that is not understood' 2 'expected a number' env PREDICT='one=1/' \
    build/exercise 04c
case_is 'a word in place of a number' 2 'expected a number' env PREDICT='one=hm' build/exercise 04c
build/exercise 06b >/dev/null
case_is 'a word other than yes and no' 2 'expected yes or no' env PREDICT='mask_8=hm' \
    build/exercise 06b
# At a terminal the checker asks for predictions in the order of the file. It asks again if it gets
# a word in place of a number. It prints each comment of the file once.
if command -v script >/dev/null; then
    build/exercise 01d >/dev/null
    sed -i 's/^\.let ROWS = 1$/.let ROWS = 2/' "$MY/01d_rows_of_lanes/kernel.sass"
    { sleep 1; for text in hm 5 33 4; do echo "$text"; sleep 0.2; done; sleep 5; } |
        script -qec 'build/exercise 01d' /dev/null | tr -d '\r' >"$work/asked" || true
    [[ $(grep -oE '^  (one|all|yours) = ' "$work/asked" | tr -d ' =\n') == oneoneallyours &&
        $(grep -c 'with 1 row,' "$work/asked") == 1 &&
        -e $MY/01d_rows_of_lanes/solved ]]
    verdict $? 'a terminal is asked in the order of the file' "$(cat "$work/asked")"
else
    skip 'a terminal is asked in the order of the file' 'no script'
fi
# Tasks, hints and answers fit a terminal of 100 columns, apart from tables and code, and have no
# Markdown links.
for name in exercises/*/; do
    name=$(basename "$name")
    for show in again hint hint hint answer; do
        MY=$work/wide build/exercise "${name%%_*}" "$show" | sed '/^--- /,$d'
    done |
        awk -v name="$name" \
            '/^```/ { code = !code } !code && ((!/^\|/ && length($0) > 100) || index($0, "](")) {
                    print name ": " $0 }'
done >"$work/too_wide" 2>&1
if [[ -s $work/too_wide ]]; then
    fail 'exercises fit 100 columns, without links' "$(head -n 5 "$work/too_wide")"
else
    pass 'exercises fit 100 columns, without links'
fi
case_is 'the reference solution waits' 0 'when 04c_rows_of_lanes is solved' build/exercise 04c \
    solution
solve 04c_rows_of_lanes key "$MY/04c_rows_of_lanes" || true
case_is 'the next one is offered' 0 'Next: make exercise EX=04d' build/exercise 04c
case_is 'the reference solution' 0 'word for word' build/exercise 04c solution
echo 'mine' >>"$MY/04a_lanes_8x4/kernel.cu"
case_is 'starting over' 0 'Your copy is in' build/exercise 04a again
grep -qx mine "$MY/04a_lanes_8x4.old/kernel.cu" &&
    ! grep -qx mine "$MY/04a_lanes_8x4/kernel.cu"
verdict $? 'what was there is kept'
