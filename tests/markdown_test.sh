#!/usr/bin/env bash
# Every page renders as intended by CommonMark with GitHub's tables (cmark-gfm), and no link is
# dead.
source "$(dirname "$0")/tap.sh"
export LC_ALL=C.UTF-8
mapfile -t pages < <(find . -name '*.md' -not -path './build/*' -not -path './results/*' -not \
    -path './my/*' | sort)

# A line that begins with `<!--` starts a block of HTML and ends the paragraph before it. A table's
# markers must be such blocks: alone on their line, with an empty line after them. A value's marker
# must not begin a line. Fenced code is skipped.
cut_paragraphs() {
    awk 'FNR == 1 { fenced = 0 }
         /^[ >]*```/ { fenced = !fenced }
         !fenced && /^[ >]*([-*] |[0-9]+\. )?[ >]*<!-- value/ {
         print FILENAME ":" FNR ": begins with a marker" }' "$@"
}
trap 'rm -f "$sample"' EXIT
sample=$(mktemp)
printf '%s\n' 'a sentence with' '<!-- value: x -->1<!-- end --> of **these**' '```' \
    '<!-- value: in code -->' '```' \
    '- <!-- value: y -->2<!-- end -->' >"$sample"
found=$(cut_paragraphs "$sample" | wc -l)
[[ $found == 2 ]]
verdict $? 'a line that begins with a marker is found' "found $found of 2"
found=$(cut_paragraphs "${pages[@]}")
[[ ! $found ]]
verdict $? 'no line begins with a marker' "$found"

needs 'pages rendered' cmark-gfm || exit 0
render() { cmark-gfm --unsafe -e table -e strikethrough "$1"; }

# Markdown signs left in the rendered text outside code, which the renderer did not understand.
leftovers() {
    render "$1" | sed -e 's/<code[^>]*>[^<]*<\/code>//g' |
        awk '/<pre/ { code = 1 } !code && /\*\*|`|\]\(/ { print } /<\/pre>|<\/code>/ { code = 0 }'
}
printf '%s\n' 'text' '<!-- x --> **bold** `code` [link](x)' >"$sample"
[[ $(leftovers "$sample") ]]
verdict $? 'signs that are not rendered are found'
found=$(for page in "${pages[@]}"; do leftovers "$page" | sed "s|^|$page: |"; done)
[[ ! $found ]]
verdict $? 'every sign is rendered' "$found"

# Prints the anchor that GitHub gives each heading: lower case, no punctuation, hyphens for spaces.
anchors() {
    render "$1" | sed -n 's/^<h[1-6]>\(.*\)<\/h[1-6]>$/\1/p' | sed -e 's/<[^>]*>//g' \
        -e 's/&[a-z]*;//g' |
        tr '[:upper:]' '[:lower:]' | sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}
declare -A anchors_of # FILE: prints its anchors, one per line
dead_links() { # PAGE: prints its links to files or headings that do not exist
    local page=$1 link file anchor
    while read -r link; do
        [[ $link == http://* || $link == https://* || $link == mailto:* ]] && continue
        file=${link%%#*} anchor=
        [[ $link == *'#'* ]] && anchor=${link#*#}
        if [[ $file ]]; then file=${page%/*}/$file; else file=$page; fi
        if [[ ! -e $file ]]; then
            echo "$page: $link: no such file"
        elif [[ $anchor && $file == *.md ]]; then
            file=$(realpath -- "$file")
            [[ ${anchors_of[$file]+known} ]] || anchors_of[$file]=$'\n'$(anchors "$file")$'\n'
            [[ ${anchors_of[$file]} == *$'\n'"$anchor"$'\n'* ]] ||
                echo "$page: $link: no such heading"
        fi
    done < <(render "$page" | grep -oE '(href|src)="[^"]*"' | sed -e 's/^[a-z]*="//' -e 's/"$//' \
        -e 's/&amp;/\&/g' | sort -u)
}
printf '%s\n' '# A heading' '[a](#a-heading) [b](#no-heading) [c](no-file.md)' >"$sample.md"
trap 'rm -f "$sample" "$sample.md"' EXIT
found=$(dead_links "$sample.md" | wc -l)
[[ $found == 2 ]]
verdict $? 'dead links are found' "found $found of 2"
found=$(for page in "${pages[@]}"; do dead_links "$page"; done)
[[ ! $found ]]
verdict $? 'every link leads somewhere' "$found"

# Every link of a page to the outside is also on docs/sources.md.
outside() { for page; do render "$page"; done | grep -oE 'href="https?://[^"]*"' | sort -u; }
found=$(comm -23 <(outside "${pages[@]}") <(outside docs/sources.md))
[[ ! $found ]]
verdict $? 'every external link is on docs/sources.md' "$found"

# The slides, made with the command in docs/teaching.md, include every slide and every picture.
if needs 'the slides are made' pandoc; then
    slides=$(pandoc -t slidy -s docs/slides.md --resource-path=docs 2>&1)
    missing=$(grep -o '<img src="[^"]*"' <<<"$slides" | sed -e 's/.*="//' -e 's/"$//' |
        while read -r picture; do
            [[ -s docs/$picture ]] || echo "$picture"
        done)
    if [[ $(grep -c '<div .*class="slide' <<<"$slides") -gt $(grep -c '^# ' docs/slides.md) &&
        ! $missing ]]; then
        pass 'the slides are made'
    else
        fail 'the slides are made' "$missing" "$(head -n 3 <<<"$slides")"
    fi
fi
