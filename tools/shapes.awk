# Draws shapes of matrix products:
#
#     awk -f tools/shapes.awk SEED COUNT
#
# Prints COUNT lines, MxNxK, the same for the same seed with every awk. Of 98 shapes 60 are drawn from 1 to 12,000 in each
# dimension, by the logarithm, so that every size is as likely as its half; 18 are cubes, of 64 to 8192; 20 are of kinds that
# applications have.
function uniform() { state = state * 16807 % 2147483647; return state / 2147483647 } # Park and Miller's generator
function between(low, high) { return int(low * exp(uniform() * log((high + 1) / low))) }
function one_of(list, parts) { return parts[1 + int(uniform() * split(list, parts, " "))] }

function application(kind) {
    if (kind == 0) return between(1, 8192) "x" one_of(widths) "x" one_of(widths)       # a layer of a network, rows: tokens
    if (kind == 1) return between(49, 50000) "x" one_of(channels) "x" 9 * one_of(channels) # a convolution, rows: pixels
    if (kind == 2) return between(64, 16384) "x1x" between(64, 16384)                   # a matrix by a vector
    if (kind == 3) return "1x" between(64, 16384) "x" between(64, 16384)                # a vector by a matrix
    if (kind == 4) return between(500, 10000) "x" between(500, 10000) "x" between(1, 32) # an update of low rank
    if (kind == 5) return between(10000, 60000) "x" between(8, 64) "x" between(8, 64)   # long and narrow
    if (kind == 6) return between(16, 512) "x" between(16, 512) "x" between(1000, 65536) # inner products of long vectors
    return between(35, 100) "x" between(200, 5000) "x" between(35, 2000)                # one narrow dimension
}

BEGIN {
    if (ARGC != 3 || ARGV[1] !~ /^[1-9][0-9]*$/ || ARGV[2] !~ /^[1-9][0-9]*$/ || ARGV[1] > 999999 || ARGV[2] > 1000) {
        print "tools/shapes.awk: expected a seed up to 999999 and a number of shapes up to 1000, as in 2 300" > "/dev/stderr"
        exit 2
    }
    widths = "768 1024 2048 3072 4096 8192 11008"; channels = "64 128 256 512"
    state = ARGV[1]
    for (i = 0; i < 20; i++) uniform() # neighbouring seeds begin alike
    for (i = 0; i < ARGV[2]; i++) {
        part = i * 37 % 98 # the three kinds, mixed
        if (part < 60) print between(1, 12000) "x" between(1, 12000) "x" between(1, 12000)
        else if (part < 78) { n = between(64, 8192); print n "x" n "x" n }
        else print application(kinds++ % 8)
    }
}
