#!/usr/bin/env bash
# One exercise: builds what the reader wrote, runs it on the simulator, and says what was wanted and what was found.
#
#     tools/exercise.sh                 the state of all exercises
#     tools/exercise.sh 04a             check mine; the first time: put a copy to work on into my/
#     tools/exercise.sh 04a hint        one hint more
#     tools/exercise.sh 04a answer      the answer
#     tools/exercise.sh 04a solution    mine beside the reference solution
#     tools/exercise.sh 04a again       start over (what was there is kept as my/....old)
#
# What it wants predicted it asks at the terminal; elsewhere PREDICT='wavefronts=1024/8, share=about 60 %' in the environment tells it.
# An exercise is a folder exercises/NAME (exercises/README.md says what is in it). `make exercise EX=04a SHOW=hint` calls
# this. Exit status: 0 solved (or shown, or not begun yet), 1 not right yet, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
MY=${MY:-my} # where the reader's copies are

usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p;}' tools/exercise.sh; }

# --- what an exercise says of itself --------------------------------------------------------------------------------------
title() { sed -n '1s/^# *//p' "exercises/$1/task.md"; }
wishes() { grep -v '^ *\(#\|$\)' "exercises/$1/wishes"; } # rows kind|field|field...
base_of() { # the file that the reader starts from: the exercise's own, or a step's
    local base
    base=$(wishes "$1" | sed -n 's/^base|//p')
    echo "${base:-$(ls "exercises/$1"/kernel.*)}"
}
source_of() { local base; base=$(base_of "$1"); echo "kernel.${base##*.}"; } # its name in the reader's folder
find_exercise() { # 04a or 04a_lanes_8x4 -> its name
    local found=(exercises/"$1"*/)
    [[ -d ${found[0]} && ${#found[@]} == 1 ]] || die "no exercise '$1'; make exercises lists them"
    basename "${found[0]}"
}

# Breaks lines of text and of Markdown at 100 columns, and goes on with the paragraph's next line.
# An item's further lines are indented. Code and tables stay as they are.
narrow() {
    awk -v most=100 '
        function flush() { if (line != "") print line; line = "" }
        /^```/ { code = !code }
        line != "" && /^[^ |#>`*0-9-]/ { $0 = line " " $0; line = "" }
        { flush() }
        code || /^ *\|/ || length($0) <= most { print; next }
        {
            match($0, /^ *([-*] |[0-9]+\. |(not yet|right): +)?/)
            hang = sprintf("%" RLENGTH "s", "")
            line = substr($0, 1, RLENGTH)
            n = split(substr($0, RLENGTH + 1), word, " ")
            for (i = 1; i <= n; i++) {
                if (i > 1 && length(line) + 1 + length(word[i]) > most) { print line; line = hang word[i] }
                else line = line (i > 1 ? " " : "") word[i]
            }
            if (hang != "") flush()
        }
        END { flush() }'
}

# --- the reader's predictions ----------------------------------------------------------------------------------------------
# understood TEXT: the number or the word that a reader means: "about 1,024/8 bytes" is 128, "Yes." is yes. Nothing if it is unclear.
understood() {
    local text sum
    text=$(sed -E -e 's/#.*//' -e 's/≈|~/ /g' -e 's/×/*/g' -e 's/^[[:space:]=]+//' -e 's/^(about|around|roughly|approximately|circa|ca\.)[[:space:]]+//I' \
        -e ':a' -e 's/([0-9])[,_]([0-9]{3})([^0-9]|$)/\1\2\3/' -e 'ta' -e ':b' -e 's/([0-9)])[[:space:]]*x[[:space:]]*([0-9(])/\1*\2/' -e 'tb' -e 's/[[:space:].!]+$//' <<<"$1")
    if grep -q '^[0-9.(-]' <<<"$text"; then
        sum=$(sed -E 's/ *(%|[[:alpha:]].*)$//; t; /[^0-9.*\/^()+ -]/d' <<<"$(sed -E 's/([0-9])e([0-9])/\1*10^\2/' <<<"$text")")
        if grep -qE '[^0-9.*/^()+ -]|[0-9.] +[0-9.]' <<<"$sum"; then return; fi
        awk "BEGIN { printf \"%.10g\", $sum }" 2>/dev/null | grep -v '[if]n' || true
    elif [[ $text != *'?'* ]]; then
        tr -d '[:space:]' <<<"$text"
    fi
}
predicted() { # NAME FILE: the value behind `NAME =`; empty where there is none yet
    understood "$(sed -n "s/^ *$1 *= *//p" "$2" | head -n 1)"
}
# meaning NAME FILE: what the file says that a prediction is, with its unit: the comment above it, and above those before it without one
meaning() { awk -v name="$1" '/^#/ { text = (above ? text " " : "") substr($0, 3); above = 1; next } { above = 0 } $1 == name { print text; exit }' "$2"; }
# enter NAME FILE TEXT: writes a prediction down as the reader said it; false where it is not understood
enter() {
    [[ $(understood "$3") ]] || return 1
    NAME=$1 TEXT=$3 awk '$1 == ENVIRON["NAME"] && $2 ~ /^=/ { print ENVIRON["NAME"] " = " ENVIRON["TEXT"]; next } { print }' "$2" >"$2.new"
    mv "$2.new" "$2"
}
# take_predictions EXERCISE FILE: those that PREDICT has; then, at a terminal, asks for those that are missing
take_predictions() {
    local name text field fields told=
    IFS=';' read -ra fields <<<"$(sed -E 's/[,;][[:space:]]*([a-z_0-9]+[[:space:]]*=)/;\1/g' <<<"${PREDICT:-}")"
    for field in "${fields[@]}"; do
        name=$(sed -E 's/^[[:space:]]*([a-z_0-9]*)[[:space:]]*=.*/\1/' <<<"$field")
        names_to_predict "$1" | grep -qx -- "$name" || die "PREDICT: '$name' is not predicted in $1; there are: $(names_to_predict "$1" | xargs)"
        enter "$name" "$2" "${field#*=}" || die "PREDICT: $name=${field#*=}: expected a number, a sum such as 1024/8, or a word"
    done
    [[ -t 0 && -t 1 ]] || return 0
    [[ ! $(missing_predictions "$1" "$2") ]] || {
        echo 'Predict first (a number, a sum such as 1024/8, or a word; Enter leaves it for later).'
        echo 'A wrong one costs nothing.'
    }
    for name in $(missing_predictions "$1" "$2"); do
        if [[ $told != "$(meaning "$name" "$2")" ]]; then # one comment may stand for several predictions
            told=$(meaning "$name" "$2")
            narrow <<<"$told"
        fi
        while read -r -p "  $name = " text && [[ $text ]]; do
            if enter "$name" "$2" "$text"; then break; fi
            echo "  not understood: expected a number, a sum such as 1024/8, or a word"
        done
        [[ $text ]] || return 0
    done
}
# In the order of the file `prediction`, whose comments say in which order the values are meant.
names_to_predict() {
    wishes "$1" | awk -F'|' 'FNR == NR { if ($1 == "count" || $1 == "say" || $1 == "faster") wanted[$2]; next }
        { sub(/ *=.*/, ""); if ($0 in wanted) print }' - "exercises/$1/prediction"
}
missing_predictions() {
    local name
    for name in $(names_to_predict "$1"); do [[ $(predicted "$name" "$2") ]] || echo "$name"; done
}

# --- building and running ----------------------------------------------------------------------------------------------------
# build_kernel EXERCISE SOURCE CUBIN [ARCH]
build_kernel() {
    local flags nvcc
    flags=$(wishes "$1" | awk -F'|' '$1 == "flags" { print $2 }')
    mkdir -p "$(dirname "$3")"
    if [[ $2 == *.sass ]]; then
        # shellcheck disable=SC2086 # flags are words
        build/sass asm "$2" $flags -o "$3"
    else
        nvcc=$(tools/nvcc.sh) || { echo "there is no nvcc here, which compiles $2: install the CUDA toolkit, 12 or 13, or let tools/setup.sh run fetch one"; return 1; }
        # shellcheck disable=SC2086
        "$nvcc" -O3 -std=c++17 -cubin -arch="${4:-sm_90}" -lineinfo $flags -o "$3" "$2"
    fi
}

# build EXERCISE SOURCE: the reader's kernel, and the harness that launches it, from where it looks for cubins
build() {
    local work=build/exercises/$1
    if [[ $2 == *.c ]]; then # a scheme of lesson 14: a part of its program, which launches other lessons' kernels
        rm -rf "$work/run" "$work/cubin"
        ln -s ../../cubin "$work/cubin"
        cp "$2" "$work/mine.c"
        make -s "$work/run"
        return
    fi
    build_kernel "$1" "$2" "$work/mine.cubin" || return
    if wishes "$1" | grep -q '^launch|'; then
        [[ ${RUNS_ARE_MADE:-} ]] || make -s "$work/run" # the tests make all of them first
        mkdir -p "$work/cubin/sm_90/$1"
        cp "$work/mine.cubin" "$work/cubin/sm_90/$1/mine.cubin"
    fi
}

failed= # the name of what went wrong, for the reader
say_bad() { failed=yes; printf '  not yet: %s\n' "$1"; }
say_good() { printf '  right:   %s\n' "$1"; }

# A run, for PATIENCE seconds at most: those of the keys take a few.
patiently() {
    local status=0
    timeout "${PATIENCE:-300}" "$@" || status=$?
    [[ $status != 124 ]] || echo "it still ran after ${PATIENCE:-300} seconds: does every loop end?" >&2
    return "$status"
}

# The first reports of a run, or its last words where there are none.
first_reports() {
    local found
    found=$(sasskit/tools/findings.py --people <"$2" 2>/dev/null) || found=
    [[ $found ]] || found=$(tail -n 2 "$1")
    sed 's/^/           /' <<<"$found"
    grep '^it still ran' "$1" | sed 's/^/           /' || true
}

# check_results EXERCISE WORK: every `check` row, on the harness, against float64
check_results() {
    local options
    while IFS='|' read -r _ options; do
        # shellcheck disable=SC2086
        if ! patiently "build/exercises/$1/run" --backend sim --check only --json="$2/lines" $options >"$2/said" 2>&1; then
            say_bad "the result is wrong, or the simulator found a mistake ($options):"
            first_reports "$2/said" "$2/lines"
            return
        fi
        say_good "results at $options"
    done < <(wishes "$1" | grep '^check|')
}

# Every `code` row: how many lines of the machine code, as `sass dis` prints it, have a text.
check_code() { # EXERCISE WORK
    local text times words
    while IFS='|' read -r _ text times words; do
        [[ $(build/sass dis "$2/mine.cubin" | grep -cF -- "$text") == "$times" ]] || say_bad "$words"
    done < <(wishes "$1" | grep '^code|')
}

# Every `holds` row: what must be true of the solution's macros, whatever their form. What a C compiler cannot tell is let pass.
macros_say() { { grep '^ *#' "$1" | grep -v include; echo "_Static_assert($2, \"\");"; } | "${CC:-cc}" -fsyntax-only -x c - 2>/dev/null; }
check_macros() { # EXERCISE SOURCE
    local condition words
    while IFS='|' read -r _ condition words; do
        macros_say "$2" "$condition" || ! macros_say "$2" "1 + 0 * ($condition)" || say_bad "$words"
    done < <(wishes "$1" | grep '^holds|')
}

# numbers FILE OPTIONS: what simrun wrote, a number on each line; OPTIONS say of which type
numbers() {
    local type=f4
    [[ ! $2 =~ i32\[[0-9]+\][^\ ]*=out: ]] || type=d4
    od -An -v -w4 -t "$type" "$1" | tr -d ' '
}

# difference WORK OPTIONS NAMES: the first number that is another than the key's, called by its name among NAMES (a;b: they take turns; %i: the turn)
difference() {
    paste -d' ' <(numbers "$1/mine.out" "$2") <(numbers "$1/key.out" "$2") | awk -v names="${3:-number %i of the output}" '
        $1 != $2 { if (!count++) { first = NR - 1; mine = $1; wanted = $2 } }
        END {
            n = split(names, name, ";")
            text = name[first % n + 1]
            gsub(/%i/, int(first / n), text)
            printf "%s is %s, wanted is %s (%d of %d numbers differ)\n", text, mine, wanted, count, NR
        }'
}

# write_out WORK WHICH OPTIONS: WHICH.out is what WHICH.cubin writes
write_out() {
    # shellcheck disable=SC2086
    patiently build/simrun "$1/$2.cubin" --json="$1/lines" ${3//OUT/$1/$2.out} >"$1/said" 2>&1
}

# check_outputs EXERCISE WORK: every `same` row: what simrun writes is what the key's kernel writes; every `unlike` row: it is not what the lesson's writes
check_outputs() {
    local kind options words which
    while IFS='|' read -r kind options words which; do
        if ! write_out "$2" mine "$options"; then
            say_bad "the run ended with a report ($options):"
            first_reports "$2/said" "$2/lines"
            return
        fi
        if [[ $kind == unlike ]]; then
            solution "$1" "$which" "$2/lesson" && build_kernel "$1" "$2/lesson/$(source_of "$1")" "$2/lesson.cubin"
            write_out "$2" lesson "$options" || die "$1: $which fails: $(head -n 1 "$2/said")"
            if cmp -s "$2/mine.out" "$2/lesson.out"; then say_bad "$words"; return; fi
            continue
        fi
        write_out "$2" key "$options" || die "$1: the key itself fails: $(head -n 1 "$2/said")"
        if ! cmp -s "$2/mine.out" "$2/key.out"; then say_bad "another result than wanted: $(difference "$2" "$options" "$words")"; return; fi
        say_good "the result"
    done < <(wishes "$1" | grep -E '^(same|unlike)\|')
}

# value EXPRESSION COUNTERS: counters by name, divided where the expression says so
value() {
    awk -F, -v expression="$1" '
        { of[$(NF - 1)] = $NF }
        END {
            n = split(expression, part, / *\/ */)
            for (i = 1; i <= n; i++) {
                v = part[i] in of ? of[part[i]] : part[i] ~ /^[0-9.]+$/ ? part[i] : "missing"
                if (v == "missing") { print "no counter " part[i]; exit }
                result = i == 1 ? v : v == 0 ? 0 : result / v
            }
            printf "%.10g\n", result
        }' "$2"
}
is_number() { [[ $1 =~ ^[0-9.]+(e[0-9]+)?$ ]]; }
# near A B [SHARE [SLACK]]: as near as that share of B, or that slack
near() { awk -v a="$1" -v b="$2" -v by="${3:-0.005}" -v slack="${4:-0}" 'BEGIN { d = a - b; if (d < 0) d = -d; m = b < 0 ? -b : b; exit !(d <= by * m || d <= slack) }'; }

# The counts that are wanted are of nvcc 13.0's code; of another version's they are a tenth off at most.
code_by=
other_nvcc() {
    code_by=${code_by:-$(tools/nvcc.sh release 2>/dev/null || true)}
    [[ $code_by && $code_by != 13.0 ]]
}

# compare WANTED FOUND PREDICTED WORDS: the kernel against the key, and the prediction against the kernel. WANTED: a number; several, `4096 or 3584`; or
# one with what a prediction may miss it by, `1546~10`
compare() {
    local wanted=${1%~*} slack=0 value right='' other=''
    [[ $1 != *~* ]] || slack=${1#*~}
    for value in ${wanted// or / }; do
        if near "$2" "$value"; then right=$value; fi
    done
    if [[ ! $right ]] && other_nvcc; then
        for value in ${wanted// or / }; do
            if near "$2" "$value" 0.1; then right=$value other=yes; fi
        done
    fi
    if [[ ! $right ]]; then
        say_bad "$4: your kernel has $2, wanted is $wanted (you predicted $3)"
    elif is_number "$3" && near "$3" "$right"; then
        say_good "$4: $right, as you predicted${other:+; by nvcc $code_by your kernel has $2}"
    elif is_number "$3" && near "$3" "$right" 0.005 "$slack"; then
        say_good "$4: $right, and $3, as you predicted, is near enough"
    elif [[ $other ]]; then
        say_bad "$4: your prediction, $3, is not right. (By nvcc $code_by your kernel has $2; wanted is nvcc 13.0's count.)"
    else
        say_bad "$4: your kernel is right, $2; your prediction, $3, is not. Which part of the sum was different?"
    fi
}

# loop_figures CUBIN: what `sass lint` says of the inner loop with the most FFMA or DFMA for its length, as counter,value
loop_figures() {
    build/sass lint "$1" 2>&1 | awk '
        / loop 0x/ {
            line = $0; gsub(/,/, "", line); n = split(line, w, " "); of["instructions"] = of["arithmetic"] = of["conflicts"] = 0
            for (i = 2; i <= n; i++) {
                if (w[i] == "instructions") of["instructions"] = w[i - 1]
                if (w[i] == "FFMA" || w[i] == "DFMA") of["arithmetic"] += w[i - 1]
                if (w[i] == "bank-conflict") of["conflicts"] = w[i - 1]
            }
            share = of["instructions"] ? of["arithmetic"] / of["instructions"] : 0
            if (share > best) { best = share; for (k in of) kept[k] = of[k] }
        }
        END { for (k in kept) print k "," kept[k] }'
}

# count_all EXERCISE PREDICTIONS WORK: `run`, `simrun` and `lint` rows, each with the `count` rows under it
count_all() {
    local kind a b c d counters=$3/counters.csv
    while IFS='|' read -r kind a b c d; do
        case $kind in
            lint) loop_figures "$3/mine.cubin" >"$counters" ;;
            run | simrun)
                rm -f "$counters"
                # shellcheck disable=SC2086
                if [[ $kind == run ]]; then
                    patiently "build/exercises/$1/run" --backend sim --check off $a --counters "$counters" >"$3/said" 2>&1 || true
                else
                    patiently build/simrun "$3/mine.cubin" $a --counters - >"$counters" 2>"$3/said" || true
                    sed -i 's/^\([a-z][a-z_0-9.]*\)[ ,=]\{1,\}\([0-9.e+]*\)$/\1,\2/' "$counters"
                fi
                if [[ ! -s $counters ]]; then say_bad "the run ended without counts: $(head -n 1 "$3/said")"; return; fi ;;
            predict) # what lesson 14's --predict prints: the last row's columns, named as the first row names them
                # shellcheck disable=SC2086
                "build/exercises/$1/run" --predict $a 2>"$3/said" | awk '
                    { row = $0 }
                    END { split("variant gpus m n k received_gb travel_ms compute_ms tflops times_one ms", name, " ")
                          n = split(row, field, " "); for (i = 6; i <= n; i++) print name[i] "," field[i] }' >"$counters"
                if [[ ! -s $counters ]]; then say_bad "nothing is predicted: $(head -n 1 "$3/said")"; return; fi ;;
            count) compare "$b" "$(value "$c" "$counters")" "$(predicted "$a" "$2")" "$d" ;;
            say) # a word or a number, not a counter
                d=$(predicted "$a" "$2")
                if [[ ${d,,} == "${b,,}" ]] || { is_number "$d" && is_number "$b" && near "$d" "$b"; }; then say_good "$c: $b"; else say_bad "$c: '$d' is not it"; fi ;;
        esac
    done < <(wishes "$1")
}

# model_ms WORK PROGRAM OPTION...: milliseconds at N = 1024 by the model of an SM; nothing where it has none
model_ms() {
    local file=$1/model.csv
    rm -f "$file"
    "${@:2}" --backend sim --time --check off --size 1024 --csv "$file" >"$1/said" 2>&1 || true
    [[ ! -s $file ]] || awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ms_median") at = i } END { if (NR > 1) print $at }' "$file"
}

# compare_speed EXERCISE PREDICTIONS WORK: every `faster` row, by the model
compare_speed() {
    local name least other words mine theirs gain
    while IFS='|' read -r _ name least other words; do
        mine=$(model_ms "$3" "build/exercises/$1/run")
        # shellcheck disable=SC2086
        theirs=$(model_ms "$3" $other)
        if [[ ! $mine || ! $theirs ]]; then say_bad "the model gives no time: $(tail -n 1 "$3/said")"; return; fi
        gain=$(awk -v a="$theirs" -v b="$mine" 'BEGIN { printf "%.2f", a / b }')
        if awk -v a="$gain" -v b="$least" 'BEGIN { exit !(a + 0 < b) }'; then
            say_bad "$gain $words; wanted are $least (you predicted $(predicted "$name" "$2"))"
        else
            say_good "$gain $words; you predicted $(predicted "$name" "$2")"
        fi
    done < <(wishes "$1" | grep '^faster|')
}

# --- one exercise -------------------------------------------------------------------------------------------------------------
# judge EXERCISE FOLDER: everything about the solution that lies in FOLDER; true when all is right
judge() {
    local name=$1 folder=$2 work=build/exercises/$1 source empty
    source=$(source_of "$name")
    empty=$(missing_predictions "$name" "$folder/prediction" | xargs)
    if [[ $empty ]]; then
        echo "Predict first: ${empty// /, }. A wrong prediction costs nothing, and teaches most."
        echo 'Enter your numbers (or words) in this way:'
        echo "    make exercise EX=${name%%_*} PREDICT='$(sed 's/ /=..., /g; s/$/=.../' <<<"$empty")'"
        return 1
    fi
    mkdir -p "$work"
    build "$name" "$folder/$source" >"$work/said" 2>&1 ||
        { say_bad "it does not compile:"; head -n 8 "$work/said" | sed 's/^/           /'; return 1; }
    if wishes "$name" | grep '^same|' >/dev/null; then
        build_key "$name" "$work"
    fi
    failed=
    check_results "$name" "$work"
    [[ $failed ]] || check_outputs "$name" "$work"
    [[ $failed ]] || check_code "$name" "$work"
    [[ $failed ]] || check_macros "$name" "$folder/$source"
    [[ $failed ]] || count_all "$name" "$folder/prediction" "$work"
    [[ $failed ]] || compare_speed "$name" "$folder/prediction" "$work"
    [[ ! $failed ]]
}

# give EXERCISE FOLDER: what the reader starts from
give() {
    mkdir -p "$2"
    # A `mark` row marks the line to change where the base is another lesson's file.
    wishes "$1" | awk -F'|' '
        FNR == NR && FILENAME == "-" { if ($1 == "mark") { at[++n] = $2; words[n] = $3 }; next }
        { for (i = 1; i <= n; i++) if (at[i] != "" && index($0, at[i])) { match($0, /^ */); print substr($0, 1, RLENGTH) "// ---- your line" words[i] " ----"; at[i] = "" }; print }
    ' - "$(base_of "$1")" >"$2/$(source_of "$1")"
    cp "exercises/$1/prediction" "$2"
}
# changes_of FILE NAME: what a patch changes in the file NAME
changes_of() { awk -v file="$2" '/^--- / { on = $2 == file } on' "$1"; }
# solution EXERCISE WHICH FOLDER: the exercise as it is `given`, with the `key`, or with one of the solutions in `wrong` and `other`, whose
# prediction is the key's if it has no other
solution() {
    local own=exercises/$1 change
    rm -rf "$3"
    give "$1" "$3"
    case $2 in
        given) ;;
        key) patch -s -d "$3" <"$own/key.patch" ;;
        *)
            change=$(cat "$own"/{wrong,other} 2>/dev/null | awk -v name="$2" '/^=== / { on = $0 ~ "^=== " name "[:,]" } on') || true
            [[ $change ]] || die "no solution '$2' of $1 in $own/wrong or $own/other"
            {
                echo "$change"
                if [[ ${change%%$'\n'*} == *", the key's kernel:"* ]]; then changes_of "$own/key.patch" "$(source_of "$1")"; fi
                grep -q '^--- prediction' <<<"$change" || changes_of "$own/key.patch" prediction
            } | patch -s -d "$3" ;;
    esac
}
key() { solution "$1" key "$2"; }

