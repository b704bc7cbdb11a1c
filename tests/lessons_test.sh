#!/usr/bin/env bash
# The commands that the lessons tell a reader to run, word for word, as far as they need no GPU. Each must end well and say something or
# write a file; a number behind `#` at the end of a command is what it prints. What needs a GPU is below a line `# on a GPU:`. Of the
# commands that run kernels, and of the pages that show outputs, some a day; all in make test-all.
source "$(dirname "$0")/tap.sh"
unset OMP_NUM_THREADS # a reader's commands, with all cores: what would take more than two minutes is refused
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
counted=
! of_13_0 'what the commands print' || counted=yes

# Commands write their files here, into a copy of the project made of links.
tree=$work/tree
mkdir "$tree"
ln -s "$PWD"/* "$tree"

# One command a line from the fenced blocks without a language, but for those on a GPU: continued lines joined, the lines of a loop
# divided by \001.
commands() {
    awk '/^ *```/ { fenced = !fenced; plain = fenced && $0 ~ /^ *```$/; gpu = 0; next }
         /^ *# on a GPU:/ { gpu = 1 }
         /^ *# anywhere:/ { gpu = 0 }
         !plain || gpu || /^ *#/ { next }
         { line = line $0; if (sub(/\\$/, "", line)) next }
         line ~ /^for / || loop { whole = whole (loop ? "\001" : "") line; loop = line !~ /^done/; line = ""
             if (!loop) { print whole; whole = "" }
             next }
         { print line; line = "" }' "$1"
}
# In lessons and on the first page every command is run; what sets up, builds and tests the project has tests of its own.
command_words='^(build/|make|ncu |nsys |mpirun |tools/|plots/|grep |head |diff |for [a-z] in |\./)'
elsewhere='^(\./run_all.sh( --quick)?|make|make test(-all)?|make exercise EX=[0-9a-z]*)( +#.*)?$'
# On the other pages, those that read machine code of the project or name the simulator.
wanted() {
    [[ $1 == *build/sass*build/cubin/* || $1 == *'--backend sim'* ]] &&
        [[ $1 != *' -o '* && $1 != *' > '* && $1 != *'--counters '[!-]* && $1 != *'...'* && $1 != *'| less'* && $1 != *tools/* ]]
}

all_commands() { # PAGE<tab>COMMAND
    for page in steps/*/*.md library/*/*.md docs/setup.md docs/profiling.md docs/sass.md docs/reuse.md README.md; do
        commands "$page" | sed "s|^|$page\t|"
    done
}
{
    all_commands | grep -v $'\tbuild/.*--backend sim'
    all_commands | grep $'\tbuild/.*--backend sim' | draw 3 commands
} >"$work/commands"
for page in $(cut -f 1 "$work/commands" | sort -u); do
    while IFS=$'\t' read -r _ command; do
        command=${command//$'\001'/$'\n'}
        if [[ $page == docs/* ]]; then
            wanted "$command" || continue
        elif [[ ! $command =~ $command_words || $command =~ $elsewhere ]]; then
            continue
        fi
        status=0
        (cd "$tree" && timeout 600 bash -o pipefail -c "$command") >"$work/said" 2>"$work/error" || status=$?
        number=$(sed -n 's/.*# *\([0-9][0-9,]*\)\([^0-9.].*\)\{0,1\}$/\1/p' <<<"$command" | tr -d ,)
        # 141: head closed the pipe; diff says 1 where it shows something
        if [[ $status != 0 && $status != 141 && ! ( $status == 1 && $command == diff* ) ]]; then
            fail "$page: ${command//$'\n'/ }" "exit status $status" "$(tail -n 3 "$work/error")"
        elif [[ ! -s $work/said && $command != *' -o '* ]]; then
            fail "$page: ${command//$'\n'/ }" 'it printed nothing'
        elif [[ $number && $counted ]] && ! grep -qxF "$number" "$work/said"; then
            fail "$page: ${command//$'\n'/ }" "expected $number" "$(head -n 3 "$work/said")"
        else
            pass "$page: ${command//$'\n'/ }"
        fi
    done < <(awk -F'\t' -v page="$page" '$1 == page' "$work/commands")
done

# Commands that stand in a page together with what they print.
shown() { awk '/^```/ { inside = !inside && $0 == "```console" } inside && /^\$ / { print substr($0, 3) }' "$@"; }
for page in $(for page in README.md steps/*/*.md library/*/*.md docs/*.md; do [[ ! $counted || ! $(shown "$page") ]] || echo "$page"; done | draw 6 outputs); do
    if grep -qE '^\$ tools/(query|order)\.sh' "$page" && ! needs "$page: its outputs" sqlite3; then continue; fi
    if said=$(tools/console.sh --check "$page" 2>&1); then pass "$page: its outputs"; else fail "$page: its outputs" "$said"; fi
done
sed 's/16\.50/16.60/' steps/01_naive/evidence.md >"$work/page.md"
if tools/console.sh --check "$work/page.md" >/dev/null 2>&1; then fail 'another output is found'; else pass 'another output is found'; fi

# docs/without_gpu.md has a row for each such lesson, and its commands are those that the lessons show.
for lesson in steps/*/ library/shapes/; do
    [[ $(shown "$lesson"*.md) ]] || continue
    row=$(grep -F "](../$lesson" docs/without_gpu.md) || { fail "docs/without_gpu.md: $lesson" 'no row'; continue; }
    while IFS= read -r command; do
        if shown "$lesson"*.md | grep -qxF -- "$command"; then
            pass "docs/without_gpu.md: $command"
        else
            fail "docs/without_gpu.md: $command" "no page of $lesson shows it with its output"
        fi
    done < <(sed -n 's/.*| `\(.*\)` |$/\1/p' <<<"$row" | sed 's/\\|/|/g')
