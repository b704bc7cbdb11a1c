#!/usr/bin/env bash
# The site is built from the Markdown, is small, and works in real browsers: links, errors, widths,
# contrast, search, charts.
# Only in make test-all.
source "$(dirname "$0")/tap.sh"
PATH=${WHOLE_PATH:-$PATH} # the whole PATH: named.sh left only the packages of `run` and `test`
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
needs 'the site' pandoc python3 esbuild || exit 0

# Results in a folder whose name and contents look like HTML; the site must show them as text.
own=$work/'a & b'
mkdir "$own"
sed -n '1p;/01_naive\|02_shared/p' docs/results/h200/results.csv >"$own/results.csv"
cp docs/results/h200/ladder.svg "$own/a&b.svg"
case_is 'the site is built' 0 'index.html: ' env OWN="$own" web/site/build.sh "$work/site"
missing=$(for page in steps/*/*.md library/*.md library/*/*.md docs/*.md sasskit/docs/*.md \
    exercises/*/task.md; do
    title=$(sed -n '/^# /{s/^# //p;q}' "$page" | sed 's/[`<>&"'"'"']/./g')
    [[ ! $title ]] || grep -q -- "$title" "$work/site"/*.html || echo "$page: '$title'"
done)
[[ ! $missing ]]
verdict $? 'every page of Markdown is there' "$missing"
# Each drawing of stills.lua is on a page, found by its title.
missing=$(sed -n "s/.* title = ['\"]\(.*\)['\"], width.*/\1/p" web/site/stills.lua | tr -d '\\' |
    while read -r title; do
        grep -qF -- "<figcaption>$title<" "$work/site"/*.html || echo "'$title'"
    done)
[[ ! $missing ]]
verdict $? 'every drawing of stills.lua is there' "$missing"
missing=$(grep -l '<div class="picture">.*-time-svg\|strip-[a-z0-9_]*-svg' "$work/site"/*.html ||
    true)
for page in 08_double_buffer 09_reuse_sass; do
    grep -q '<figure class="figure still">.*class="legend"' "$work/site/$page.html" ||
        missing+=" $page"
done
[[ ! $missing ]]
verdict $? "issue slots are drawn as the page's own timeline draws them" "$missing"
mkdir "$work/mine"
touch "$work/mine/notes"
case_is "somebody else's folder is left alone" 1 'this script did not make it' web/site/build.sh \
    "$work/mine"

needs 'the pages in browsers' node || exit 0
browsers=()
if needs 'the pages in Chromium' chromium; then browsers+=(chromium); fi
if needs 'the pages in Firefox' firefox-esr; then browsers+=(firefox); fi
ln -s "$PWD" "$work/tree"
timeout 600 node tests/site/check.js "$work/site" "${browsers[@]}"
