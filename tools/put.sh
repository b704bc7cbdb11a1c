# For scripts that source it: die with one line, files that are written whole or not at all, and gnuplot.
# die TEXT [STATUS]
die() {
    local folder=${0%/*}
    echo "${folder##*/}/${0##*/}: $1" >&2
    exit "${2:-2}"
}

# put FILE TARGET: a copy of FILE under a fresh name beside TARGET, which then takes TARGET's place.
put() {
    local fresh said
    [[ ! -e $2 || -f $2 ]] || die "'$2' is not a regular file; nothing written" 1
    fresh=$(mktemp "$2.XXXXXX" 2>/dev/null) || die "cannot write '$2': no file can be made beside it" 1
    if ! said=$( (cp -- "$1" "$fresh" && chmod "$(printf %o $((0666 & ~$(umask))))" "$fresh" && mv -fT -- "$fresh" "$2") 2>&1); then
        rm -f -- "$fresh"
        die "cannot write '$2': ${said##*: }; it is as it was" 1
    fi
}

# slim CHART: gnuplot's SVG without groups for what it does not draw, SVG's own defaults, blanks at the ends of lines, hundredths of a
# pixel of each box, and marks that nothing shows (a definition comes before its uses, so the last line is looked at first).
slim() {
    sed -zi -E 's/ stroke-linecap="butt" stroke-linejoin="miter"//g; s/<g fill="none"[^>]*>\n<\/g>\n//g
        s/rgb\( *([0-9]+), *([0-9]+), *([0-9]+)\)/rgb(\1,\2,\3)/g; s/[ \t]*\n[ \t]*/\n/g' "$1"
    sed -i -E '/^<polygon/s/([0-9]\.[0-9])[0-9]([, ])/\1\2/g' "$1"
    awk '{ line[NR] = $0 }
        END { for (n = NR; n; n--) {
                  if (match(line[n], /id=.gp[A-Za-z]+[0-9]*/) && !(substr(line[n], RSTART + 4, RLENGTH - 4) in shown)) { line[n] = ""; continue }
                  for (rest = line[n]; match(rest, /#gp[A-Za-z]+[0-9]*/); rest = substr(rest, RSTART + RLENGTH)) shown[substr(rest, RSTART + 1, RLENGTH - 1)]
              }
              for (n = 1; n <= NR; n++) if (line[n] != "") print line[n] }' "$1" >"$1.slim"
    mv -f -- "$1.slim" "$1"
}

# plot FOLDER FORMAT SCRIPT SETTINGS: FOLDER/chart, whole. gnuplot runs in the folder, so that no path is part of a command.
plot() {
    rm -f "$1/chart"
    (cd "$1" && gnuplot -e "format = '$2'; $4" "$3") 2>"$1/complaints" </dev/null || {
        grep -v -e warning: -e '^ *$' "$1/complaints" >&2
        die "gnuplot failed on plots/$3" 1
    }
    if [[ $2 == svg ]]; then slim "$1/chart"; fi
    tail -c 20 "$1/chart" | grep -aqE '</svg>|IEND' || die "gnuplot wrote no whole chart of plots/$3: is there space in '${TMPDIR:-/tmp}'?" 1
}