done

# The running text of a lesson: words outside code, tables, markers and tags.
prose() { awk '/^ *```/ { fenced = !fenced; next } fenced || /^ *\|/ { next } { gsub(/<!--[^>]*-->|<[^>]*>/, ""); words += NF } END { print words + 0 }' "$@"; }
# A lesson's README is its main line, and evidence.md beside it the rest. A main line has few words and few measured figures in its
# sentences (docs/figures.txt), folds nothing away, and asks for a prediction before it says what was measured.
measured_in() { # PAGE: the measured figures in its sentences
    awk -F'\t' -v page="[$1]" '/^\[/ { inside = $0 == page } inside && !/^\|/ { count += gsub(/\{\}/, "", $1) } END { print count + 0 }' docs/figures.txt
}
main_line() { # PAGE: what a main line must not be
    local words figures
    words=$(prose "$1") figures=$(measured_in "$1")
    ((words <= 600)) || echo "$words words, expected 600 at most"
    ((figures <= 5)) || echo "$figures measured figures in sentences, expected 5 at most"
    awk '/^## Predict/ { asked = 1 } /^## What was measured/ && !asked { print "no section Predict before What was measured" }
         /^<details>/ { print "line " FNR " folds something away" }
         /^\*\*Below: evidence\. Skip it and go on\.\*\* \[evidence\.md\]\(evidence\.md\)/ { below = 1 }
         END { if (!asked) print "no section Predict"; if (!below) print "no way to evidence.md" }' "$1"
}
for lesson in steps/0[1-9]*/ steps/1*/; do
    found=$(main_line "${lesson}README.md")
    if [[ ! $found ]]; then pass "$lesson: its main line"; else fail "$lesson: its main line" "$found"; fi
done
printf '%s\n' '## What was measured' '<details>' '## Predict' >"$work/page.md"
if [[ $(main_line "$work/page.md" | wc -l) == 3 ]]; then pass 'what a main line must not be is found'; else fail 'what a main line must not be is found' "$(main_line "$work/page.md")"; fi
shopt -s extglob
while read -r most pages; do # shellcheck disable=SC2086
    words=$(prose $pages)
    if ((words <= most)); then pass "$pages: $words words"; else fail "$pages: their length" "$words words of running text; expected $most at most"; fi
done <<'END'
9500 steps/*/README.md
14100 steps/*/!(README).md
15000 docs/!(story).md
4000 docs/story.md
8500 docs/notes/*.md
END
# It reads well as it is: no long lines but in tables, code and pictures' descriptions, few markers in sentences.
long_lines() {
    awk 'FNR == 1 { fenced = 0 } /^ *(> )?```/ { fenced = !fenced } fenced || /^ *\|/ || /^ *!\[/ || /^<!-- table/ { next }
         { gsub(/<!-- value: [^>]* -->|<!-- end -->/, "") }
         length($0) > 160 { print FILENAME ":" FNR ": " length($0) " characters" }' "$@"
}
mapfile -t texts < <(find README.md docs steps library/*/ exercises common sasskit web -name '*.md')
found=$(LC_ALL=C.UTF-8 long_lines "${texts[@]}")
if [[ ! $found ]]; then pass 'no line is longer than 160 characters'; else fail 'no line is longer than 160 characters' "$found"; fi
count=$(grep -oh '<!-- value:' "${texts[@]}" | wc -l)
if ((count <= 100)); then pass "$count markers in sentences"; else fail 'markers in sentences' "$count; expected 100 at most (docs/figures.txt)"; fi

