# Prints a step.c without the texts that only --list and the kernel's compiler read: flags and idea
# of a variant, title and idea of a step become NULL. The tables are positional
# (common/harness/step.h): these are the second and third member of a variant, the third and fourth
# of a step.
{ text = text $0 "\n" }
# Returns a table's text from its opening brace on, with members `first` to `last` at this depth of
# braces replaced by NULL.
function terse(table, deep, first, last,    i, c, depth, nesting, member, quoted, kept, out) {
    for (i = 1; i <= length(table); i++) {
        c = substr(table, i, 1)
        if (c == "\"" && substr(table, i - 1, 1) != "\\") quoted = !quoted
        if (!quoted && c == "/" && substr(table, i, 2) == "//") { i += index(substr(table, i), "\n") - 2; continue }
        if (!quoted && c == "{" && ++depth == deep) member = 1
        kept = !(depth == deep && member >= first && member <= last)
        if (!quoted && c == "(") nesting++
        if (!quoted && c == ")") nesting--
        if (!quoted && !nesting && depth == deep && c == ",") { out = out (kept ? "" : " NULL") ","; member++; continue }
        if (!quoted && c == "}") depth--
        if (kept) out = out c
        if (depth == 0 && i > 1) break
    }
    rest = substr(table, i + 1)
    return out
}
END {
    while (match(text, /struct (variant [a-z_]+\[\]|step [a-z_0-9]+) = \{\n? *[{"]/)) {
        head = substr(text, RSTART, RLENGTH)
        at = RSTART + index(head, "{") - 1
        printf "%s", substr(text, 1, at - 1)
        printf "%s", head ~ /variant/ ? terse(substr(text, at), 2, 2, 3) : terse(substr(text, at), 1, 3, 4)
        text = rest
    }
    printf "%s", text
}
