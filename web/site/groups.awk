# Simplifies the groups (<g>) in the output of picture.sed: one tag per line, no empty groups, and
# neighbours with equal attributes become one group.
function close_held() { if (held != "") print "</g>"; held = "" }
function put(line,    d) {
    for (d = 1; d <= depth; d++) {
        if (!written[d] && opened[d] != "<g>") {
            if (opened[d] == held) held = ""; else { close_held(); print opened[d] }
        }
        written[d] = 1
    }
    close_held()
    print line
}
{
    gsub(/<g[ >]|<\/g>/, "\n&")
    count = split($0, piece, "\n")
    for (i = 1; i <= count; i++) {
        if (piece[i] ~ /^<g[ >]/) {
            opened[++depth] = piece[i]
            written[depth] = 0
        } else if (piece[i] ~ /^<\/g>/) {
            if (written[depth] && opened[depth] != "<g>") { close_held(); held = opened[depth] }
            depth--
            sub(/^<\/g>/, "", piece[i])
            if (piece[i] ~ /[^ ]/) put(piece[i])
        } else if (piece[i] ~ /[^ ]/) put(piece[i])
    }
}
END { close_held() }
