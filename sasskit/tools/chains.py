#!/usr/bin/env python3
"""Prints PTX of chains of dependent instructions, in which ptxas keeps only the distances that it
must keep between a producer and its reader.

    chains.py --arch sm_86 [--kernels 200] [--operations 50] [--seed 1] [--uniform] > chains.ptx
    ptxas -arch=sm_86 chains.ptx -o chains.cubin && build/sass distances chains.cubin

Each kernel is one chain: an operation drawn at random reads the value of the operation before it.
The value's type says which operations may follow. --uniform: chains of values that are the same for
a whole block, which ptxas computes on the uniform datapath. sasskit/docs/distances.md says what
follows from the distances.
"""
import argparse
import random

# PTX operations by the type of the value that they read. In their text, @S is that value (@@S as a
# guard), @D the result and @K a byte offset. Other registers are loaded at the start: i integers, f
# floats, d doubles, h pairs of halves, l 64-bit integers, x pairs of floats, p predicates.
INTEGERS = [
    "add.s32 @D,@S,%i1;", "sub.s32 @D,%i1,@S;", "and.b32 @D,@S,%i1;", "xor.b32 @D,@S,%i2;",
    "lop3.b32 @D,@S,%i1,%i2,0x6a;", "shl.b32 @D,@S,3;", "shf.l.wrap.b32 @D,@S,%i1,%i2;",
    "shf.r.wrap.b32 @D,%i1,%i2,@S;", "shr.u32 @D,@S,%i1;", "mad.lo.s32 @D,@S,%i1,%i2;",
    "mad.lo.s32 @D,%i1,%i2,@S;", "mul.lo.s32 @D,@S,%i1;", "min.s32 @D,@S,%i1;",
    "max.u32 @D,@S,%i2;", "prmt.b32 @D,@S,%i1,0x2541;", "prmt.b32 @D,%i1,@S,%i2;", "abs.s32 @D,@S;",
    "add.s32 @D,@S,1234;", "mul.hi.u32 @D,@S,%i1;", "mad.hi.u32 @D,%i1,%i2,@S;",
    "bfe.s32 @D,@S,3,7;", "dp4a.s32.s32 @D,@S,%i1,%i2;", "dp4a.s32.s32 @D,%i1,%i2,@S;",
    "sad.s32 @D,@S,%i1,%i2;", "bmsk.clamp.b32 @D,@S,%i1;", "selp.b32 @D,@S,%i1,%p1;",
    "selp.b32 @D,%i1,@S,%p1;", "szext.clamp.s32 @D,@S,%i1;",
]
FLOATS = [
    "add.f32 @D,@S,%f1;", "sub.f32 @D,%f1,@S;", "mul.f32 @D,@S,%f1;", "fma.rn.f32 @D,@S,%f1,%f2;",
    "fma.rn.f32 @D,%f1,@S,%f2;", "fma.rn.f32 @D,%f1,%f2,@S;", "min.f32 @D,@S,%f1;",
    "max.f32 @D,@S,%f2;", "abs.f32 @D,@S;", "neg.f32 @D,@S;", "selp.f32 @D,@S,%f1,%p1;",
    "copysign.f32 @D,@S,%f1;", "copysign.f32 @D,%f2,@S;",
]
DOUBLES = [
    "add.f64 @D,@S,%d1;", "mul.f64 @D,@S,%d1;", "fma.rn.f64 @D,@S,%d1,%d2;",
    "fma.rn.f64 @D,%d1,%d2,@S;",
]
HALVES = [
    "add.f16x2 @D,@S,%h1;", "mul.f16x2 @D,@S,%h1;", "fma.rn.f16x2 @D,@S,%h1,%h2;",
    "fma.rn.f16x2 @D,%h1,%h2,@S;", "fma.rn.f16x2 @D,%h1,@S,%h2;",
]
LONGS = [
    "add.s64 @D,@S,%l1;", "and.b64 @D,@S,%l1;", "mul.lo.s64 @D,@S,%l1;", "shl.b64 @D,@S,5;",
    "mad.lo.s64 @D,@S,%l1,%l2;",
]
PAIRS = [
    "fma.rn.f32x2 @D,@S,%x1,%x2;", "fma.rn.f32x2 @D,%x1,%x2,@S;", "add.rn.f32x2 @D,@S,%x1;",
    "mul.rn.f32x2 @D,@S,%x1;",
]
PREDICATE_TO_INTEGER = [
    "selp.b32 @D,%i1,%i2,@S;", "mov.b32 @D,%i2;\n@@S add.s32 @D,%i1,77;",
    "mov.b32 @D,%i2;\n@@S mad.lo.s32 @D,%i1,%i2,%i2;",
    "mov.b32 @D,%i1;\n@@S lop3.b32 @D,%i1,%i2,%i2,0x96;", "vote.sync.ballot.b32 @D,@S,-1;",
    "mov.b32 @D,%i1;\n@@S ld.global.u32 @D,[%ga];", "mov.b32 @D,%i1;\n@@S ld.shared.u32 @D,[%sa];",
    "mov.b32 @D,%i1;\n@@S shf.l.wrap.b32 @D,%i1,%i2,%i1;",
]
PREDICATE_TO_FLOAT = [
    "selp.f32 @D,%f1,%f2,@S;", "mov.b32 @D,%f2;\n@@S fma.rn.f32 @D,%f1,%f2,%f2;",
    "mov.b32 @D,%f1;\n@@S add.f32 @D,%f1,%f2;", "mov.b32 @D,%f1;\n@@S mul.f32 @D,%f1,%f2;",
    "mov.b32 @D,%f1;\n@@S ex2.approx.ftz.f32 @D,%f1;",
]
BITS = ["mov.b32 @D,@S;"]
BITS_64 = ["mov.b64 @D,@S;"]
# Operations of slow units and of memory. Some use the value as an address.
INTEGER_AWAY = [
    "ld.shared.u32 @D,[@S];", "shfl.sync.bfly.b32 @D,@S,1,0x1f,-1;", "popc.b32 @D,@S;",
    "brev.b32 @D,@S;", "cvt.rn.f32.s32 %fx,@S;\nmov.b32 @D,%fx;", "bfind.u32 @D,@S;",
    "redux.sync.add.s32 @D,@S,-1;",
]
FLOAT_AWAY = [
    "ex2.approx.ftz.f32 @D,@S;", "rcp.approx.ftz.f32 @D,@S;",
    "cvt.rzi.s32.f32 %ix,@S;\nmov.b32 @D,%ix;",
]
LONG_AWAY = [
    "ld.global.u32 %ix,[@S];\nmov.b64 @D,{%ix,%i1};", "st.global.u32 [@S],%i1;\nmov.b64 @D,@S;",
    "atom.global.add.u32 %ix,[@S],%i1;\nmov.b64 @D,{%ix,%i2};",
]
STORES = [
    "st.shared.u32 [%sa+@K],@S;", "st.shared.u32 [@S],%i1;", "st.global.u32 [%ga+@K],@S;",
    "red.shared.add.u32 [@S],%i2;",
]
# For each type of value, the operations that may read it: (type of their result, texts, weight).
FOLLOWS = {
    "i": [
        ("i", INTEGERS, 14),
        ("p", ["setp.lt.s32 @D,@S,%i1;", "setp.eq.u32 @D,@S,%i2;",
               "setp.gt.and.s32 @D,@S,%i1,%p1;"], 4),
        ("f", BITS, 2),
        ("l", ["mul.wide.u32 @D,@S,%i1;", "mad.wide.s32 @D,@S,%i1,%l1;", "cvt.s64.s32 @D,@S;"], 3),
        ("h", BITS, 1),
        ("i", INTEGER_AWAY, 2),
    ],
    "f": [
        ("f", FLOATS, 12), ("p", ["setp.lt.f32 @D,@S,%f1;", "setp.neu.and.f32 @D,@S,%f2,%p1;"], 3),
        ("i", BITS, 2),
        ("f", FLOAT_AWAY, 1),
    ],
    "d": [("d", DOUBLES, 6), ("p", ["setp.lt.f64 @D,@S,%d1;"], 1), ("l", BITS_64, 2)],
    "h": [("h", HALVES, 6), ("p", ["setp.lt.f16x2 @D|%q9,@S,%h1;"], 1), ("i", BITS, 2)],
    "l": [
        ("l", LONGS, 5),
        ("i", ["{.reg .b32 t;\nmov.b64 {t,@D},@S;}", "{.reg .b32 t;\nmov.b64 {@D,t},@S;}"], 3),
        ("d", BITS_64, 1),
        ("l", LONG_AWAY, 1),
    ],
    "p": [
        ("p", ["and.pred @D,@S,%p1;", "xor.pred @D,@S,%p1;", "setp.lt.and.s32 @D,%i1,%i2,@S;",
               "setp.lt.or.f32 @D,%f1,%f2,@S;",
               "not.pred @D,@S;"], 2),
        ("i", PREDICATE_TO_INTEGER, 4), ("f", PREDICATE_TO_FLOAT, 3),
        ("d", ["mov.b64 @D,%d2;\n@@S add.f64 @D,%d1,%d2;"], 1),
    ],
    "x": [("x", PAIRS, 6), ("l", BITS_64, 2)],
}
TYPES = {"i": ".b32", "f": ".f32", "d": ".f64", "h": ".b32", "l": ".b64", "p": ".pred", "x": ".b64"}
STORED = {"i": "u32", "f": "f32", "d": "f64", "h": "u32", "l": "u64", "x": "u64"}

