# Makes the output of `nvdisasm -c` and of `sass dis` comparable: prints one instruction per line,
# without control columns and addresses. Labels become addresses, and the NOPs that pad the end are
# dropped. `sass dis` prints a NaN whose bits NVIDIA's text does not show as .word, with the
# instruction in a comment; the comment then replaces the .word.
/^[.$A-Za-z_][^ ]*:$/ { label[substr($0, 1, length($0) - 1)] = count * 16; next }
sub(/^\.word 0x[0-9a-f]+ 0x[0-9a-f]+ +\/\/ /, "") { $0 = $0 " ;" }
/;$/ {
    sub(/^[ \t]*\/\*[0-9a-f]+\*\/[ \t]*/, "") # address printed by nvdisasm
    sub(/^[-0-9A-Za-z]+:[^ ]:[^ ]:[^ ]:[^ ]+ +/, "") # control columns of sass dis
    sub(/ *;$/, "")
    gsub(/[ \t]+/, " ")
    text[count++] = $0
}
END {
    while (count > 0 && text[count - 1] == "NOP") count--
    for (i = 0; i < count; i++) {
        if (match(text[i], /`\([^)]*\)/)) {
            name = substr(text[i], RSTART + 2, RLENGTH - 3)
            if (name in label) text[i] = substr(text[i], 1, RSTART - 1) sprintf("0x%x", label[name]) substr(text[i], RSTART + RLENGTH)
        }
        print text[i]
    }
}
