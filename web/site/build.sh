#!/usr/bin/env bash
# Builds the site: makes HTML of the Markdown of every lesson, page and exercise. The site needs no
# server.
#
#     web/site/build.sh [OUT]      `make site`; replaces OUT, by default build/site
#
#     OWN=DIRECTORY                a run's results (results.csv, counters.csv, charts) for the page
#                                  of measurements
#     TREE=ADDRESS                 the project's other files; default: the project's folder
#     SITE=ADDRESS                 the future address of the pages, for previews of shared links
#
# Requires pandoc, python3 and esbuild (tools/setup.sh site). If gnuplot is there, it also draws the
# preview of shared links. Exit status: 0 written, 1 something failed or is missing.
set -euo pipefail
export LC_ALL=C.UTF-8
die() {
    echo "web/site/build.sh: $1" >&2
    exit 1
}
own=${OWN:+$(realpath -- "$OWN")}
out=$(realpath -m -- "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/site}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for tool in pandoc python3 esbuild; do
    command -v $tool >/dev/null || die "no $tool; run tools/setup.sh site"
done
if [[ -e $out && ! -e $out/.made-by-web-site-build ]]; then
    die "'$out' is there, and this script did not make it; name another folder"
fi
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=${TREE:-$(realpath -m --relative-to="$out" .)/}
export WORK TREE
site=$WORK/site
mkdir -p "$site"

# --- the pages: pages.tsv has the source and the name of each page, titles.tsv source and title
# name_of SOURCE: prints the name of a page's file on the site, without .html.
name_of() {
    local name=${1%.md}
    case $1 in
        README.md) echo index; return ;;
        docs/glossary.md) echo vocabulary; return ;; # a part of the page of words
        exercises/README.md) echo exercises; return ;;
        exercises/*) name=${1#exercises/} name=exercise-${name%%_*} ;;
        docs/results/*) name=results-${name#docs/results/} ;;
        docs/notes/* | sasskit/docs/notes/*) name=notes-${name##*/} ;;
        sasskit/docs/*) name=${name#sasskit/docs/} ;;
        docs/*) name=${name#docs/} ;;
        steps/*) name=${name#steps/} ;;
        web/site/*) name=${name#web/site/} ;;
    esac
    name=${name%/README}
    echo "${name//\//-}"
}
title_of() { # of a page's source
    local title
    title=$(sed -n -E '/^# /{s/^# ((Step|Side lesson) [0-9]*: )?//p;q;}' "$1")
    if [[ ! $title ]]; then title=$(sed -n 's/^title: //p' "$1"); fi
    if [[ $1 == exercises/*/* ]]; then title="${1:10:3}: $title"; title=${title/_/}; fi
    echo "$title"
}
shopt -s nullglob
lessons=(steps/*/README.md)
texts=(library/*.md library/*/*.md sasskit/README.md sasskit/docs/*.md docs/*.md)
notes=(docs/notes/*.md sasskit/docs/notes/*.md)
results=(docs/results/*/README.md)
sources=(README.md "${lessons[@]}" "${texts[@]}" "${notes[@]}" "${results[@]}" exercises/README.md
    web/site/measurements.md)
for page in steps/*/*.md; do [[ $page == */README.md ]] || sources+=("$page"); done
exercises=(exercises/*/task.md)
for page in "${sources[@]}" "${exercises[@]}"; do
    printf '%s\t%s\n' "$page" "$(name_of "$page")" >&3
    printf '%s\t%s\n' "$page" "$(title_of "$page")"
done 3>"$WORK/pages.tsv" >"$WORK/titles.tsv"

# --- facts from the results
# ask FOLDER QUESTION: the rows, one per line with tabs between the fields.
ask() { tools/query.py --tabs "$2" "$WORK/$1.db"; }
tools/load.py docs/results/h200 "$WORK/h200.db"
ask h200 '.read web/site/figures.sql' >"$WORK/figures.tsv"
ask h200 "select substr(step, 1, 2), variant from last_variant
    where source = 'times' and step glob '[0-9]*'" >"$WORK/variants.tsv"
# terms.tsv: the vocabulary (docs/vocabulary.md), one term and its first sentence per line, without
# single letters and two words of everyday language. words.tsv: each term and the id of its entry.
awk -F ' *[|] *' -v words="$WORK/words.tsv" 'NF > 3 && $2 !~ /^(-+|name)$/ {
    id = $2; gsub(/`|\[|\]\([^)]*\)/, "", id); gsub(/[^A-Za-z0-9]+/, "-", id)
    gsub(/ \(\[[^]]*\]\([^)]*\)\)/, "", $3) # a link alone in parentheses
    gsub(/`|\[|\]\([^)]*\)/, "", $3); sub(/\. .*/, "", $3); count = split($2, term, ", ")
    for (i = 1; i <= count; i++)
        if (length(term[i]) > 1 && term[i] !~ /^(line|tag)$/) {
            print term[i] "\t" $3
            print term[i] "\tword-" tolower(id) >words
        }
}' docs/vocabulary.md | sed -E 's/\*(\w+)\*/\1/g; s/10\^12/10¹²/g' >"$WORK/terms.tsv"

# HERO: the opening of the first page, with figures from the results.
at_this_n="square and mode = 'burst' and n = 4096 and ifnull(gpus, 1) = 1"
ask h200 "select step, round(tflops, 1), max(time) from timed
    where $at_this_n and last group by step" >"$WORK/speeds.tsv"