UNIFORM = [
    "add.s32 @D,@S,%u1;", "add.s32 @D,@S,77;", "and.b32 @D,@S,%u2;", "lop3.b32 @D,@S,%u1,%u2,0x6a;",
    "shl.b32 @D,@S,3;", "shr.u32 @D,@S,5;", "mad.lo.s32 @D,@S,%u1,%u2;",
    "mad.lo.s32 @D,%u1,%u2,@S;", "mul.lo.s32 @D,@S,%u1;", "prmt.b32 @D,@S,%u1,0x2541;",
    "shf.l.wrap.b32 @D,@S,%u1,%u2;",
    "{.reg .pred p;\nsetp.lt.s32 p,@S,%u1;\nselp.b32 @D,%u2,@S,p;}", "mul.hi.u32 @D,@S,%u1;",
    "{.reg .b64 t;mul.wide.u32 t,@S,%u1;\n{.reg .b32 x;\nmov.b64 {x,@D},t;}}", "min.s32 @D,@S,%u1;",
    "xor.b32 @D,@S,%u2;", "popc.b32 @D,@S;",
    "{.reg .b64 a,b;\nmul.wide.s32 a,@S,%u1;\nadd.s64 b,a,%l;\n{.reg .b32 x;\nmov.b64 {@D,x},b;}}",
]
# Instructions outside the chain that read a uniform value. A random number from 0 to 1, drawn per
# operation, chooses the first entry whose limit is above it, if any. @N numbers a label.
UNIFORM_READERS = [
    (0.15, "{.reg .b32 a;\nadd.s32 a,%acc,@S;\nst.volatile.global.u32 [%gt+@K],a;}"),
    (0.30, "{.reg .b64 a;\nmul.wide.u32 a,@S,4;\nadd.s64 a,a,%ga;\n"
           "ld.volatile.global.u32 %ld,[a];\nxor.b32 %acc,%acc,%ld;}"),
    (0.40, "setp.eq.s32 %pu,@S,%u2;\n@%pu bra L@N;\nst.volatile.global.u32 [%gt],%acc;\nL@N:"),
    (0.50, "mad.lo.s32 %acc,%tt,@S,%acc;"),
    (0.55, "{.reg .f32 t,w;\nmov.b32 t,@S;\nmov.b32 w,%tt;\nfma.rn.f32 t,w,t,t;\n"
           "st.volatile.global.f32 [%gt+64],t;}"),
    (0.60, "st.volatile.shared.u32 [@S],%tt;"),
]


