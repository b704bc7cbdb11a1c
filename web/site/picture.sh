#!/usr/bin/env bash
# picture.sh SVG NAME: prints a chart by gnuplot as a part of a page, with $SAID as its alternative
# text. NAME keeps its ids apart from those of the page's other charts.
set -eu
export LC_ALL=C
at=$(dirname "$0")
sed -E -f "$at/picture.sed" "$1" | awk -f "$at/groups.awk" | awk -f "$at/picture.awk" |
    awk -v name="$2" -f "$at/inline.awk"
