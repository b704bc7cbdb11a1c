# Shortens the output of groups.awk:
# - A group with one text becomes the text.
# - Neighbouring areas of one colour become one path.
# - Rectangles that hide no others become strokes as thick as they are high, one path per colour and
#   height. A single rectangle stays an area, which is shorter.
# - Filled points become strokes of no length with round ends.
# - Definitions of unused points and label backgrounds are removed.
function put(line) {
    lines[++count] = line
    if (line !~ /^<[a-z]+ [^>]*id='gp/) used = used || line ~ /#gp/
    grounds = grounds || line ~ /url\(#textbox\)/
    in_ground = in_ground || line ~ /^<filter id='textbox'/
    of_ground[count] = in_ground
    if (line == "</filter>") in_ground = 0
}
function dots_end() { if (dots != "") put("<path stroke=\"" ink "\" stroke-width=\"" 2.2 * scale "\" stroke-linecap=\"round\" d=\"" dots "\"/>"); dots = "" }
function bars_end(    i, j, path, alone) {
    for (i = 1; i <= bars; i++) {
        if (kind[i] == "") continue
        path = alone = ""
        for (j = i; j <= bars; j++) {
            if (kind[j] != kind[i]) continue
            alone = path == ""
            path = path "M" left[j] "," (low[j] + high[j]) / 2 "h" right[j] - left[j]
            if (j > i) kind[j] = ""
        }
        if (alone) put("<path fill=\"" colour[i] "\" d=\"M" left[i] "," low[i] "H" right[i] "V" high[i] "H" left[i] "z\"/>")
        else put("<path stroke=\"" colour[i] "\" stroke-width=\"" low[i] - high[i] "\" d=\"" path "\"/>")
    }
    bars = 0
}
function bar(fill, x, to, bottom, top,    i, this) {
    this = fill " " bottom - top
    for (i = 1; i <= bars; i++) # overlaps up to .15 are rounding errors
        if (kind[i] != this && x + .15 < right[i] && left[i] + .15 < to && top + .15 < low[i] && high[i] + .15 < bottom) { bars_end(); break }
    kind[++bars] = this; colour[bars] = fill; left[bars] = x; right[bars] = to; low[bars] = bottom; high[bars] = top
}
function area_end() { if (path != "") put("<path fill=\"" fill "\" d=\"" path "\"/>"); path = "" }
function flush() { dots_end(); bars_end(); area_end() }
function out(line) { flush(); put(line) }
{
    while (match($0, /rgb\([0-9,]+\)/)) {
        split(substr($0, RSTART + 4, RLENGTH - 5), part, ",")
        $0 = substr($0, 1, RSTART - 1) sprintf("#%02x%02x%02x", part[1], part[2], part[3]) substr($0, RSTART + RLENGTH)
    }
}
match($0, /^<polygon fill = '[^']*' points = '[^']*'\/>$/) {
    split($0, part, "'")
    split(part[4], at, /[ ,]/)
    dots_end()
    if (split(part[4], corners, " ") == 4 && at[2] == at[4] && at[3] == at[5] && at[6] == at[8] && at[7] == at[1]) {
        area_end()
        bar(part[2], at[1], at[3], at[2], at[6])
    } else {
        bars_end()
        if (part[2] != fill) area_end()
        fill = part[2]
        sub(/ /, "L", part[4])
        path = path "M" part[4] "z"
    }
    next
}
/^<use xlink:href='#gpPt6' transform='translate\([0-9.]*,[0-9.]*\) scale\([0-9.]*\)' color='[^']*'\/>$/ {
    split($0, part, /[(),]|' color='|'\/>$/)
    match($0, / color='[^']*'/)
    colour_of_point = substr($0, RSTART + 8, RLENGTH - 9)
    bars_end()
    area_end()
    if (colour_of_point != ink || part[5] != scale) dots_end()
    ink = colour_of_point
    scale = part[5]
    dots = dots "M" part[2] "," part[3] "h0"
    next
}
/^<g transform=[^>]*>$/ {
    group = substr($0, 3)
    getline text
    getline end
    if (text ~ /^<text>/ && end == "</g>") {
        if (sub(/ transform="translate\([0-9.-]*,[0-9.-]*\)"/, "&", group)) {
            sub(/ transform="translate\(/, " x=\"", group); sub(/,/, "\" y=\"", group); sub(/\)"/, "\"", group)
        }
        if (text != "<text></text>") out("<text" group substr(text, 7))
    } else { out($0); put(text); put(end) }
    next
}
{ out($0) }
END { flush(); for (i = 1; i <= count; i++) if ((used || lines[i] !~ /id='gp(Dot|Pt[0-9]+)'/) && (grounds || !of_ground[i])) print lines[i] }
