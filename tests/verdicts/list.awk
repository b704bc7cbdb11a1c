# The kernels of a file of tests/verdicts: a line each, "NAME<tab>ARGUMENTS OF SIMRUN<tab>WHAT IT MUST SAY". A kernel's `// run:` and
# `// says:` lines stand before it; what it must say is the first finding as tools/findings.py prints it, empty where nothing is wrong. Behind
# `// warns:` stands that of a warning, with which all ends well. Behind
# `of 13.0: ` stands what only nvcc 13.0's code of the kernel makes it say.
/^\/\/ run: / { run = substr($0, 9) }
/^\/\/ says: / { says = substr($0, 10) }
/^\/\/ warns: / { says = "warning " substr($0, 11) }
/^extern "C" __global__/ || /^\.kernel / {
    name = $0
    sub(/^\.kernel +/, "", name)
    sub(/^.*[ )]void +(__launch_bounds__\([^)]*\) +)?/, "", name)
    sub(/[ (].*/, "", name)
    if (run != "") printf "%s\t%s\t%s\n", name, run, says
    run = says = ""
}
