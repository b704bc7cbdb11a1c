#!/usr/bin/env bash
# The site: every lesson, page and exercise as HTML, from the same Markdown, without a server.
#
#     web/site/build.sh [OUT]      `make site`; OUT is build/site if not given, and is replaced
#
#     OWN=DIRECTORY                results of a run (results.csv, counters.csv, charts), shown on the page of measurements
#     TREE=ADDRESS                 where the project's other files are; the project's folder if not given
#
# pandoc and sqlite3 do the work (tools/setup.sh site). Exit status: 0 written, 1 something failed or is missing.
set -euo pipefail
export LC_ALL=C.UTF-8
die() {
    echo "web/site/build.sh: $1" >&2
    exit 1
}
own=${OWN:+$(realpath -- "$OWN")}
out=$(realpath -m -- "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/site}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for tool in pandoc sqlite3; do
    command -v $tool >/dev/null || die "no $tool; run tools/setup.sh site, or: apt-get install $tool"
done
if [[ -e $out && ! -e $out/.made-by-web-site-build ]]; then die "'$out' is there, and this script did not make it; name another folder"; fi
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=${TREE:-$(realpath -m --relative-to="$out" .)/}
HERO=$(<web/site/hero.html)
export WORK TREE HERO
site=$WORK/site
mkdir -p "$site/pictures" "$WORK"/{h200,h100,own}

# --- what there is: pages.tsv has the source and the name of each page ---------------------------------------------------
name_of() { # of a page's source
    local name=${1%.md}
    case $1 in
        README.md) echo index; return ;;
        exercises/README.md) echo exercises; return ;;
        exercises/*) name=${1#exercises/} name=exercise-${name%%_*} ;;
        docs/results/*) name=results-${name#docs/results/} ;;
        docs/notes/*) name=notes-${name#docs/notes/} ;;
        docs/* | steps/* | web/site/*) name=${name#docs/} name=${name#steps/} name=${name#web/site/} ;;
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
sources=(README.md "${lessons[@]}" library/*.md library/*/*.md docs/*.md docs/notes/*.md docs/results/*/README.md exercises/README.md web/site/measurements.md)
for page in steps/*/*.md; do [[ $page == */README.md ]] || sources+=("$page"); done
exercises=(exercises/*/task.md)
for page in "${sources[@]}" "${exercises[@]}"; do printf '%s\t%s\n' "$page" "$(name_of "$page")"; done >"$WORK/pages.tsv"

# --- facts from the results ----------------------------------------------------------------------------------------------
ask() { sqlite3 -batch -bail -init /dev/null "$WORK/$1/data.db"; }
tools/load.sh docs/results/h200 "$WORK/h200"
ask h200 <web/site/figures.sql >"$WORK/figures.tsv"
ask h200 <<<".mode tabs
select substr(step, 1, 2), variant from last_variant where source = 'times' and step glob '[0-9]*'" >"$WORK/variants.tsv"
# The vocabulary of docs/reading.md: a term a line, and its meaning. Not those that are also words of every day, nor single letters.
awk -F ' *[|] *' 'NF > 3 && $2 !~ /^(-+|name)$/ {
    gsub(/`|\[|\]\([^)]*\)/, "", $3); count = split($2, term, ", ")
    for (i = 1; i <= count; i++) if (length(term[i]) > 1 && term[i] !~ /^(line|tag)$/) print term[i] "\t" $3 }' docs/vocabulary.md >"$WORK/terms.tsv"

quoted() { sed -e 's/[\\`]/\\&/g' -e 's/\${/\\${/g'; }
# dataset FOLDER DIRECTORY: the measurements of a results directory, for the page's script.
dataset() {
    printf '{own: %s, origin: `%s`, peak: %s, csv: `\n' "$([[ $1 == own ]] && echo true || echo false)" \
        "$(ask "$1" <<<"select device || ', driver ' || driver || ', ' || substr(max(time), 1, 10) || ', commit ' ||
            replace(group_concat(distinct \"commit\"), ',', ', ') || (select ifnull(group_concat('; step ' || substr(step, 1, 2) || ': ' || device, ''), '') from (select distinct step, device from newest b
                where square and mode = 'burst' and step glob '[0-9]*' and device <> newest.device))
            from newest where square and mode = 'burst' group by device order by count(*) desc limit 1" | quoted)" \
        "$(ask "$1" <<<"select ifnull((select round(tflops, 1) from peak where not fp64), 0)")"
    ask "$1" <web/site/curves.sql | tr -d '\r' | quoted
    printf '`},\n'
}
{
    echo 'var DATA = ['
    dataset h200
    if [[ -s docs/results/h100/results.csv ]]; then
        tools/load.sh docs/results/h100 "$WORK/h100"
        dataset h100
    fi
    if [[ $own ]]; then
        tools/load.sh "$own" "$WORK/own"
        if [[ -s $own/results.csv ]]; then dataset own; fi
    fi
    printf '];\nvar TERMS = {\n'
    sed -e 's/[\\"]/\\&/g' -e 's/\(.*\)\t\(.*\)/"\1": "\2",/' "$WORK/terms.tsv"
    printf '};\nvar LESSONS = {\n'
    for lesson in "${lessons[@]}"; do printf '"%s.html": "%s",\n' "$(name_of "$lesson")" "$(title_of "$lesson")"; done
    echo '};'
} >"$site/data.js"

# --- beside a lesson: what changed in kernel.cu against the step before ---------------------------------------------------
changes() { # STEP_FOLDER BEFORE
    local new=$1/kernel.cu old=$2/kernel.cu name=${1#steps/} before=${2#steps/} lines both whole=1 said add del
    [[ -e $new ]] || return 0
    lines=$(wc -l <"$new")
    said="kernel.cu <small>$lines lines</small>"
    if [[ -e $old ]]; then
        diff -U 100000 --label old --label new "$old" "$new" >"$WORK/diff" || true
        read -r add del < <(awk 'FNR > 2 && /^\+/ { a++ } FNR > 2 && /^-/ { d++ } END { print a + 0, d + 0 }' "$WORK/diff")
        both=$(cat "$old" "$new" | wc -l)
        if ((10 * (add + del) <= 7 * both)); then # one that shares less with the one before stands by itself
            whole=
            said="kernel.cu: ${before%%_*} → ${name%%_*} <small><ins>+$add</ins> <del>−$del</del></small>"
        fi
    fi
    echo "<details class=\"changes\" data-step=\"$name\" open><summary>$said</summary><div class=\"code\" role=\"region\" aria-label=\"the kernel\">"
    if [[ $whole ]]; then awk -v whole=1 -f web/site/diff.awk "$new"; else awk -f web/site/diff.awk "$WORK/diff"; fi
    echo '</div></details>'
}

# --- exercises: task, box, hints and answer on one page -------------------------------------------------------------------
exercise() { # FOLDER
    local id=${1#exercises/}
    id=${id%%_*}
    sed "1s/^# /# Exercise $id: /" "$1/task.md"
    cat <<END

<div class="exercise" data-ex="$id"><p class="absent">In a terminal: <code>make exercise EX=$id</code>. Where the site was built with its engine and the
exercise needs no compiler, it can be done here.</p></div>

END
    awk 'BEGIN { open() } function open() { print "<details><summary>Hint " ++n "</summary>\n" } /^---$/ { print "\n</details>\n"; open(); next } { print }
        END { print "\n</details>\n" }' "$1/hints.md"
    printf '<details><summary>The answer</summary>\n\n'
    cat "$1/answer.md"
    if [[ -e $1/key.patch ]]; then printf '\n## The key\n\n```diff\n%s\n```\n' "$(grep -v '^\(diff\|index\) ' "$1/key.patch")"; fi
    printf '\n</details>\n'
}

# --- the pages ------------------------------------------------------------------------------------------------------------
steps_nav() { # CURRENT: every lesson by its number; the page's script gives them their titles, which are in data.js once
    local lesson name here
    printf '<nav class="steps" aria-label="Lessons">'
    for lesson in "${lessons[@]}"; do
        name=$(name_of "$lesson") here=
        if [[ $name == "$1" ]]; then here=' aria-current="page"'; fi
        printf '<a href="%s.html"%s>%s</a>' "$name" "$here" "${name%%_*}"
    done
    printf '</nav>'
}
# The other pages of a lesson, in the order in which its first page names them.
parts_of() { # README
    local part
    for part in "${1%README.md}"*.md; do
        [[ $part == "$1" ]] || printf '%s\t%s\n' "$(grep -n -m 1 -F "](${part##*/}" "$1" | cut -d: -f1)" "$part"
    done | sort -n | cut -f2
}
pager() { # KIND INDEX: to the lesson or exercise before and after
    local -n list=$1
    local i=$2 at
    printf '<nav class="pager" aria-label="Before and after">'
    for at in $((i - 1)) $((i + 1)); do
        if ((at >= 0 && at < ${#list[@]})); then
            printf '<a href="%s.html">%s</a>' "$(name_of "${list[at]}")" "$(title_of "${list[at]}")"
        else
            printf '<span></span>'
        fi
    done
    printf '</nav>'
}
engine=
if [[ -s build/web/engine.js && -s build/web/sass.js && -s build/web/kernels/exercises.js && -s web/engine/try.js ]]; then
    cp -r build/web/engine.js build/web/sass.js build/web/kernels web/engine/try.js web/engine/stepper.js web/engine/lines.js web/engine/motion.js "$site"
    engine='<script src="try.js"></script><span id="boxes"></span>'
    # The editor, with what it completes: the first row of each instruction of the table.
    mirror=/usr/share/javascript/codemirror
    if [[ -s $mirror/lib/codemirror.js && -s $mirror/addon/hint/show-hint.js ]]; then
        {
            cat $mirror/lib/codemirror.js $mirror/addon/hint/show-hint.js
            awk -F '"' 'BEGIN { print "const OPCODES = {" } /^FORM\(/ && !seen[$4]++ {
                gsub(/[-|~?]|:[a-z]+/, "", $8); gsub(/ /, ", ", $8); gsub(/[ ,)]+/, " ", $11); split($11, last, " ")
                printf "\"%s\": \"%s;%s pipe %s, %s\",\n", $4, $8, $6 == "" ? "" : " may be " $6 ";", last[1], last[2] ? last[2] " cycles" : "a scoreboard tells"
            } END { print "};" }' sasskit/isa/opcodes.def
            cat web/engine/editor.js
        } >"$site/editor.js"
        cat $mirror/lib/codemirror.css $mirror/addon/hint/show-hint.css >"$site/editor.css"
        engine=${engine/try.js\"/try.js\" data-editor}
    fi
fi

render() { # SOURCE FILE PAGE KIND [PANDOC_OPTION...]: the page from FILE, which says what SOURCE says
    awk -v pass=mark -v figures=docs/figures.txt -v FILE="$1" -f tools/cells.awk -f tools/docs.awk "$2" >"$WORK/marked.md"
    SOURCE=$1 PAGE=$3 pandoc -f gfm+yaml_metadata_block -t html5 --mathml --no-highlight --wrap=none --lua-filter web/site/filter.lua \
        --template web/site/template.html -V "kind=$4" -V "steps=$(steps_nav "$3")" -V "engine=$engine" "${@:5}" -o "$site/$3.html" "$WORK/marked.md" || die "$1 failed"
    # The engine before all else, so that a Worker compiles its modules while the page is laid out; at the end the files of its boxes.
    # It is laid out once, when its boxes are there: so the first of them need not wait for that. Pages without a box need none of it.
    local page=$site/$3.html name files=
    if [[ $engine ]] && grep -qE '<div class="(try|slider|exercise|motion)"' "$page"; then
        for name in $(sed -n -E 's/.*<div class="try" id="try[0-9]*" data-step="([0-9]*)".*/\1/p; s/.*<div class="motion" data-kernel="([0-9]*)_.*/\1/p; s/.*<div class="exercise".*/exercises/p' "$page" | sort -u); do
            [[ ! -e $site/kernels/$name.js ]] || files+="<script src=\"kernels/$name.js\"></script>"
        done
        sed -i -e '0,/<link rel="stylesheet"/s//<link rel="expect" href="#boxes" blocking="render">\n<script src="engine.js"><\/script>\n&/' -e "s|<script src=\"try.js\"|$files&|" "$page"
    else
        [[ ! $engine ]] || sed -i "s|$engine||" "$page"
    fi
}
render README.md README.md index start
render README.md README.md readme plain
before=
for i in "${!lessons[@]}"; do
    folder=$(dirname "${lessons[i]}")
    changes "$folder" "$before" >"$WORK/changes.html"
    render "${lessons[i]}" "${lessons[i]}" "$(name_of "${lessons[i]}")" lesson -B "$WORK/changes.html" -V "pager=$(pager lessons "$i")"
    before=$folder
done
for i in "${!exercises[@]}"; do
    exercise "$(dirname "${exercises[i]}")" >"$WORK/page.md"
    render "${exercises[i]}" "$WORK/page.md" "$(name_of "${exercises[i]}")" plain -V "pager=$(pager exercises "$i")"
done

picture() { sed -E -f web/site/picture.sed "$1" | awk -f web/site/groups.awk | awk -f web/site/picture.awk; }

# What a run of the reader's own has (OWN): the ladder's times or, without a GPU, counts and bounds; and its charts.
run_of_reader() {
    local chart
    [[ $own ]] || return 0
    printf '\n## Your run\n\n'
    if [[ ! -s $own/results.csv ]]; then
        printf 'No GPU, so no times: the ladders further down are of other machines. What the simulator counted here, and the bounds that follow:\n\n'
    fi
    for chart in "$own"/*.svg; do
        [[ ${chart##*/} =~ ^[A-Za-z0-9_.-]+$ ]] || continue
        picture "$chart" >"$site/pictures/own-${chart##*/}"
        printf '<div class="picture"><img src="pictures/own-%s" alt="%s, of your run"></div>\n\n' "${chart##*/}" "$(basename "$chart" .svg)"
    done
    if [[ -s $own/counters.csv ]]; then
        echo '```'
        ask own <<<"select line from bounds_text where n = (select max(n) from bounds_text)"
        printf '```\n\n'
    fi
}

