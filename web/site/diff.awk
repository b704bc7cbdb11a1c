# Prints the output of `diff -U 100000 OLD NEW` as HTML, one line per line. With -v whole=1 it
# prints a file without a comparison. In a run of more than 12 unchanged lines, all but three beside
# each change are folded. Line 41 of NEW has the id k41. Comments, directives and keywords are
# marked.
function escaped(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); return text }
# Returns code as HTML, with the keywords of words.txt in <em>.
function worded(code, out, word) {
    while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(code, RSTART, RLENGTH)
        out = out escaped(substr(code, 1, RSTART - 1)) (word in words ? "<em>" word "</em>" : word)
        code = substr(code, RSTART + RLENGTH)
    }
    return out escaped(code)
}
function marked(text, at, code) {
    at = index(text, "//")
    code = at ? substr(text, 1, at - 1) : text
    if (code ~ /^#/) return "<b>" escaped(text) "</b>"
    return worded(code) (at ? "<i>" escaped(substr(text, at)) "</i>" : "")
}
# turn(KIND): the next lines were added ("add"), deleted ("del") or neither ("").
function turn(kind) { if (kind == is) return; printf "%s%s", is == "" ? "" : "</span>", kind == "" ? "" : "<span class=\"" kind "\">"; is = kind }
function put(text) { print "<a id=k" ++line ">" marked(text) "</a>" }
function show(from, to, i) { for (i = from; i <= to; i++) put(same[i]) }
function flush(final, head, tail) {
    if (!count) return
    turn("")
    head = began ? 3 : 0; tail = final ? 0 : 3
    if (count > 12 && !whole) {
        show(1, head)
        printf "</code></pre><details><summary>%d lines unchanged</summary><pre><code>", count - head - tail
        show(head + 1, count - tail)
        printf "</code></pre></details><pre><code>"
        show(count - tail + 1, count)
    } else show(1, count)
    count = 0
}
BEGIN { while ((getline word < "web/site/words.txt") > 0) words[word]; printf "<pre><code>" }
whole { same[++count] = $0; next }
FNR <= 2 || /^@@/ || /^\\/ { next }
/^ / { same[++count] = substr($0, 2); next }
{
    flush(0)
    began = 1
    turn(/^\+/ ? "add" : "del")
    if (/^\+/) put(substr($0, 2)); else print "<s>" marked(substr($0, 2)) "</s>"
}
END { flush(1); turn(""); print "</code></pre>" }