def fill(text, made="", read="", number=0, step=4):
    return (text.replace("@D", made).replace("@S", read)
            .replace("@K", str(step * number)).replace("@N", str(number)))


def chain(name, operations, table, start):
    """Returns a kernel's lines: a chain of values of the types of `table`, from type `start` on."""
    lines = [
        f".visible .entry {name}(.param .u64 g){{",
        ".reg .b32 %i<4>;.reg .f32 %f<4>;.reg .f64 %d<4>;.reg .b32 %h<4>;.reg .b64 %l<4>;"
        ".reg .b64 %x<4>;.reg .pred %p<4>;",
        ".reg .pred %q9;.reg .b64 %ga;.reg .b32 %sa;.reg .b32 %ix;.reg .f32 %fx;.reg .b32 %tt;"
        ".shared .b32 sm[1024];",
        "ld.param.u64 %ga,[g];mov.u32 %tt,%tid.x;mul.wide.u32 %l1,%tt,4;add.s64 %ga,%ga,%l1;"
        "mov.u32 %sa,sm;",
        "mad.lo.s32 %sa,%tt,4,%sa;",
    ]
    at = 0
    for kind, size in (("i", "u32"), ("f", "f32"), ("h", "u32"), ("l", "u64"), ("d", "f64"),
                       ("x", "u64")):
        for k in (1, 2):
            lines.append(f"ld.volatile.global.{size} %{kind}{k},[%ga+{at}];")
            at += 1024
    lines.append("setp.lt.s32 %p1,%i1,%i2;bar.sync 0;")
    kind, value = start, f"%{start}1"
    for j in range(operations):
        rows = table[kind]
        made, texts, _ = random.choices(rows, [row[2] for row in rows])[0]
        register = f"%v{j}"
        lines.append(f".reg {TYPES[made]} {register};")
        lines.append(fill(random.choice(texts), register, value, j))
        if made == "i" and random.random() < 0.08:
            lines.append(fill(random.choice(STORES), "", register, j, 16))
        kind, value = made, register
    if kind == "p":
        lines.append(f".reg .b32 %last;selp.b32 %last,1,0,{value};st.global.u32 [%ga],%last;")
    else:
        lines.append(f"st.global.{STORED[kind]} [%ga],{value};")
    return lines + ["ret;}"]


