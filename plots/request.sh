#!/usr/bin/env bash
# Draws one memory request of a warp: which lane is served from which bank (or sector), and when.
#
#     plots/request.sh FILE.csv OUT.svg|OUT.png [TITLE]     FILE.csv from `build/simrun ... --picture ADDRESS --picture-file FILE.csv`
#
# Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../tools/put.sh"
[[ $# -ge 2 && $# -le 3 ]] || die "usage: plots/request.sh FILE.csv OUT.svg|OUT.png [TITLE]"
file=$1 target=$2 format=${2##*.}
title=${3:-$(basename "$file" .csv)}
[[ $format == svg || $format == png ]] || die "'$target': the name of the picture ends in .svg or .png"
[[ -s $file ]] || die "no request in '$file'; write one with build/simrun --picture ADDRESS --picture-file $file"
[[ -d $(dirname "$target") ]] || die "no folder '$(dirname "$target")' for the picture"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/{request,style}.gp "$work"
awk -v out="$work" -v name="${file//\\/\\\\}" -f "$here/request.awk" <"$file" || exit 1
# The title is text: escaped for gnuplot's enhanced mode, in single quotes, where gnuplot looks for nothing.
title=$(sed 's/[\\{}^_@&~]/\\&/g' <<<"${title//$'\n'/ }")
echo "what = '${title//\'/\'\'}'" >>"$work/facts.gp"
plot "$work" "$format" request.gp ''
put "$work/chart" "$target"
