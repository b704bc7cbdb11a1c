# What picture.sed leaves, without groups that hold nothing; a text in a group of its own takes the group's place.
function out(line) { if (held != "") print held; held = ""; print line }
/^<g>$/ { if (held != "") print held; held = $0; next }
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
    } else { out($0); print text; print end }
    next
}
{ out($0) }