def uniform_chain(name, operations):
    """Returns a kernel's lines: a chain of values uniform in a block, and their readers."""
    lines = [
        f".visible .entry {name}(.param .u64 g,.param .u32 n1,.param .u32 n2,.param .u64 l){{",
        ".reg .b32 %u<4>;.reg .b64 %ga,%gt,%l;.reg .b32 %tt,%acc,%ld;.reg .pred %pu;",
        "ld.param.u64 %ga,[g];ld.param.u32 %u1,[n1];ld.param.u32 %u2,[n2];ld.param.u64 %l,[l];"
        "mov.u32 %u3,%ctaid.x;",
        "mov.u32 %tt,%tid.x;mul.wide.u32 %gt,%tt,4;add.s64 %gt,%ga,%gt;mov.u32 %acc,%tt;"
        "bar.sync 0;",
    ]
    value = "%u3"
    for j in range(operations):
        register = f"%v{j}"
        lines.append(f".reg .b32 {register};")
        lines.append(fill(random.choice(UNIFORM), register, value))
        value = register
        drawn = random.random()
        for share, text in UNIFORM_READERS:
            if drawn < share:
                lines.append(fill(text, "", value, j))
                break
    return lines + [f"st.global.u32 [%gt],%acc;st.global.u32 [%gt+4],{value};ret;}}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", required=True, help="sm_NN")
    parser.add_argument("--kernels", type=int, default=200)
    parser.add_argument("--operations", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--uniform", action="store_true")
    given = parser.parse_args()
    random.seed(given.seed)
    number = int("".join(c for c in given.arch if c.isdigit()))
    table = {kind: list(rows) for kind, rows in FOLLOWS.items()}
    starts = "iiffdhlp"
    if number == 75:  # Turing has no redux.sync
        table["i"][-1] = ("i", [text for text in INTEGER_AWAY if "redux" not in text], 2)
    if number not in (80, 90, 100):  # other chips have little FP64: drawn less often
        table = {kind: [(made, texts, often * (10 if made != "d" or kind == "d" else 3))
                        for made, texts, often in rows]
                 for kind, rows in table.items()}
    if 100 <= number < 120:  # only these chips have fma.rn.f32x2
        table["l"].append(("x", BITS_64, 3 * (1 if number == 100 else 10)))
        starts += "xx"
    print(f".version 9.0\n.target {given.arch}\n.address_size 64")
    for k in range(given.kernels):
        name = f"chain_{given.seed}_{k}"
        lines = (uniform_chain(name, given.operations) if given.uniform else
                 chain(name, given.operations, table, random.choice(starts)))
        print("\n".join(lines))


if __name__ == "__main__":
    main()
