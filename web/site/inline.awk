# Prints a chart by gnuplot (the output of picture.awk) as a part of a page. `name` keeps its ids
# apart from those of other charts; SAID is its alternative text. Greys become the page's own. Any
# other colour gets a counterpart for dark pages: of the same hue, with a lightness that is visible
# there. Letters are at least 11 px high if the chart is 900 px wide, its least width in style.css.
function hex(text,    i, value) {
    value = 0; text = tolower(text)
    for (i = 1; i <= length(text); i++)
        value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
function clamp(v, low, high) { return v < low ? low : v > high ? high : v }
function hue(p, q, t) {
    if (t < 0) t++
    if (t > 1) t--
    if (t < 1 / 6) return p + (q - p) * 6 * t
    return t < 1 / 2 ? q : t < 2 / 3 ? p + (q - p) * (2 / 3 - t) * 6 : p
}
function shade(h, s, l,    p, q) {
    q = l < .5 ? l * (1 + s) : l + s - l * s; p = 2 * l - q
    return sprintf("#%02x%02x%02x", 255 * hue(p, q, h + 1 / 3), 255 * hue(p, q, h),
        255 * hue(p, q, h - 1 / 3))
}
function turned(code, is_text,    day, l_of, r, g, b, max, min, h, s, l) {
    if (length(code) == 3) {
        r = substr(code, 1, 1); g = substr(code, 2, 1); b = substr(code, 3, 1)
        code = r r g g b b
    }
    r = hex(substr(code, 1, 2)) / 255
    g = hex(substr(code, 3, 2)) / 255
    b = hex(substr(code, 5, 2)) / 255
    max = r > g ? (r > b ? r : b) : (g > b ? g : b)
    min = r < g ? (r < b ? r : b) : (g < b ? g : b)
    l = (max + min) / 2
    s = max == min ? 0 : (max - min) / (l > .5 ? 2 - max - min : max + min)
    if (s < .12) {
        if (l < .55) return "var(--ink)"
        if (l > .99) return "var(--paper)"
        if (l > .86) return "var(--rule)"
        l = 1 - .9 * l
        return sprintf("light-dark(#%s,#%02x%02x%02x)", code, 255 * l, 255 * l, 255 * l)
    }
    day = "#" code
    if (max == r) h = (g - b) / (max - min) + (g < b ? 6 : 0)
    else h = max == g ? (b - r) / (max - min) + 2 : (r - g) / (max - min) + 4
    h /= 6
    l_of = l
    # A pale colour becomes a dark one on a dark page, where it stands out as little.
    l = l > .66 ? clamp(1.04 - .85 * l, .24, .31) : clamp(1.02 - .8 * l, .5, .72)
    s = clamp(s, .25, .85)
    if (is_text) { # text must be readable on the page
        day = shade(h, s, l_of < .3 ? l_of : .3)
        l = .72
    }
    return "light-dark(" day "," shade(h, s, l) ")"
}
# Returns a line with its font sizes raised to at least `least`.
function sized(line,    out, size) {
    while (match(line, /font-size="[0-9.]+"/)) {
        size = substr(line, RSTART + 11, RLENGTH - 12)
        out = out substr(line, 1, RSTART - 1) "font-size=\"" (size < least ? least : size) "\""
        line = substr(line, RSTART + RLENGTH)
    }
    return out line
}
function coloured(line,    out, is_text) {
    is_text = line ~ /^<text/ && line !~ />[^ -~]+</ # a marker has the colour of its line
    gsub(/="black"/, "=\"#000000\"", line); gsub(/'black'/, "'#000000'", line)
    gsub(/="white"/, "=\"#ffffff\"", line); gsub(/fill:white/, "fill:#ffffff", line)
    while (match(line, /#[0-9a-fA-F]+["';]/)) {
        out = out substr(line, 1, RSTART - 1) turned(substr(line, RSTART + 1, RLENGTH - 2), is_text)
        line = substr(line, RSTART + RLENGTH - 1)
    }
    return out line
}
!begun {
    if (match($0, /viewBox="[^"]*"/)) {
        box = substr($0, RSTART, RLENGTH)
        split(box, side, /[ "]/)
        side[4] += 26 # room for half of an axis's last number, and for its title's larger letters
        least = int(side[4] * 11.05 / 9 + .5) / 100
    }
    begun = /^>$/
    next
}
/^<style>/ { next }
function plain(line) { gsub(/<[^>]*>/, "", line); return line }
function across(line) { match(line, / x="[0-9.]+"/); return substr(line, RSTART, RLENGTH) }
/^<text.*font-weight="bold"/ && !title {
    title = plain($0)
    middle = across($0)
    heading = 1
    next
}
heading && /^<text/ && across($0) == middle {
    under = under (under ? "; " : "") plain($0)
    next
}
{
    gsub(/gpPt/, name "-gpPt"); gsub(/gpDot/, name "-gpDot"); gsub(/textbox/, name "-textbox")
    gsub(/xlink:href/, "href")
    heading = 0
    line[++count] = coloured(sized($0))
    rest = in_defs ? "" : $0
    in_defs = /^<defs>/ || in_defs && !/^<\/defs>/ # their coordinates are no places in the chart
    gsub(/stroke-dasharray='[^']*'/, "", rest)
    while (match(rest, /(,| y="|V)[0-9.]+/)) {
        y = substr(rest, RSTART, RLENGTH)
        gsub(/[^0-9.]/, "", y)
        if (!top || y + 0 < top) top = y + 0
        rest = substr(rest, RSTART + RLENGTH)
    }
}
END {
    top = title && top > 20 ? top - 20 : 0
    if (title) printf "<span class=\"title\"><b>%s</b> <small>%s</small></span>", title, under
    printf "<svg class=\"plot\" viewBox=\"-10 %g %g %g\" font-size=\"%s\" role=\"img\" " \
        "aria-label=\"%s\">", top, side[4], side[5] - top, (least > 13 ? least : 13), \
        ENVIRON["SAID"]
    for (i = 1; i <= count; i++) print line[i]
}