at_4096() {
    awk -F'\t' -v step="${1%\*}" 'index($1, step) == 1 { print $2; exit }' "$WORK/speeds.tsv"
}
ratio_of_last() {
    ask h200 "select printf('%.2f', max(vs_cublas)) from timed
        where $at_this_n and step glob '09*' and last"
}
icon_of() { # NUMBER: prints the drawing of a step
    printf '<svg viewBox="0 0 104 60" class="icon" aria-hidden="true">%s</svg>' "$(sed -nE \
        "s/^$1 (\w+)\.?(\w*) (\S+) (\S+) (.*)/<path class=\"\1 \2\" \
stroke-width=\"\3\" stroke-dasharray=\"\4\" d=\"\5\"\/>/p" web/site/icons.txt)"
}
# The ladder's nine columns: speed, the part of it that the step before had, speed-up.
rungs= gains=()
while IFS=$'\t' read -r number speed before gain; do
    lesson=$(echo steps/"$number"_*/README.md)
    name=$(name_of "$lesson").html
    rungs+="<li><a class=\"rung\" href=\"$name\" data-lesson=\"$name\""
    rungs+=" style=\"--v:$speed;--from:$before%\"><span class=\"name\"><b>${number#0}</b>"
    rungs+=" $(title_of "$lesson")</span> <span class=\"topic\">$(sed -n -E \
        "s/^\| \[$number.*\) \| .* \| (.*) \| .* \| .* \| .*/\1/p" README.md)</span>"
    rungs+=$(icon_of "${number#0}")
    rungs+=" <span class=\"bar\"><i></i><b>$speed</b><small> TFLOP/s</small></span>"
    rungs+=" <span class=\"gain\">${gain:+× $gain}</span></a></li>"
    gains[$((10#$number))]=${gain:+× $gain}
done < <(ask h200 "select substr(step, 1, 2), printf('%.1f', tflops),
    ifnull(cast(100 / gain as integer), 0), iif(gain, printf('%.2f', gain), '')
    from ladder where n = 4096 and step <> 'cublas' order by step")
HERO=$(<web/site/hero.html)
speeds="$(at_4096 '01*' | sed 's/\..*//') to $(at_4096 '09*' | awk '{ printf "%.0f", $1 }')"
title="From <span class=\"whole\">$speeds TFLOP/s</span>: nine ideas that make a GPU multiply"
HERO=${HERO/HERO_TITLE/"$title"}
HERO=${HERO/HERO_RATIO/"$(ratio_of_last)"}
HERO=${HERO/HERO_RUNGS/"$rungs"}
HERO=${HERO//HERO_PEAK/"$(ask h200 "select round(tflops, 1) from peak where not fp64")"}
HERO=${HERO//HERO_CUBLAS/"$(at_4096 cublas)"}
HERO=${HERO/HERO_TASKS/"${#exercises[@]}"}
export HERO

quoted() { sed -e 's/[\\`]/\\&/g' -e 's/\${/\\${/g'; }
# dataset NAME: prints the measurements in $WORK/NAME.db as an object for the pages' script.
dataset() {
    printf '{own: %s, commits: `%s`, origin: `%s`, peak: %s, csv: `\n' \
        "$([[ $1 == own ]] && echo true || echo false)" \
        "$(ask "$1" "select replace(group_concat(distinct \"commit\"), ',', ', ') from newest
            where square and mode = 'burst'" | quoted)" \
        "$(ask "$1" "select device || ', driver ' || driver || ', measured until ' ||
            substr(max(time), 1, 10) ||
            (select ifnull(group_concat('; step ' || substr(step, 1, 2) || ': ' || device, ''), '')
                from (select distinct step, device from newest b
                where square and mode = 'burst' and step glob '[0-9]*' and device <> newest.device))
            from newest where square and mode = 'burst'
            group by device order by count(*) desc limit 1" | quoted)" \
        "$(ask "$1" "select ifnull((select round(tflops, 1) from peak where not fp64), 0)")"
    tools/query.py --csv '.read web/site/curves.sql' "$WORK/$1.db" | quoted
    printf '`},\n'
}
{
    echo 'var DATA = ['
    dataset h200
    if [[ -s docs/results/h100/results.csv ]]; then
        tools/load.py docs/results/h100 "$WORK/h100.db"
        dataset h100
    fi
    if [[ $own ]]; then
        tools/load.py "$own" "$WORK/own.db"
        if [[ -s $own/results.csv ]]; then dataset own; fi
    fi
    echo '];'
} >"$site/measured.js"
{
    echo 'var MEANINGS = {' # as meaningOf() in web/page/text.js
    [[ ! -x build/ladder ]] || build/ladder --list | sed -nE '/^[01]/ { s/ .*//; h }
        /^shapes/,$d; /^ {4}\S/ { G; s/ {4}(\S+) +([^:;]*).*\n(.*)/"\3\/\1": "\2",/p }'
    printf '};\nvar TERMS = {\n'
    sed -e 's/[\\"]/\\&/g' -e 's/\(.*\)\t\(.*\)/"\1": "\2",/' "$WORK/terms.tsv"
    echo '};'
} >"$site/data.js"

# --- beside a lesson: its kernel, with what changed since the step before
changes() { # STEP_FOLDER FOLDER_BEFORE
    local new=$1/kernel.cu old=$2/kernel.cu name=${1#steps/} before=${2#steps/}
    local lines both whole=1 said add del
    # A lesson with a kernel in machine code shows that kernel.
    if [[ -e $1/hand.sass ]]; then new=$1/hand.sass old=; fi
    [[ -e $new ]] || return 0
    lines=$(wc -l <"$new")
    said="${new##*/} <small>$lines lines</small>"
    if [[ -e $old ]]; then
        diff -U 100000 --label old --label new "$old" "$new" >"$WORK/diff" || true
        read -r add del < <(awk 'FNR > 2 && /^\+/ { a++ } FNR > 2 && /^-/ { d++ }
            END { print a + 0, d + 0 }' "$WORK/diff")
        both=$(cat "$old" "$new" | wc -l)
        # If more than 70 % of the lines differ, the kernel is shown without a comparison.
        if ((10 * (add + del) <= 7 * both)); then
            whole=
            said="kernel.cu: ${before%%_*} → ${name%%_*}"
            said+=" <small><ins>+$add</ins> <del>−$del</del></small>"
        fi
    fi
    printf '<details class="changes" data-step="%s" data-file="%s"><summary>%s</summary>' \
        "$name" "${new##*/}" "$said"
    echo '<div class="code" role="region" aria-label="the kernel">'
    if [[ $whole ]]; then
        awk -v whole=1 -f web/site/diff.awk "$new"
    else
        awk -f web/site/diff.awk "$WORK/diff"
    fi
    echo '</div></details>'
}

# --- exercises: task, box, hints and answer on one page
# Prints the file that the reader of an exercise begins with.
start_of() { # FOLDER
    local base
    base=$(sed -n 's/^base|//p' "$1/wishes")
    echo "${base:-$(ls "$1"/kernel.*)}"
}
# Prints what a reader can do on an exercise's page. `run`: edit machine code and run it; `predict`:
# only make a prediction; `nvcc` or `cc`: make one, and write code for that compiler in a terminal.
does() { # FOLDER
    case $(start_of "$1") in
        *.sass) echo run ;;
        *) if ! grep -q '^--- kernel' "$1/key.patch"; then echo predict
            elif [[ -e $1/kernel.c ]]; then echo cc
            else echo nvcc; fi ;;
    esac
}
exercise() { # FOLDER
    local id=${1#exercises/} needs= start
    id=${id%%_*}
    case $(does "$1") in nvcc | cc) needs=" data-needs=\"$(does "$1")\"" ;; esac
    sed "1s/^# /# Exercise $id: /" "$1/task.md"
    cat <<END

<div class="exercise" data-ex="$id"$needs><p class="absent">In a terminal:
<code>make exercise EX=$id</code>. Where the site was built with its engine and the
exercise needs no compiler, it can be done here.</p></div>

END
    if [[ $needs ]]; then
        start=$(start_of "$1")
        printf '<details><summary>%s: where the code begins</summary>\n\n' "${start##*/}"
        printf '```c\n%s\n```\n\n</details>\n' "$(<"$start")"
    fi
    awk 'BEGIN { open() }
        function open() { print "<details><summary>Hint " ++n "</summary>\n" }
        /^---$/ { print "\n</details>\n"; open(); next } { print }
        END { print "\n</details>\n" }' "$1/hints.md"
    printf '<details><summary>The answer</summary>\n\n'
    cat "$1/answer.md"
    if [[ -e $1/key.patch ]]; then
        printf '\n## The key\n\n```diff\n%s\n```\n' "$(grep -v '^\(diff\|index\) ' "$1/key.patch")"
    fi
    printf '\n</details>\n'
}

# --- the parts around a page's text
# Prints the sidebar: the ladder's lessons; the side lessons; the pages that are read most. The
# current lesson has its other pages below it. The page's script adds the headings of the page:
# below its entry if it belongs to a lesson, otherwise at the top; none on an exercise's page.
side_of() { # PAGE SOURCE
    local lesson name current part here group
    printf '<nav class="side" id="side" aria-label="Course">'
    if [[ $2 != steps/* && $2 != exercises/*/* ]]; then
        printf '<div class="on-page top"><p class="head">On this page</p><ul></ul></div>'
    fi
    printf '<p class="head">The ladder</p>'
    printf '<div class="progress-bar"><i></i></div><p data-steps-done></p>'
    for group in 'steps/0[1-9]*' 'steps/00*|steps/1*'; do
        if [[ $group != 'steps/0[1-9]*' ]]; then printf '<p class="head">Side lessons</p>'; fi
        printf '<ol class="steps">'
        for lesson in "${lessons[@]}"; do
            case $group in
                steps/0\[*) [[ $lesson == steps/0[1-9]* ]] || continue ;;
                *) [[ $lesson != steps/0[1-9]* ]] || continue ;;
            esac
            name=$(name_of "$lesson") current=
            if [[ ${2%/*} == "${lesson%/*}" || $2 == exercises/${lesson:6:2}* ]]; then
                current=yes
            fi
            here=
            if [[ $current ]]; then here=' aria-current="true"'; fi
            if [[ $name == "$1" ]]; then here=' aria-current="page"'; fi
            part=${name%%_*}
            printf '<li><a href="%s.html" data-lesson="%s.html" data-n="%s"%s>%s</a>' \
                "$name" "$name" "${part#0}" "$here" "${titles[$lesson]}"
            if [[ $current ]]; then
                if [[ $name == "$1" ]]; then printf '<div class="on-page"><ul></ul></div>'; fi
                printf '<ul class="parts">'
                parts_of "$lesson" | while read -r part; do
                    here=
                    if [[ $part == "$2" ]]; then here=' aria-current="page"'; fi
                    printf '<li><a href="%s.html"%s>%s</a>' "$(name_of "$part")" "$here" \
                        "$(title_of "$part" |
                            sed -E 's/^(Step|Side lesson) [0-9]+, [a-z ]+: //; s/^./\U&/')"
                    if [[ $here ]]; then printf '<div class="on-page"><ul></ul></div>'; fi
                    printf '</li>'
                done
                printf '</ul>'
            fi
            printf '</li>'
        done
        printf '</ol>'
    done
    printf '<p class="head">Pages</p><ul>'
    for part in story:'The whole story' reading:'How to read' vocabulary:Words \
        exercises:Exercises questions:Questions measurements:Measured contents:'All pages' \
        booklet:'Booklet, to print'; do
        here=
        if [[ ${part%%:*} == "$1" ]]; then here=' aria-current="page"'; fi
        printf '<li><a href="%s.html"%s>%s</a></li>' "${part%%:*}" "$here" "${part#*:}"
    done
    printf '</ul>'
    printf '</nav>'
}
declare -A titles
for lesson in "${lessons[@]}"; do titles[$lesson]=$(title_of "$lesson"); done
# Prints the other pages of a lesson, in the order in which its README.md links to them.
parts_of() { # README
    local part
    for part in "${1%README.md}"*.md; do
        [[ $part == "$1" ]] || printf '%s\t%s\n' \
            "$(grep -n -m 1 -F "](${part##*/}" "$1" | cut -d: -f1)" "$part"
    done | sort -n | cut -f2
}
# around LIST INDEX: prints two arrows, links to the pages before and after LIST[INDEX].
around() {
    local -n list=$1
    local at arrow
    printf '<span class="around">'
    for at in $(($2 - 1)) $(($2 + 1)); do
        ((at >= 0 && at < ${#list[@]})) || continue
        arrow=$( ((at > $2)) && echo next: → || echo before: ←)
        printf '<a href="%s.html" aria-label="%s %s">%s</a>' "$(name_of "${list[at]}")" \
            "${arrow% *}" "$(title_of "${list[at]}" | sed 's/`//g; s/"/\&quot;/g')" "${arrow#* }"
    done
    printf '</span>'
}
pager() { # LIST INDEX: prints links to the pages before and after LIST[INDEX]
    local -n list=$1
    local i=$2 at number
    printf '<nav class="pager" aria-label="Before and after">'
    for at in $((i - 1)) $((i + 1)); do
        if ((at >= 0 && at < ${#list[@]})); then
            number=
            if [[ ${list[at]} =~ ^steps/([0-9]+) ]]; then
                number="<small>step $((10#${BASH_REMATCH[1]}))</small> "
                number=${number/step 0/side lesson 0}
            fi
            printf '<a class="%s" href="%s.html">%s%s</a>' \
                "$( ((at > i)) && echo next || echo before)" "$(name_of "${list[at]}")" \
                "$number" "$(title_of "${list[at]}")"
        else
            printf '<span></span>'
        fi
    done
    printf '</nav>'
}
# bundle MODULE OUT [OPTION...]: writes a module and its imports as one classic script, because
# pages from file:// can load no other kind.
bundle() {
    esbuild "$1" --bundle --minify --format=iife --target=chrome103,firefox102,safari16.4 \
        --log-level=warning --outfile="$2" "${@:3}" || die "$1 cannot be bundled"
}
engine=
bundle web/page/site/main.js "$site/site.js"
bundle web/page/charts.js "$site/charts.js"
if [[ -s build/web/engine.js && -s build/web/sass.js && -s build/web/kernels/exercises.js ]]; then
    cp -r build/web/engine.js build/web/sass.js build/web/kernels "$site"
    # The TFLOP/s of each variant on the H200, behind the kernels that boxes compare.
    for kernels in "$site"/kernels/[0-9]*.js; do
        ask h200 "select printf('KERNELS[\"speeds/%s/%s/%d\"] = \"%.5g\";',
            step, variant, n, tflops) from timed
            where square and mode = 'burst' and n in (4096, 4097)
            and step glob '$(basename "$kernels" .js)*'" >>"$kernels"
    done
    bundle web/page/boxes.js "$site/boxes.js"
    bundle web/page/motions.js "$site/motions.js"
    bundle web/page/inspect.js "$site/inspect.js"
    bundle web/page/payoff.js "$site/payoff.js"
    bundle web/page/exercise_page.js "$site/exercise.js"
    # The still frames that pages show of animations until a script draws.
    mkdir "$WORK/posters"
    if command -v node >/dev/null; then
        esbuild web/page/scenes/stills.js --bundle --platform=node --log-level=warning \
            --outfile="$WORK/stills.cjs"
        node web/site/posters.js "$WORK/stills.cjs" build/web/kernels "$WORK/variants.tsv" \
            "$WORK/posters" || die "no last frames of the moving pictures"
        HERO=${HERO/HERO_REQUESTS/"$(<"$WORK/posters/hero.json")"}
        HERO=${HERO/HERO_DRAWING/"$(<"$WORK/posters/hero.html")"}
    fi
    engine='<script src="boxes.js" defer></script>'
    bets=$(printf ' <button type="button" disabled>%s</button>' 4 8 32)
    HERO=${HERO/HERO_BETS/"${bets# }"}
    # The editor, with OPCODES, the opcodes that it completes: the first row of each opcode in
    # opcodes.def. CodeMirror's own languages are left out of the bundle; nothing loads them.
    mirror=build/codemirror
    if [[ -s $mirror/index.js ]]; then
        inside=$(sed -n 's/.*from *"\.\/\(index-[^"]*\)".*/\1/p' $mirror/index.js | tail -n 1)
        sed "s#\"\./$inside\"#\"codemirror-parts\"#" $mirror/index.js >"$WORK/codemirror.js"
        sed 's#import("\./#import("language:#g' "$mirror/$inside" >"$WORK/codemirror-parts.js"
        bundle web/page/editor.js "$WORK/editor.js" --alias:codemirror="$WORK/codemirror.js" \
            --alias:codemirror-parts="$WORK/codemirror-parts.js" '--external:language:*'
        {
            awk -F '"' 'BEGIN { print "var OPCODES = {" } /^FORM\(/ && !seen[$4]++ {
                gsub(/ *[^ ]*\?=?|:[a-z]+|[-|~.]/, "", $8); sub(/^ /, "", $8)
                known = " " $8 ~ /^( U?(R[a-d]|P[puv]|[ABC]b?|L?K|[MS]s?(desc|ur)?)| [slt][a-z]+)+$/
                gsub(/ /, ", ", $8); gsub(/U?Rd/, "destination", $8)
                gsub(/U?Pu/, "result predicate", $8); gsub(/U?Pv/, "predicate of its opposite", $8)
                gsub(/U?Pp/, "predicate", $8); gsub(/lut/, "truth table", $8)
                sub(/sr$/, "special register", $8); sub(/[UL]?K/, "constant", $8)
                sub(/target/, "label", $8)
                gsub(/[MS]s?(desc|ur)?/, "address", $8); gsub(/U?(R[abc]|[ABC]b?)/, "source", $8)
                gsub(/[ ,)]+/, " ", $11); split($11, last, " ")
                time = last[2] ? "pipe " last[1] ", " last[2] " cycles" : \
                    last[1] == "TENSOR" || $8 !~ /dest/ ? "" : \
                    "takes variable time: wait for its scoreboard"
                printf "\"%s\": \"%s%s%s\",\n", $4, known ? "operands: " $8 : "", \
                    known && time ? " · " : "", time
            } END { print "};" }' sasskit/isa/opcodes.def
            cat "$WORK/editor.js"
        } >"$site/editor.js"
        engine=${engine/boxes.js\"/boxes.js\" data-editor}
    fi
fi
absent='<p class="absent">Two kernels answer here, where the site was built with its engine. In a '
absent+='terminal: <code>build/ladder --backend sim --step 01 --size 64</code>.</p>'
HERO=${HERO/HERO_BETS/"$absent"}
HERO=${HERO/HERO_DRAWING/}
# The preview of a shared link: the ladder, drawn by gnuplot.
preview=
picture="data='$WORK/ladder.tsv'; cublas=$(at_4096 cublas); title='From $(at_4096 '01*') to "
picture+="$(at_4096 '09*') TFLOP/s: nine ideas that make a GPU multiply'"
if command -v gnuplot >/dev/null &&
    ask h200 "select cast(substr(step, 1, 2) as integer), tflops from timed
        where $at_this_n and step glob '0[1-9]*' and last
        group by step having time = max(time) order by step" >"$WORK/ladder.tsv" &&
    gnuplot -e "$picture" web/site/preview.gp >"$site/preview.png" 2>/dev/null &&
    [[ -s $site/preview.png ]]; then
    preview=${SITE:+${SITE%/}/}preview.png
else
    rm -f "$site/preview.png"
fi

# Prints the line above a lesson's title, e.g. "Step 7 of 9 · 35.4 → 40.4 TFLOP/s".
kicker_of() { # README
    local step=${1#steps/} number speed
    number=${step:0:2}
    speed=$(at_4096 "$number*")
    if ((10#$number > 1)); then
        speed="<span data-gain=$speed>$speed</span>"
        speed="$(at_4096 "$(printf '%02d' $((10#$number - 1)))*") → $speed"
    fi
    printf '<p class="kicker">%sStep %d of 9 · %s TFLOP/s</p>' "$around" "$((10#$number))" "$speed"
}
# Prints the exercises by lesson, each with minutes, level, and what a reader can do on its page.
# The pages' script adds whether it is solved, and counts.
exercise_list() {
    local page id last= title does
    local -A said=([run]='<b>runs here</b>' [predict]='<b>predict, here</b>'
        [nvcc]='predict here, write CUDA in a terminal' [cc]='predict here, write C in a terminal')
    printf '\n<p data-progress="%s"></p>\n\n<div class="tasks">' "${#exercises[@]}"
    for page in "${exercises[@]}"; do
        id=${page:10:3}
        if [[ ${id%?} != "$last" ]]; then
            [[ ! $last ]] || printf '</ul></section>\n'
            last=${id%?} title='Across lessons'
            for lesson in steps/"$last"_*/README.md; do
                title="<a href=\"$(name_of "$lesson").html\">$((10#$last))"
                title+=" $(title_of "$lesson")</a>"
            done
            printf '<section><h2>%s <small></small></h2><ul>\n' "$title"
        fi
        does=$(does "${page%/*}")
        printf '<li data-level="%s" data-does="%s"><a href="%s.html">%s</a> %s</li>\n' \
            "$(sed -n 's/.*About [0-9]* minutes, \([a-z]*\)\..*/\1/p' "$page")" \
            "$does" "$(name_of "$page")" \
            "$(title_of "$page" | sed 's/`\([^`]*\)`/<code>\1<\/code>/; s/ x / × /')" \
            "<small>$(sed -n 's/.*About \([0-9]*\) minutes, \([a-z]*\)\..*/\1 min, \2/p' \
                "$page") · ${said[$does]}</small> <span data-exercise=\"${page%task.md}\"></span>"
    done
    printf '</ul></section></div>\n\n'
}
exercise_list >"$WORK/tasks.md"
# siblings ID: prints the entries of the exercises about the same lesson.
siblings() {
    sed -n "s/href=\"exercise-$1.html\"/& aria-current=\"page\"/
        /^<li.*\"exercise-${1%?}[a-z]\.html\"/p" "$WORK/tasks.md"
}
lesson_of() { # ID: prints a link to the lesson of an exercise
    local lesson of='<a href="exercises.html">Across lessons</a>'
    for lesson in steps/"${1%?}"_*/README.md; do
        of="<a href=\"$(name_of "$lesson").html#exercise\">Lesson $((10#${1%?})): "
        of+="${titles[$lesson]}</a>"
    done
    echo "$of"
}
# Prints the line above an exercise's title.
kicker_of_exercise() { # ID
    printf '<p class="kicker">%s%s · exercises %s</p>' "$around" "$(lesson_of "$1")" \
        "$(siblings "$1" | sed -E -e 's/<li[^>]*>(<a[^>]*)>(...).*( data-[^"]*"[^"]*").*/\1\3>\2/' \
            -e 's/$/<\/a>/' | tr '\n' ' ')"
}
others_of() { # ID: prints the same exercises with their titles, for the end of the page
    printf '<div class="tasks" id="others"><section><h2><span>%s</span> <small></small></h2>' \
        "Exercises · $(lesson_of "$1")"
    printf '<ul>%s</ul></section></div>' "$(siblings "$1" | tr -d '\n')"
}
# render SOURCE FILE PAGE KIND [PANDOC_OPTION...]: writes PAGE.html from FILE, which is SOURCE or
# was made from it. KIND is the class of the page's body.
render() {
    if grep -qxF "[$1]" docs/figures.txt; then tools/docs.py --mark "$1" "$2"; else cat "$2"; fi |
        # A line that begins with the marker of a figure (<!-- value) would begin a block of HTML
        # and cut its paragraph, so it joins the line before.
        awk '{
            if (/^<!-- value/) {
                if (held ~ /[^ ]/) { held = held " " $0; next }
                $0 = "&#8288;" $0
            }
            if (NR > 1) print held
            held = $0
        } END { print held }' >"$WORK/marked.md"
    local kicker=
    case $1 in
        steps/0[1-9]*/README.md) kicker=$(kicker_of "$1") ;;
        steps/*/README.md) kicker="<p class=\"kicker\">${around}Side lesson $((10#${1:6:2}))</p>" ;;
        steps/*/evidence.md)
            kicker="<p class=\"kicker\">Evidence for <a href=\"$(name_of "${1%/*}/README.md")"
            kicker+=".html\">${titles[${1%/*}/README.md]}</a>: the lesson can do without it</p>" ;;
        exercises/*/task.md) kicker=$(kicker_of_exercise "${1:10:3}") ;;
    esac
    SOURCE=$1 PAGE=$3 pandoc -f gfm+yaml_metadata_block -t html5 --mathml --no-highlight \
        --wrap=none --lua-filter web/site/filter.lua \
        --template web/site/template.html -V "kind=$4" -V "side=$(side_of "$3" "$1")" \
        -V "kicker=$kicker" -V "preview=$preview" -V "engine=$engine" "${@:5}" \
        -o "$site/$3.html" "$WORK/marked.md" || die "$1 failed"
    # A page with boxes loads their scripts. None of them delays the first paint: engine.js is
    # `async`, so a Worker compiles the modules during the layout; boxes.js and the kernels are
    # `defer`, so they run when all text is there.
    local page=$site/$3.html name files=
    if [[ $engine ]] &&
        grep -qE '<div class="(try|slider|exercise|motion|hero-machine[^"]*)"' "$page"; then
        for name in $(sed -n -E '/class="try".* data-variant="[0-9]{2}\//{
                h; s/.* data-variant="([0-9]*).*/\1/p; g
            }
            s/.*<div class="try" id="try[0-9]*" data-step="([0-9]*)".*/\1/p
            s/.*<div class="motion" data-kernel="([0-9]*)_.*/\1/p
            s/.*<div class="exercise".*/exercises/p
            s/.*<div class="hero-machine.*/01/p' "$page" | sort -u); do
            [[ ! -e $site/kernels/$name.js ]] ||
                files+="<script src=\"kernels/$name.js\" defer></script>"
        done
        if grep -qE 'class="motion" data-kernel="(0[2-9]|1)' "$page"; then
            files+='<script src="motions.js" defer></script>'
        fi
        sed -i -e '0,/<link rel="stylesheet"/s//<script src="engine.js" async><\/script>\n&/' \
            -e "s|<script src=\"boxes.js\"|$files&|" "$page"
        if [[ $files == *kernels/exercises.js* ]]; then
            sed -i 's|<script src="boxes.js"|<script src="exercise.js"|' "$page"
        fi
    else
        [[ ! $engine ]] || sed -i "s|$engine||" "$page"
    fi
}
around= # the arrows at the top of the page that is rendered
render README.md README.md index start
render README.md README.md readme plain
before=
for i in "${!lessons[@]}"; do
    folder=$(dirname "${lessons[i]}")
    changes "$folder" "$before" >"$WORK/changes.html"
    around=$(around lessons "$i")
    render "${lessons[i]}" "${lessons[i]}" "$(name_of "${lessons[i]}")" lesson \
        -B "$WORK/changes.html" -V "pager=$(pager lessons "$i")"
    before=$folder
done
# after INDEX: prints what follows an exercise: the next lesson behind a lesson's last exercise and
# the one that it recommends (its last `make exercise`), otherwise the next exercise.
after() {
    local id=${exercises[$1]#exercises/} at next=${exercises[$1 + 1]:-}
    for at in "${!lessons[@]}"; do
        [[ ${lessons[at]} == steps/${id:0:2}_* && ${lessons[at + 1]:-} ]] || continue
        if [[ $next != exercises/${id:0:2}* || $(grep '^make exercise EX=' "${lessons[at]}" |
            tail -n 1) == *"EX=${id%%_*} "* ]]; then next=${lessons[at + 1]}; fi
    done
    [[ ! $next ]] || echo "$next"
}
for i in "${!exercises[@]}"; do
    exercise "$(dirname "${exercises[i]}")" >"$WORK/page.md"
    mapfile -t ordered < <(printf '%s\n' "${exercises[@]:0:i + 1}"; after "$i")
    around=$(around ordered "$i")
    render "${exercises[i]}" "$WORK/page.md" "$(name_of "${exercises[i]}")" plain \
        -V "pager=$(others_of "${exercises[i]:10:3}")$(pager ordered "$i")"
done

# Prints the results of the reader's own run (OWN): its charts, and the bounds that follow from its
# counters. Its times are in measured.js.
run_of_reader() {
    local chart name
    [[ $own ]] || return 0
    printf '\n## Your run\n\n'
    if [[ ! -s $own/results.csv ]]; then
        printf 'No GPU, so no times: the ladders further down are of other machines. '
        printf 'What the simulator counted here, and the bounds that follow:\n\n'
    fi
    for chart in "$own"/*.svg; do
        [[ ${chart##*/} =~ ^[A-Za-z0-9_.-]+$ ]] || continue
        name=$(basename "$chart" .svg)
        printf '<div class="picture">'
        SAID="$name, of your run" web/site/picture.sh "$chart" "own-${name//[^A-Za-z0-9]/-}"
        printf '</div>\n\n'
    done
    if [[ -s $own/counters.csv ]]; then
        echo '```'
        ask own "select line from bounds_text where n = (select max(n) from bounds_text)"
        printf '```\n\n'
    fi
}

# entry SOURCE FROM: prints a line of a list, with a link from the page FROM to SOURCE.
entry() {
    printf -- '- [%s](%s)\n' "$(title_of "$1")" \
        "$(realpath -m --relative-to="$(dirname "$2")" "$1")"
}
# Puts the list below the first paragraph, in place of the Markdown's table.
sed -e "$(grep -n '^$' exercises/README.md | sed -n '2s/:.*//p')r $WORK/tasks.md" \
    -e '/^| exercise | task /,/^$/d' \
    -e 's/^## The checker/<details><summary>To write an exercise<\/summary>\n\n&/' \
    -e '$a\\n</details>' exercises/README.md >"$WORK/exercises.md"
# Prints lessons as a list: drawing, idea and what it teaches to count (docs/pages.md), speed-up;
# then the exercises and the lesson's other pages, evidence last.
lesson_list() { # README...
    local lesson part name id idea counts tasks
    printf '\n<ol class="rungs listed">'
    for lesson in "$@"; do
        name=$(name_of "$lesson").html id=${lesson:6:2}
        IFS=$'\t' read -r idea counts < <(awk -F ' *[|] *' -v lesson="](../${lesson%README.md})" \
            'index($2, lesson) { gsub(/ x /, " × "); print $3 "\t" $4; exit }' docs/pages.md)
        tasks=$(cat exercises/"$id"[a-z]_*/task.md | awk 'match($0, /About [0-9]+ minutes/) {
            sum += substr($0, RSTART + 6); count++
        } END { print count " exercise" (count > 1 ? "s" : "") ", " sum }')
        printf '<li><a class="rung" href="%s" data-lesson="%s"><span class="name"><b>%s</b> %s' \
            "$name" "$name" "$((10#$id))" "${titles[$lesson]}"
        printf '</span> <span class="topic">%s. You learn to count: %s.</span>%s' \
            "${idea^}" "$counts" "$([[ $id != 0[1-9] ]] || icon_of "${id#0}")"
        printf ' <span class="gain">%s</span></a><small>%s min' "${gains[$((10#$id))]:-}" "$tasks"
        parts_of "$lesson" | awk '/evidence/ { last = $0; next } 1
            END { if (last) print last }' | while read -r part; do
            printf ' · <a href="%s.html">%s</a>' "$(name_of "$part")" "$(title_of "$part" |
                sed -E 's/^(Step|Side lesson) [0-9]+, [a-z ]+: //')"
        done
        printf '</small></li>'
    done
    printf '</ol>\n\n'
}
{
    printf '# Lessons and pages\n\nA lesson takes ten minutes to read, without its exercises. '
    printf '× is the speed over that of the step before, at N = 4096 on an H200.\n'
    printf '\n## Nine steps\n'
    lesson_list steps/0[1-9]*/README.md
    printf '## Side lessons\n'
    lesson_list steps/00*/README.md steps/1*/README.md
    # The other pages, with what they have; behind them those that docs/pages.md does not list.
    sed -n '/^## About the course/,/^## How it compares/{/^## How/!p}' docs/pages.md |
        sed -E 's#^\| \[.#\U&#; s#\]\(\.\./#](@#g; s#\]\(([^@])#](docs/\1#g; s#\]\(@#](#g'
    printf '## Notes and results\n\n'
    for page in "${texts[@]}" "${notes[@]}" "${results[@]}" web/site/measurements.md; do
        [[ $page == docs/pages.md ]] ||
            grep -qF -e "](${page#docs/})" -e "](../${page%README.md}" docs/pages.md ||
            entry "$page" contents.md
    done
} >"$WORK/contents.md"
run_of_reader >"$WORK/own.md"
for page in "${sources[@]}" contents.md; do
    file=$page
    case $page in
        README.md | steps/*/README.md | docs/glossary.md) continue ;;
        docs/vocabulary.md)
            sed -E '1s/^# .*/\n## Words of the code/; /^\[Contents\]/d' docs/glossary.md |
                cat "$page" - >"$WORK/words.md"
            file=$WORK/words.md ;;
        exercises/README.md) file=$WORK/exercises.md ;;
        contents.md) file=$WORK/contents.md ;;
        web/site/measurements.md)
            sed -e "/<!-- own results -->/r $WORK/own.md" "$page" >"$WORK/page.md"
            file=$WORK/page.md ;;
    esac
    kind=plain
    if [[ $page == steps/*/evidence.md ]]; then kind=evidence; fi
    render "$page" "$file" "$(name_of "$page")" $kind
done

# Shortens the tables: removes classes, styles and closing tags that HTML does not require.
# An empty cell of a table's head is no heading.
sed -i -E -e 's/ style="text-align: right;"/ class=r/g' -e 's/<th([^>]*)><\/th>/<td\1><\/td>/' \
    -e 's/<tr class="(odd|even|header)">/<tr>/g' -e 's/<\/t[dhr]>$//' "$site"/*.html

# --- the book: the text of all pages in one packed file, for the search and the booklet
# The booklet is one page to print; its links lead to its own chapters.
chapters=(README.md docs/reading.md)
for page in "${lessons[@]}"; do
    mapfile -t parts < <(parts_of "$page")
    chapters+=("$page" "${parts[@]}")
done
for page in "${texts[@]}" sasskit/docs/notes/*.md docs/notes/*.md; do
    [[ $page =~ ^docs/(reading|slides|glossary).md$ ]] || chapters+=("$page")
done
for page in "${chapters[@]}"; do name_of "$page"; done | sed '1a readme' >"$WORK/chapters"
sed 's|.*|s/href="&\\.html#([^"]*)"/href="#&-\\1"/g; s/href="&\\.html"/href="#&"/g|' \
    "$WORK/chapters" >"$WORK/links.sed"
title_on() { # PAGE
    sed -n '/^<title>/{s/^<title>//;s/<\/title>$//;s/ · SGEMM.*//;p;q}' "$site/$1.html"
}
section() { # PAGE [hidden]: prints a page of the book; hidden: only for the search, no listings
    echo "<section id=\"$1\" data-page=\"$(title_on "$1" | sed 's/"/\&quot;/g')\" ${2:-}>"
    sed -n '/^<main/,/^<\/main/p' "$site/$1.html" |
        awk -v hidden="${2:-}" '
            /class="(hero|close)"/ { hero = 1 }
            /class="against"/ { hero = 0 }
            hero { next }
            /class="(toc|sources|crumbs)"|<summary>.*[Cc]ounters/ { skip = 1 }
            hidden && /<pre/ { listing = 1 }
            !skip && !listing && !/^<\/?main|class="(pager|kicker|way)"/ { print }
            /<\/details>|^<\/div>/ { skip = 0 }
            /<\/pre>/ { listing = 0 }' |
        sed -E -e 's/<details class="answer">/<details class="answer" open>/' \
            -e "s/ id=\"([^\"]*)\"/ id=\"$1-\1\"/g" -e "s/href=\"#([^\"]*)\"/href=\"#$1-\1\"/g" \
            -e 's/ loading="lazy"//' \
            -e 's/<span class="value" title="[^"]*">([^<]*)<\/span>/\1/g' \
            -e 's/<a href="vocabulary.html[^"]*" class="term"[^>]*>([^<]*)<\/a>/\1/g' \
            -f "$WORK/links.sed"
    echo '</section>'
}
{
    while read -r name; do section "$name"; done <"$WORK/chapters"
    { cut -f2 "$WORK/pages.tsv"; echo contents; } | grep -vxFf "$WORK/chapters" |
        while read -r name; do section "$name" hidden; done
} >"$WORK/book.html"
printf 'var BOOK = "%s";\n' "$(gzip -9nc "$WORK/book.html" | base64 -w 0)" >"$site/book.js"
{
    printf '<h1>SGEMM, step by step</h1>\n<p>The lessons and pages of the course, to print or to '
    printf 'read on one page.</p><nav class="chapters"><ul><li><a href="index.html">The first '
    printf 'page</a><li><a href="readme.html">The project</a>'
    group=
    for page in "${chapters[@]:1}"; do
        name=$(name_of "$page")
        case $page in
            docs/reading.md) new= ;;
            steps/*) new=Lessons ;;
            library/*) new='The library' ;;
            */notes/*) new='Notes, for a few readers' ;;
            sasskit/*) new='The toolkit' ;;
            *) new='About the course' ;;
        esac
        if [[ $new != "$group" ]]; then
            printf '</ul><h2>%s</h2><ul>' "$new"
            group=$new
        fi
        if [[ $page == steps/* && $page != */README.md ]]; then
            printf ' · <a href="%s.html">%s</a>' "$name" \
                "$(title_on "$name" | sed -E 's/^(Step|Side lesson) [0-9]+(, [a-z ]+)?: //')"
        else
            printf '\n<li><a href="%s.html">%s</a>' "$name" "$(title_on "$name")"
        fi
    done
    printf '</ul></nav>\n'
} >"$WORK/whole.html"
render web/site/booklet.md /dev/null booklet booklet --metadata title=Booklet -A "$WORK/whole.html"

# --- style sheet, font, service worker
cat web/site/style.css ${engine:+web/page/boxes.css} |
    esbuild --loader=css --minify --log-level=warning >"$site/style.css"
# The font is inside the style sheet, because a page from file:// can load no font file.
for font in build/codemirror/*.woff2; do
    printf '@font-face { font-family: Roboto; font-weight: 100 900; %s format("woff2"); }\n' \
        "src: url(\"data:font/woff2;base64,$(base64 -w 0 "$font")\")" >>"$site/style.css"
done
# The service worker, with the list of files that a browser stores for use without a network, and
# their VERSION, which changes with their content.
{
    cd "$site"
    mapfile -t files < <(find . -type f ! -name sw.js -printf '%P\n' | sort)
    printf 'const VERSION = "%s", FILES = ["./", ' "$(cat "${files[@]}" | sha256sum | cut -c1-16)"
    printf '"%s", ' "${files[@]}"
    printf '];\n'
    cat "$OLDPWD/web/site/sw.js"
    cd - >/dev/null
} >"$WORK/sw.js"
mv "$WORK/sw.js" "$site"
touch "$site/.made-by-web-site-build"
mkdir -p "$(dirname "$out")"
rm -rf "$out"
mv "$site" "$out"
chmod 755 "$out"
echo "$out/index.html: $(find "$out" -name '*.html' | wc -l) pages," \
    "$(du -sk --apparent-size "$out" | cut -f1) KB" \
    "$([[ $engine ]] || echo '(without the boxes that run kernels: no build/web/engine.js)')"
