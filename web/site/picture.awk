# What picture.sed leaves, without groups that hold nothing; a text in a group of its own takes the group's place.
# Neighbouring areas of one colour are one path; rectangles are strokes, as thick as they are high (one alone is shorter as an area), and filled points strokes of no
# length with round ends, those of one colour and size one path. Points that a chart has none of are not defined.
function put(line) { lines[++count] = line; if (line !~ /^<[a-z]+ [^>]*id='gp/) used = used || line ~ /#gp/ }
function dots_end() { if (dots != "") put("<path stroke=\"" ink "\" stroke-width=\"" 2.2 * scale "\" stroke-linecap=\"round\" d=\"" dots "\"/>"); dots = "" }
function bars_end() {
    if (bar_count == 1) put("<path fill=\"" fill "\" d=\"" bar "\"/>")
    if (bar_count > 1) put("<path stroke=\"" fill "\" stroke-width=\"" high "\" d=\"" bars "\"/>")
    bars = ""; bar_count = 0
}
function hex(colour,    part) { return split(colour, part, /[(,)]/) == 5 ? sprintf("#%02x%02x%02x", part[2], part[3], part[4]) : colour }
function flush() { dots_end(); bars_end(); if (path != "") put("<path fill=\"" fill "\" d=\"" path "\"/>"); path = ""; if (held != "") put(held); held = "" }
function out(line) { flush(); put(line) }
match($0, /^<polygon fill = '[^']*' points = '[^']*'\/>$/) {
    split($0, part, "'")
    if (held != "" || dots != "" || hex(part[2]) != fill) flush()
    fill = hex(part[2])
    split(part[4], at, /[ ,]/)
    if (split(part[4], corners, " ") == 4 && at[2] == at[4] && at[3] == at[5] && at[6] == at[8] && at[7] == at[1]) {
        if (path != "" || at[2] - at[6] != high) flush()
        high = at[2] - at[6]
        bars = bars "M" at[1] "," (at[2] + at[6]) / 2 "h" at[3] - at[1]
        bar = "M" at[1] "," at[2] "H" at[3] "V" at[6] "H" at[1] "z"
        bar_count++
    } else {
        bars_end()
        sub(/ /, "L", part[4])
        path = path "M" part[4] "z"
    }
    next
}
/^<use xlink:href='#gpPt6' transform='translate\([0-9.]*,[0-9.]*\) scale\([0-9.]*\)' color='[^']*'\/>$/ {
    split($0, part, /[(),]|' color='|'\/>$/)
    match($0, / color='[^']*'/)
    colour = substr($0, RSTART + 8, RLENGTH - 9)
    if (dots == "" || colour != ink || part[5] != scale) flush()
    ink = colour
    scale = part[5]
    dots = dots "M" part[2] "," part[3] "h0"
    next
}
/^<g>$/ { flush(); held = $0; next }
/^<\/g>$/ && held != "" { held = ""; next }
match($0, /<g transform=[^>]*>$/) {
    before = substr($0, 1, RSTART - 1); group = substr($0, RSTART + 2)
    getline text
    getline end
    if (text ~ /^<text>/ && end == "</g>") {
        if (sub(/ transform="translate\([0-9.-]*,[0-9.-]*\)"/, "&", group)) {
            sub(/ transform="translate\(/, " x=\"", group); sub(/,/, "\" y=\"", group); sub(/\)"/, "\"", group)
        }
        if (text == "<text></text>") { if (before != "") out(before) } else out(before "<text" group substr(text, 7))
    } else { out($0); put(text); put(end) }
    next
}
{ out($0) }
END { flush(); for (i = 1; i <= count; i++) if (used || lines[i] !~ /id='gp(Dot|Pt[0-9]+)'/) print lines[i] }
