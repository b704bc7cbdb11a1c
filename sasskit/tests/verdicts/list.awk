# Prints one line per kernel of a file of sasskit/tests/verdicts: the kernel's name, simrun's
# arguments and the expected first finding, separated by tabs. They come from the comments above the
# kernel:
#   // run: ARGUMENTS     simrun's arguments
#   // each: ARGUMENTS    the same for all kernels below that have no line run:; a kernel with
#                         neither is not run
#   // says: FINDING      the first finding, an error, as sasskit/tools/findings.py prints it:
#                         KIND RULE @ TEXT OF THE SOURCE LINE, or - where there is none
#   // alone: FINDING     like says:, but the kernel has no other finding; prints "alone FINDING"
#   // warns: FINDING     the first finding is a warning, so simrun's exit status is 0
#   // notes: FINDING     the first finding is a note, so simrun's exit status is 0
# No finding is expected of a kernel that has only run:. "of 13.0: " before a finding says that only
# code of nvcc 13.0 leads to it.
/^\/\/ run: / { run = substr($0, 9) }
/^\/\/ each: / { each = substr($0, 10) }
/^\/\/ says: / { says = substr($0, 10) }
/^\/\/ alone: / { says = "alone " substr($0, 11) }
/^\/\/ warns: / { says = "warning " substr($0, 11) }
/^\/\/ notes: / { says = "note " substr($0, 11) }
/^extern "C" __global__/ || /^\.kernel / {
    name = $0
    sub(/^\.kernel +/, "", name)
    sub(/^.*[ )]void +(__launch_bounds__\([^)]*\) +)?/, "", name)
    sub(/[ (].*/, "", name)
    if (run == "") run = each
    if (run != "") printf "%s\t%s\t%s\n", name, run, says
    run = says = ""
}