# The step.c by which the harness launches the kernel (common/harness/step.h and more.h), of the row `launch`.
step() {
    wishes "$1" | awk -F'|' -v name="$1" -v title="$(title "$1")" '$1 == "launch" {
        gsub(/"/, "", title)
        print "#include \"more.h\"\n\nstatic const struct step exercise = {\n    .name = \"" name "\",\n    .kernel = \"" $2 "\","
        print "    .title = \"Exercise " substr(name, 1, index(name, "_") - 1) "\",\n    .idea = \"" title "\","
        print "    .variants = (const struct variant[]){{.name = \"mine\", .idea = \"yours\", " $3 "}, {0}},\n};\n\nREGISTER_STEP(exercise);"
    }'
}
build_key() { # EXERCISE WORK: once, unless something of it has changed
    local file
    for file in "exercises/$1"/{wishes,key.patch} "$(base_of "$1")" build/sass; do
        [[ $2/key.cubin -nt $file ]] || { key "$1" "$2/key" && build_kernel "$1" "$2/key/$(source_of "$1")" "$2/key.cubin"; return; }
    done
}

begin() {
    give "$1" "$MY/$1"
    narrow <"exercises/$1/task.md"
    echo
    narrow <<<"Your copy is in $MY/$1: edit $(source_of "$1"), then run this again; it asks for your prediction."
}
# What the model of an SM predicts, for a kernel that the harness launches: the solution, and what it began with.
foretell() {
    local at=build/exercises/$1 mine given
    [[ -x $at/run && $(source_of "$1") != *.c ]] || return 0
    mine=$(model_ms "$at" "$at/run")
    give "$1" "$at/given"
    if build_kernel "$1" "$at/given/$(source_of "$1")" "$at/cubin/sm_90/$1/mine.cubin" >"$at/said" 2>&1; then
        given=$(model_ms "$at" "$at/run")
    fi
    cp "$at/mine.cubin" "$at/cubin/sm_90/$1/mine.cubin"
    [[ ! $mine ]] || echo "The model predicts $(printf '%.3f' "$mine") ms at N = 1024 on an H200${given:+, and $(printf '%.3f' "$given") for what you began with} (sasskit/docs/timing.md)."
}
times() { # on a machine with a GPU
    local arch
    arch=$(! command -v nvidia-smi >/dev/null || nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/^\([0-9]*\)\.\([0-9]\)$/\1\2/p') || true
    [[ $arch && -x build/exercises/$1/run ]] || return 0
    wishes "$1" | grep '^run|' >/dev/null || return 0
    build_kernel "$1" "$MY/$1/$(source_of "$1")" "build/exercises/$1/cubin/sm_$arch/$1/mine.cubin" "sm_$arch" &&
        "build/exercises/$1/run" --backend gpu --size 4096 || true
}
answer() { sed 's/<!--[^>]*-->//g' "exercises/$1/answer.md" | narrow; } # without the markers of tools/docs.py
is_untouched() {
    give "$1" "build/exercises/$1/given" && cmp -s "$MY/$1/$(source_of "$1")" "build/exercises/$1/given/$(source_of "$1")" &&
        cmp -s "$MY/$1/prediction" "build/exercises/$1/given/prediction"
}
check_mine() {
    [[ -d $MY/$1 ]] || { begin "$1"; return; }
    echo "$1: $(title "$1")"
    if is_untouched "$1"; then
        echo "Nothing is changed in $MY/$1 yet: edit $(source_of "$1"), then run this again."
        [[ ${PREDICT:-} || -t 0 ]] || return 0
    fi
    take_predictions "$1" "$MY/$1/prediction"
    ! is_untouched "$1" || return 0
    judge "$1" "$MY/$1" | narrow || {
        echo "Not solved yet. make exercise EX=${1%%_*} SHOW=hint helps."
        [[ ! $(names_to_predict "$1") ]] || echo "Change a prediction in $MY/$1/prediction."
        return 1
    }
    : >"$MY/$1/solved"
    foretell "$1"
    times "$1"
    echo
    answer "$1"
    echo
    echo "Your solution beside the reference one: make exercise EX=${1%%_*} SHOW=solution"
    offer_next "$1"
}
# beside EXERCISE: what the reader wrote (-) beside the reference solution (+)
beside() {
    local at=build/exercises/$1/reference file
    file=$(source_of "$1")
    [[ -e $MY/$1/solved ]] || {
        echo "The reference solution is shown when $1 is solved."
        echo "make exercise EX=${1%%_*} SHOW=answer shows the answer before."
        return
    }
    key "$1" "$at"
    if diff -u --label "yours: $MY/$1/$file" --label 'the reference solution' "$MY/$1/$file" "$at/$file"; then
        echo "$file: yours is the reference solution, word for word."
    fi
    offer_next "$1"
}
# offer_next EXERCISE: the next one that is not solved and can be done here
offer_next() {
    local folder name behind='' nvcc
    nvcc=$(tools/nvcc.sh 2>/dev/null) || nvcc=
    for folder in exercises/*/; do
        name=$(basename "$folder")
        if [[ $name == "$1" ]]; then behind=yes; continue; fi
        [[ $behind && ! -e $MY/$name/solved ]] || continue
        [[ $nvcc || $(needs_of "$name") != nvcc ]] || continue
        echo "Next: make exercise EX=${name%%_*} ($(title "$name"), $(minutes "$name") minutes)"
        return
    done
}
hint() {
    local seen=$MY/$1/hints count total
    [[ -d $MY/$1 ]] || begin "$1" >/dev/null
    total=$(grep -c '^---$' "exercises/$1/hints.md" || true)
    count=$(cat "$seen" 2>/dev/null || echo 0)
    awk -v wanted="$count" '/^---$/ { n++; next } n == wanted' "exercises/$1/hints.md" | narrow
    if [[ $count -lt $total ]]; then echo $((count + 1)) >"$seen"; else echo "(That was the last hint; SHOW=answer has the rest.)"; fi
}
minutes() { sed -n 's/.*About \([0-9]*\) minutes, .*/\1/p' "exercises/$1/task.md"; }
level() { sed -n 's/.*About [0-9]* minutes, \([a-z]*\)\..*/\1/p' "exercises/$1/task.md"; }
needs_of() { [[ $(source_of "$1") != kernel.cu ]] || echo nvcc; } # beside a C compiler
state_of_all() {
    local folder name state count=0 solved=0 compiled=0 here='is here'
    tools/nvcc.sh >/dev/null 2>&1 || here='is not here: tools/setup.sh run fetches it'
    printf '%-24s %3s %-7s %-6s %-7s %s\n' exercise min level needs status task
    for folder in exercises/*/; do
        name=$(basename "$folder")
        count=$((count + 1))
        if [[ -e $MY/$name/solved ]]; then state=solved solved=$((solved + 1)); elif [[ -d $MY/$name ]]; then state=begun; else state=-; fi
        [[ $(needs_of "$name") != nvcc ]] || compiled=$((compiled + 1))
        printf '%-24s %3s %-7s %-6s %-7s %s\n' "$name" "$(minutes "$name")" "$(level "$name")" "$(needs_of "$name")" "$state" "$(title "$name")"
    done
    echo "$count exercises, $solved solved. $compiled need nvcc, which $here."
}
# The rows of the table in exercises/README.md.
rows_of_all() {
    local folder name
    for folder in exercises/*/; do
        name=$(basename "$folder")
        printf '| [%s](%s/task.md) | %s | %s | %s | %s |\n' "${name%%_*}" "$name" "$(title "$name")" "$(minutes "$name")" "$(level "$name")" "$(needs_of "$name")"
    done
}

[[ $# -le 2 || ($# == 4 && $2 == solution) ]] || die "expected at most an exercise and one of hint, answer, solution, again"
[[ ${1:-} != -h && ${1:-} != --help ]] || { usage; exit 0; }
[[ $# != 0 ]] || { state_of_all; exit 0; }
[[ $1 != --table ]] || { rows_of_all; exit 0; }
name=$(find_exercise "$1")
case ${2:-} in
    '') check_mine "$name" ;;
    hint) hint "$name" ;;
    answer) answer "$name"; echo; cat "exercises/$name/key.patch" ;;
    again) [[ ! -d $MY/$name ]] || mv -T --backup=numbered "$MY/$name" "$MY/$name.old"; begin "$name" ;;
    step) step "$name" ;;                   # of the Makefile
    judge) failed=; judge "$name" "$MY" ;;  # of the tests: MY is the folder of one solution
    solution) if [[ $# == 4 ]]; then solution "$name" "$3" "$4"; else beside "$name"; fi ;; # with words: of the tests, puts one there
    *) die "'$2': expected hint, answer, solution or again" ;;
esac