# An error above its bound that passes says why: what the kernel loses on purpose.
found=$(for page in steps/*/*.md; do
    awk '/^```/ { inside = $0 == "```console" } inside && $NF == "pass" && $(NF - 1) ~ /^[0-9.]+$/ && $(NF - 1) > 1 { above = $0 } /`loses`/ { told = 1 }
        END { if (above && !told) print FILENAME ": " above }' "$page"
done)
if [[ ! $found ]]; then pass 'an error above the bound that passes is explained'; else fail 'an error above the bound that passes is explained' "$found"; fi

# Lesson 13 counts one FADD for 96 multiply-adds of an element: what `promoted` has beyond `tf32x3`, an HMMA being 1024 multiply-adds of 32 lanes.
listing() { build/sass dis "build/cubin/sm_90/13_tensor_cores/$1.cubin" | grep -c " $2"; }
if [[ -e build/cubin/sm_90/13_tensor_cores/promoted.cubin ]]; then
    more=$(($(listing promoted 'FADD ') - $(listing tf32x3 'FADD ')))
    if ((more * 96 == $(listing promoted HMMA) * 32)) && grep -q 'one FADD for 96' steps/13_tensor_cores/README.md; then
        pass 'steps/13_tensor_cores: a FADD for 96 multiply-adds'
    else
        fail 'steps/13_tensor_cores: a FADD for 96 multiply-adds' "$more FADDs, $(listing promoted HMMA) HMMA"
    fi
else
    skip 'steps/13_tensor_cores: its FADDs' 'built for another ARCH'
fi

# A step that a page credits with an XOR of addresses has one in its machine code.
wrong=$(awk -v RS= '/XOR of (the|an|its) address/ { while (match($0, /\]\(\.\.\/[0-9][0-9]_[a-z0-9_]*/)) { print FILENAME, substr($0, RSTART + 5, RLENGTH - 5); $0 = substr($0, RSTART + RLENGTH) } }' \
    steps/*/*.md | while read -r page step; do grep -qs 'LOP3.*0x3c' "steps/$step/"*.sass || echo "$page: $step"; done)
if [[ ! $wrong ]]; then pass 'steps with an XOR of addresses'; else fail 'steps with an XOR of addresses' "$wrong has no LOP3 of 0x3c"; fi

# Where a page names a shape of applications.csv at which our best is behind cuBLAS, it says what cuBLAS takes.
while read -r m rest; do
    name=$(sed -E ':a; s/([0-9])([0-9]{3})($|,)/\1,\2\3/; ta' <<<"$m")
    for page in $(grep -lE "(^|[^0-9])($name|$m) rows" steps/13*/*.md steps/10*/*.md); do
        if grep -q "cuBLAS takes $rest" "$page"; then pass "$page: cuBLAS at $name rows"; else fail "$page: cuBLAS at $name rows" "it takes $rest ms, less than ours"; fi
    done
done < <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { shape = $at["m"] " " $at["n"] " " $at["k"]; ms = $at["ms_median"] }
    $at["step"] == "cublas" { theirs[shape] = ms; next }
    !(shape in ours) || ms < ours[shape] { ours[shape] = ms }
    END { for (shape in theirs) if (shape in ours && ours[shape] > theirs[shape]) { split(shape, part, " "); printf "%s %.3f\n", part[1], theirs[shape] } }' \
    docs/results/h200/applications.csv | sort -u -k1,1)

# The kernel that cp_async.md shows: C = A B of whole tiles, without a race; and with one that was put in, the test finds it.
ring() { # SOURCE: its sum of products of ones, and what the simulator reports
    "$NVCC" -O3 -std=c++17 -arch=sm_90 -cubin -lineinfo -o "$work/ring.cubin" "$1" &&
        build/simrun "$work/ring.cubin" --grid 2,2 --block 256 --arg i32:64 --arg "f32[16384]:file:$work/ones" --arg i32:64 \
            --arg "f32[16384]:file:$work/ones" --arg i32:256 --arg "f32[65536]:zero=out:$work/c" --arg i32:256 &&
        od -A n -t f4 -v "$work/c" | tr -s ' ' '\n' | sort -u | grep .
}
if NVCC=$(tools/nvcc.sh 2>/dev/null); then
    awk 'BEGIN { for (i = 0; i < 16384; i++) printf "%c%c%c%c", 0, 0, 128, 63 }' >"$work/ones" # 1.0f, 16,384 times
    if said=$(ring steps/08_double_buffer/ring.cu 2>&1) && [[ $said == 64 ]]; then pass 'ring.cu'; else fail 'ring.cu' "$said"; fi
    sed 's/^\( *\)__syncthreads();/\1;/' steps/08_double_buffer/ring.cu >"$work/ring.cu"
    if said=$(ring "$work/ring.cu" 2>&1); then fail 'ring.cu without its barrier' "$said"; else pass 'ring.cu without its barrier'; fi
else
    skip 'ring.cu' 'no nvcc'
fi

# From one kernel to the next: small enough to read (lines removed and added).
while read -r from to most; do
    lines=$(diff "steps/$from" "steps/$to" | grep -c '^[<>]')
    if ((lines <= most)); then pass "diff $from $to: $lines lines"; else fail "diff $from $to" "$lines lines, expected $most at most"; fi
done <<'END'
01_naive/kernel.cu 02_shared_tiling/kernel.cu 70
03_outer_product/kernel.cu 04_warp_tiling/kernel.cu 70
04_warp_tiling/kernel.cu 05_float4/kernel.cu 120
05_float4/kernel.cu 06_conflict_free_transpose/kernel.cu 40
06_conflict_free_transpose/kernel.cu 07_z_order/kernel.cu 45
07_z_order/kernel.cu 08_double_buffer/kernel.cu 70
08_double_buffer/cp_async.cu 09_reuse_sass/kernel.cu 25
END
