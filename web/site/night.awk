# Converts a picture to dark pages: greys are inverted; colours keep their hue and get a lightness
# that is visible on a dark ground, so that colours that differ keep differing.
function hex(text,    i, value) { value = 0; text = tolower(text); for (i = 1; i <= length(text); i++) value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1; return value }
function clamp(v, low, high) { return v < low ? low : v > high ? high : v }
function hue(p, q, t) { if (t < 0) t++; if (t > 1) t--; return t < 1 / 6 ? p + (q - p) * 6 * t : t < 1 / 2 ? q : t < 2 / 3 ? p + (q - p) * (2 / 3 - t) * 6 : p }
function turned(code,    r, g, b, max, min, h, s, l, p, q) {
    if (length(code) == 3) code = substr(code, 1, 1) substr(code, 1, 1) substr(code, 2, 1) substr(code, 2, 1) substr(code, 3, 1) substr(code, 3, 1)
    r = hex(substr(code, 1, 2)) / 255; g = hex(substr(code, 3, 2)) / 255; b = hex(substr(code, 5, 2)) / 255
    max = r > g ? (r > b ? r : b) : (g > b ? g : b); min = r < g ? (r < b ? r : b) : (g < b ? g : b); l = (max + min) / 2
    s = max == min ? 0 : (max - min) / (l > .5 ? 2 - max - min : max + min)
    if (s < .12) { l = 1 - .9 * l; return sprintf("#%02x%02x%02x", 255 * l, 255 * l, 255 * l) }
    h = max == r ? (g - b) / (max - min) + (g < b ? 6 : 0) : max == g ? (b - r) / (max - min) + 2 : (r - g) / (max - min) + 4
    h /= 6
    # Pale ones stay the quieter ones.
    l = l > .66 ? clamp(1.04 - .85 * l, .24, .42) : clamp(1.02 - .8 * l, .5, .72)
    s = clamp(s, .25, .85)
    q = l < .5 ? l * (1 + s) : l + s - l * s; p = 2 * l - q
    return sprintf("#%02x%02x%02x", 255 * hue(p, q, h + 1 / 3), 255 * hue(p, q, h), 255 * hue(p, q, h - 1 / 3))
}
{
    gsub(/="black"/, "=\"#000000\""); gsub(/'black'/, "'#000000'"); gsub(/"white"/, "\"#ffffff\""); gsub(/fill:white/, "fill:#ffffff")
    out = ""
    while (match($0, /#[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]([0-9a-fA-F][0-9a-fA-F][0-9a-fA-F])?/)) {
        code = substr($0, RSTART + 1, RLENGTH - 1)
        out = out substr($0, 1, RSTART - 1) turned(code)
        $0 = substr($0, RSTART + RLENGTH)
    }
    print out $0
}
