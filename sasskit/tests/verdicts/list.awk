# Prints one line per kernel of a file of sasskit/tests/verdicts: "NAME<tab>SIMRUN'S
# ARGUMENTS<tab>FINDING". A kernel's `// run:` and `// says:` lines stand before it. FINDING is the
# expected first finding as sasskit/tools/findings.py prints it, or empty for a correct kernel. `//
# warns:` and `// notes:` give a warning and a note, after which the exit status is 0. `// alone:`
# is like `// says:`, and there is no other finding: FINDING is then "alone " and the finding. `of
# 13.0: ` marks a finding that only nvcc 13.0's code leads to.
/^\/\/ run: / { run = substr($0, 9) }
/^\/\/ says: / { says = substr($0, 10) }
/^\/\/ alone: / { says = "alone " substr($0, 11) }
/^\/\/ warns: / { says = "warning " substr($0, 11) }
/^\/\/ notes: / { says = "note " substr($0, 11) }
/^extern "C" __global__/ || /^\.kernel / {
    name = $0
    sub(/^\.kernel +/, "", name)
    sub(/^.*[ )]void +(__launch_bounds__\([^)]*\) +)?/, "", name)
    sub(/[ (].*/, "", name)
    if (run != "") printf "%s\t%s\t%s\n", name, run, says
    run = says = ""
}
