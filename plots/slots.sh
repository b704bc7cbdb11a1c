#!/usr/bin/env bash
# Draws issue slots of one scheduler from a trace of the model of an SM: a line a warp.
#
#     plots/slots.sh FILE.json OUT.svg|OUT.png FIRST,COUNT [TITLE]     FILE.json from `build/simrun ... --time --timeline FILE.json --cycles FIRST,COUNT`
#
# Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../tools/put.sh"
[[ $# -ge 3 && $# -le 4 ]] || die "usage: plots/slots.sh FILE.json OUT.svg|OUT.png FIRST,COUNT [TITLE]"
file=$1 target=$2 format=${2##*.} cycles=$3
title=${4:-$(basename "$file" .json)}
[[ $cycles =~ ^([0-9]{1,9}),([1-9][0-9]{0,8})$ ]] || die "cycles '$cycles': expected FIRST,COUNT, two whole numbers"
[[ $format == svg || $format == png ]] || die "'$target': the name of the picture ends in .svg or .png"
[[ -s $file ]] || die "no trace in '$file'; write one with build/simrun --time --timeline $file --cycles $cycles"
[[ -d $(dirname "$target") ]] || die "no folder '$(dirname "$target")' for the picture"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/{slots,style}.gp "$work"
awk -v first="${cycles%,*}" -v count="${cycles#*,}" -v scheduler=0 -v out="$work" -v name="${file//\\/\\\\}" \
    -f "$here/slots.awk" <"$file" || exit 1
# The title is text: escaped for gnuplot's enhanced mode, in single quotes, where gnuplot looks for nothing.
title=$(sed 's/[\\{}^_@&~]/\\&/g' <<<"${title//$'\n'/ }")
echo "what = '${title//\'/\'\'}'" >>"$work/facts.gp"
plot "$work" "$format" slots.gp ''
put "$work/chart" "$target"