# entry SOURCE FROM: a line of a list, with a link from the page FROM.
entry() { printf -- '- [%s](%s)\n' "$(title_of "$1")" "$(realpath -m --relative-to="$(dirname "$2")" "$1")"; }
entries() { local page; for page in "${@:2}"; do entry "$page" "$1"; done; }
# The exercises as a table: what each takes, whether it can be solved in the page, and whether it is solved (site.js knows, and counts).
exercise_table() {
    local page folder name base here
    printf '\n<p data-progress="%s"></p>\n\n| exercise | minutes | | in the page | done |\n| --- | ---: | --- | --- | --- |\n' "${#exercises[@]}"
    for page in "${exercises[@]}"; do
        folder=$(dirname "$page") name=$(basename "$(dirname "$page")") here='predict'
        base=$(sed -n 's/^base|//p' "$folder/wishes")
        base=${base:-$(ls "$folder"/kernel.*)}
        if [[ $base == *.sass ]] || ! grep -q '^--- kernel' "$folder/key.patch"; then here='**runs here**'; fi
        printf '| [%s](%s) | %s | %s | <span data-exercise="%s/"></span> |\n' "$(title_of "$page")" "$name/task.md" \
            "$(sed -n 's/.*About \([0-9]*\) minutes, \([a-z]*\)\..*/\1 | \2/p' "$page")" "$here" "$folder"
    done
    printf '\nWhere the table says "predict", the page checks your prediction; the code needs nvcc, in a terminal.\n\n'
}
exercise_table >"$WORK/table.md"
sed "$(grep -n '^$' exercises/README.md | sed -n '2s/:.*//p')r $WORK/table.md" exercises/README.md >"$WORK/exercises.md" # behind the first paragraph
{
    printf '# Contents\n\n## Lessons\n\n'
    for page in "${lessons[@]}"; do
        entry "$page" contents.md | sed 's/- \[/- [Step '"$(name_of "$page" | cut -c1-2)"': /'
        parts_of "$page" | while read -r part; do entry "$part" contents.md | sed 's/^/    /'; done
    done
    printf '\n## About the course\n\n- [Set up](docs/setup.md)\n'
    entries contents.md library/*.md library/*/*.md docs/*.md exercises/README.md
    printf '\n## Notes and results\n\n'
    entries contents.md docs/notes/*.md docs/results/*/README.md web/site/measurements.md
} >"$WORK/contents.md"
run_of_reader >"$WORK/own.md"
for page in "${sources[@]}" contents.md; do
    file=$page
    case $page in
        README.md | steps/*/README.md) continue ;;
        exercises/README.md) file=$WORK/exercises.md ;;
        contents.md) file=$WORK/contents.md ;;
        web/site/measurements.md) sed -e "/<!-- own results -->/r $WORK/own.md" "$page" >"$WORK/page.md"; file=$WORK/page.md ;;
    esac
    render "$page" "$file" "$(name_of "$page")" plain
done

# Every table without what HTML can do without.
sed -i -E -e 's/ style="text-align: right;"/ class=r/g' -e 's/<tr class="(odd|even|header)">/<tr>/g' -e 's/<\/t[dhr]>$//' "$site"/*.html

# --- the book: every word a second time, packed, for the search and for the booklet, one page to print whose links lead to its own chapters
chapters=(README.md docs/reading.md)
for page in "${lessons[@]}"; do
    mapfile -t parts < <(parts_of "$page")
    chapters+=("$page" "${parts[@]}")
done
for page in library/*.md library/*/*.md docs/*.md docs/notes/*.md; do [[ $page == docs/reading.md || $page == docs/slides.md ]] || chapters+=("$page"); done
for page in "${chapters[@]}"; do name_of "$page"; done | sed '1a readme' >"$WORK/chapters"
sed 's|.*|s/href="&\\.html#([^"]*)"/href="#&-\\1"/g; s/href="&\\.html"/href="#&"/g|' "$WORK/chapters" >"$WORK/links.sed"
title_on() { sed -n 's/^<title>\(.*\) · SGEMM.*/\1/p' "$site/$1.html"; } # PAGE
section() { # PAGE [hidden]: a hidden one is only searched, and not for its listings
    echo "<section id=\"$1\" data-page=\"$(title_on "$1" | sed 's/"/\&quot;/g')\" ${2:-}>"
    sed -n '/^<main/,/^<\/main/p' "$site/$1.html" |
        awk -v hidden="${2:-}" '/class="(toc|sources|crumbs)"|<summary>.*[Cc]ounters/ { skip = 1 } hidden && /<pre/ { listing = 1 }
            !skip && !listing && !/^<\/?main|class="(pager|go)"/ { print } /<\/details>|^<\/div>/ { skip = 0 } /<\/pre>/ { listing = 0 }' |
        sed -E -e "s/ id=\"([^\"]*)\"/ id=\"$1-\1\"/g" -e "s/href=\"#([^\"]*)\"/href=\"#$1-\1\"/g" \
            -e 's/ loading="lazy"//' -e 's/<span class="value" title="[^"]*">([^<]*)<\/span>/\1/g' -e 's/<a href="reading.html#vocabulary" class="term"[^>]*>([^<]*)<\/a>/\1/g' -f "$WORK/links.sed"
    echo '</section>'
}
{
    while read -r name; do section "$name"; done <"$WORK/chapters"
    { cut -f2 "$WORK/pages.tsv"; echo contents; } | grep -vxFf "$WORK/chapters" | while read -r name; do section "$name" hidden; done
} >"$WORK/book.html"
printf 'var BOOK = "%s";\n' "$(gzip -9nc "$WORK/book.html" | base64 -w 0)" >"$site/book.js"
{
    printf '<h1>SGEMM, step by step</h1>\n<p>The lessons and pages of the course, to print or to read on one page.</p><nav class="chapters"><ol>\n'
    while read -r name; do
        printf '<li><a href="%s.html">%s</a></li>\n' "$name" "$(title_on "$name")"
    done <"$WORK/chapters"
    printf '</ol></nav>\n'
} >"$WORK/whole.html"
render web/site/booklet.md /dev/null booklet booklet --metadata title=Booklet -A "$WORK/whole.html"

# --- what the pages use -------------------------------------------------------------------------------------------------------
sort -u "$WORK/pictures" | while IFS=$'\t' read -r path name; do
    picture "$path" >"$site/pictures/$name"
done
cp web/site/site.js "$site"
cat web/site/style.css ${engine:+web/engine/try.css} >"$site/style.css"
# What a browser keeps for when there is no network: all of it, under a name that changes with what is in it.
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
echo "$out/index.html: $(find "$out" -name '*.html' | wc -l) pages, $(du -sk --apparent-size "$out" | cut -f1) KB" \
    "$([[ $engine ]] || echo '(without the boxes that run kernels: build/web/engine.js and build/web/kernels are not there)')"
