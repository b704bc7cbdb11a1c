# Prints a step.c without the texts that only --list and the kernel's compiler read. These are flags
# and idea of a variant, its second and third member, and title and idea of a step, its third and
# fourth member (common/harness/step.h). Each becomes NULL.
{ text = text $0 "\n" }
# Returns `table` up to its closing brace, with members `first` to `last` at depth `deep` of braces
# replaced by NULL. Sets `rest` to the text after the table.
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
