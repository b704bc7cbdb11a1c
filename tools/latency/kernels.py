#!/usr/bin/env python3
"""Prints the kernels of the latency probes (tools/doctor.py) as source for `sass asm`.

    tools/latency/kernels.py pairs FILE PARTS PART   distances from producers of fixed latency to
                                                     consumers, from rows like those of pairs.txt:
                                                     every PARTS-th kernel from number PART on
    tools/latency/kernels.py overwrites FILE         distances between two instructions of which the
                                                     second overwrites a register (overwrites.txt)
    tools/latency/kernels.py sources FILE            when instructions of variable latency have read
                                                     their sources (sources.txt)
    tools/latency/kernels.py queue                   how many reads a register bank can queue
    tools/latency/kernels.py atomics                 the rate of atomics from one SM

Exit status: 0 success, 1 wrong usage.
"""
import re
import sys

LAST = '--:-:-:-:6'  # control field: six cycles, enough for the next instruction to read the result
IDLE = '--:-:-:Y:f'


def code(text):
    """Prints instructions separated by `;`, one per line."""
    for one in text.split(';'):
        if one.strip():
            print(f'    {one.strip()} ;')


def line(control, instruction):
    print(f'{control}  {instruction} ;')


def quiet(times):
    for _ in range(times):
        line(IDLE, 'NOP')


def each(control, text, pause):
    """Prints instructions separated by `;`, each followed by idle cycles."""
    for one in re.split('; *', text):
        if one:
            line(control, one)
            quiet(pause)


def end_of_rounds():
    line(LAST, 'IADD3 R40, R40, -0x1, RZ')
    line('--:-:-:Y:d', 'ISETP.NE.AND P6, PT, R40, RZ, PT')
    line('--:-:-:-:5', '@P6 BRA `(rounds)')
    print('    EXIT ;\n')


def lines(file):
    """Yields the rows of a file as text. A row that begins with `=` has columns for the rows below
    it (overwrites.txt)."""
    before, rest = None, ''
    with open(file, encoding='utf-8') as stream:
        for text in stream:
            if text.startswith('=|'):
                before, rest = text.rstrip('\n')[2:].split('|', 1)
            elif not text.startswith('#'):
                fields = text.rstrip('\n').split('|')
                if before is not None:
                    fields[1:] = [before] + (fields[1:] + [''])[:4] + [rest]
                yield '|'.join(fields) + '\n'


def rows(file, columns):
    """Returns the rows of a file as lists of at least `columns` fields."""
    table = [text.rstrip('\n').split('|') for text in lines(file)]
    return [row + [''] * (columns - len(row)) for row in table if len(row) > 4]


# --- pairs
# A kernel tries one producer and one consumer at distances of 1 to MOST cycles. It does so ROUNDS
# times, so that later rounds find their instructions in the cache. Before a try the register has an
# old value. The producer writes a new value, the consumer reads the register, and the kernel stores
# the consumer's result. If the distance is too short, this result comes from the old value.
#
# pairs.txt: producer|file|values|name|instruction
#            consumer|file|values|name|instruction|barrier?|before|after
# `file` is the register file (R, U, P, UP). Each letter of `values` is a class of values; a pair is
# tried if its two rows have a class in common. `before` and `after` are instructions before the
# producer and after the consumer. `barrier?` is empty if the consumer needs no write scoreboard.
MOST, ROUNDS = 14, 3


def old_value(file, values):
    if file == 'P':
        return 'ISETP.NE.AND P1, PT, RZ, RZ, PT'
    if file == 'UP':
        return 'UISETP.NE.AND UP1, UPT, URZ, URZ, UPT'
    is_global = values == 'g'
    if file == 'U':
        low = 'UR37' if is_global else '0x3' if values == 'f' else 'UR31'
        return f'UMOV UR10, {low}; UMOV UR11, {"UR39" if is_global else "0x0"}'
    low = 'R43' if is_global else 'R47' if values == 'c' else 'R31'
    return f'MOV R10, {low}; MOV R11, {"R45" if is_global else "RZ"}'


def with_new_value(text, values):
    is_global = values == 'g'
    text = text.replace('VALUE', 'R42' if is_global else 'R46' if values == 'c' else 'R30')
    text = text.replace('UVAL', 'UR36' if is_global else 'UR30')
    text = text.replace('HIGH', 'R54' if is_global else 'RZ')
    return text.replace('CONST', 'c[in]' if is_global else 'c[n]')


# Producers whose result takes two registers, R10 and R11.
WIDE = ('IMAD_WIDE', 'DADD', 'DMUL', 'DFMA', 'CS2R', 'IADD_64', 'MOV_64')


def for_word(consumer, text):
    """Returns the text; R10 and R11 are exchanged for a consumer that reads the upper word."""
    return (re.sub(r'\bR1([01])\b', lambda one: f'R1{1 - int(one[1])}', text)
            if consumer.endswith('_upper') else text)


def pair(producer, consumer, values):
    _, file, _, producer_name, producer_text = producer[:5]
    _, _, _, name, text, barrier, before, after = consumer[:8]
    print(f'.kernel {"" if file == "R" else file + "_"}{producer_name}__{name}')
    print('.threads 32\n.shared 9216\n.registers 64\n.param ptr out, ptr in, ptr scratch, i32 n')
    code('S2R R0, SR_TID.X; ULDC.64 UR4, c[descriptor]; LDC.64 R2, c[out]; IMAD.WIDE '
         'R2, R0, 0x4, R2;'
         'LDC.64 R44, c[in]; IMAD.WIDE R44, R0, 0x4, R44; MOV R42, R44; IADD3 R43, R44, 0x100, RZ;'
         'MOV R54, RZ; MOV R55, R45; LDC.64 R48, c[scratch]; IMAD.WIDE R48, R0, 0x4, R48;'
         'SHF.L.U32 R53, R0, 0x2, RZ; IADD3 R30, R53, 0x400, RZ; LOP3.LUT R31, R53, 0x4, '
         'RZ, 0x3c, !PT;'
         'IADD3 R31, R31, 0x480, RZ; MOV R32, 0x3f800000; MOV R33, 0x1; MOV R34, R30; MOV R35, RZ;'
         'MOV R36, RZ; MOV R37, 0x3ff00000; MOV R38, 0x3c003c00; LOP3.LUT R46, R53, 0x4, '
         'RZ, 0xc0, !PT;'
         'IADD3 R46, R46, {ARCH >= 100 ? 0x380 : ARCH >= 90 ? 0x210 : 0x160}, RZ;'
         'LOP3.LUT R47, R53, 0x4, RZ, 0xc0, !PT; MOV R51, 0x80000000; MOV R52, 0x440; MOV '
         f'R40, 0x{ROUNDS};'
         'ISETP.EQ.AND P3, PT, R0, 0x6, PT; ISETP.EQ.OR P3, PT, R0, 0xa, P3; UMOV UR30, 0x440;'
         'UMOV UR31, 0x8c0; UMOV UR32, 0x220; UMOV UR33, 0x1; UMOV UR34, 0x2200000; '
         'ULDC.64 UR36, c[in];'
         'UMOV UR38, UR36; UMOV UR39, UR37; UIADD3 UR37, UR36, 0x100, URZ')
    for i in range(64):
        code(f'IADD3 R50, R53, 0x{37 * i:x}, RZ; STS [R53+0x{1024 + 128 * i:x}], R50')
    print('    NOP ;\nrounds:')
    for distance in range(MOST + 1):  # try 0 has no producer: it gives the result of the old value
        each(LAST, for_word(name, old_value(file, values)), 1)
        each(LAST, 'MOV R20, RZ; UMOV UR20, URZ; ISETP.NE.AND P2, PT, RZ, RZ, PT;'
             ' UISETP.NE.AND UP2, UPT, URZ, URZ, UPT', 1)
        each(LAST, before, 1)
        quiet(3)
        if distance:
            line(f'--:-:-:{"Y" if distance > 11 else "-"}:{distance:x}',
                 for_word(name, with_new_value(producer_text, values)))
        line(f'--:-:{"1" if barrier else "-"}:-:6', text.replace('afterD', f'after{distance}', 1))
        if name == 'guard_BRA':
            quiet(1)
            line(LAST, 'MOV R20, R30')
            print(f'after{distance}:')
        line('01:-:-:Y:f', 'NOP')
        quiet(3)
        each('--:-:1:-:6' if after.startswith('LD') else LAST, after, 1)
        line('01:-:-:Y:f', 'NOP')
        line('--:2:-:-:4', 'STG.E desc[UR4][R2.64], R20')
        line('02:-:-:-:6', 'IADD3 R2, P5, R2, 0x80, RZ')
        line(LAST, 'IADD3.X R3, R3, RZ, RZ, P5, !PT')
    end_of_rounds()


def pairs(file, parts, part):
    table = rows(file, 8)
    count = 0
    for producer in (row for row in table if row[0] == 'producer'):
        for consumer in (row for row in table if row[0] == 'consumer' and row[1] == producer[1]):
            values = next((one for one in producer[2] if one in consumer[2]), '')
            if consumer[3].endswith('_upper') and producer[3] in WIDE:
                continue
            if values and count % int(parts) == int(part):
                pair(producer, consumer, values)
            count += values != ''


# --- overwrites
# A kernel tries its pair at distances of 1 to 64 cycles, three times. A try stores R20, or what the
# row's `after` writes there. If the distance is too short, this differs from the value at 64
# cycles. The first try leaves out the first instruction. If even this gives the value at 64
# cycles, the kernel cannot tell.
# Run with build/gpurun and
#     --block THREADS --arg i32[23 * THREADS]:zero=out:FILE --arg i32[1024]:random:1
OVERWRITE_DISTANCES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24,
                       28, 32, 40, 64)

# What is executed before each try; rows of overwrites.txt refer to these by name.
BEFORE = {
    'sevens': 'MOV R10, 0x7; MOV R11, 0x7; MOV R20, RZ; MOV R21, RZ; MOV R8, 0x7; MOV R9, 0x7',
    'sources': '; '.join(f'MOV R{number}, 0x7' for number in (8, 9, 10, 11, 20, 21, 22, 23)),
    'tiles': '; '.join([f'MOV R{number}, 0x3c003c00' for number in (64, 65, 66, 67, 72, 73)] +
                       [f'MOV R{number}, RZ' for number in (96, 97, 98, 99)]),
    'memory': 'MOV R10, R31; MOV R11, R31; MOV R20, RZ; MOV R21, RZ; MOV R54, RZ; MOV R55, R30; '
              'STS [R31], R33; STS [R30], R46'}


def gap(control, instruction, cycles, yields):
    """Prints the first instruction and the idle cycles after it."""
    while cycles > 0:
        now = min(cycles, 15)
        mark = yields or ('Y' if now > 11 or instruction == 'NOP' else '-')
        line(f'{control}{mark}:{now:x}', instruction)
        cycles -= now
        control, instruction = '--:-:-:', 'NOP'


def overwrite(row):
    name, before, first, first_sets, second, second_sets, after, threads, work = row[:9]
    keeps = name.startswith('reuse')  # the pair tests the operand cache of reuse flags
    print(f'.kernel {name}\n.threads {threads}\n.shared 8192\n.registers 128\n.param '
          'ptr out, ptr in')
    code('S2R R0, SR_TID.X; ULDC.64 UR4, c[descriptor]; LDC.64 R2, c[out]; IMAD.WIDE '
         'R2, R0, 0x4, R2;'
         'LDC.64 R44, c[in]; IMAD.WIDE R44, R0, 0x4, R44; SHF.L.U32 R53, R0, 0x2, RZ;'
         'IADD3 R30, R53, 0x400, RZ; IADD3 R31, R30, 0x40, RZ; MOV R32, 0x3f800000; MOV R33, 0x1;'
         'MOV R34, RZ; MOV R35, 0x40080000; MOV R36, RZ; MOV R37, 0x3ff00000; MOV R38, 0x3c003c00;'
         'MOV R39, 0x40004000; MOV R46, 0x123; MOV R47, 0x80000000; STS [R30], R53; '
         'UMOV UR30, 0x440;'
         'UMOV UR31, 0x8c0; UMOV UR33, 0x1; MOV R40, 0x3')
    for register in range(64, 112):
        code(f'MOV R{register}, {"0x3c003c00" if register < 96 else "RZ"}')
    print('    NOP ;\nrounds:')
    code('LDC.64 R2, c[out]; IMAD.WIDE R2, R0, 0x4, R2; NOP')
    print('tries:')
    for distance in OVERWRITE_DISTANCES:
        each(LAST, BEFORE.get(before, before), 2)
        if int(threads) > 32:
            line(LAST, 'BAR.SYNC.DEFER_BLOCKING 0x0')
        for one in filter(None, re.split('; *', work)):
            line('--:-:6:-:2' if re.search('MUFU|LDS', one) else '--:-:-:-:2', one)
        if distance > 0:
            yields = '' if not keeps else 'Y' if name.endswith('Y') else '-'
            gap('--:-:1:' if first_sets else '--:-:-:', first, distance, yields)
        if keeps:
            line('--:-:1:-:2' if second_sets else '--:-:-:-:a', second)
            line('3f:-:-:-:a', 'FFMA R20, R10, R32, -RZ')
            line(IDLE, 'NOP')
            quiet(2)
        else:
            line('--:-:2:-:6' if second_sets else LAST, second)
            line('3f:-:-:Y:f', 'NOP')
            quiet(6)
            each(LAST, after, 2)
        line('3f:-:-:Y:f', 'NOP')
        quiet(2)
        line('--:2:-:-:4', 'STG.E desc[UR4][R2.64], R20')
        line('02:-:-:-:6', f'IADD3 R2, P5, R2, 0x{4 * int(threads):x}, RZ')
        line(LAST, 'IADD3.X R3, R3, RZ, RZ, P5, !PT')
    end_of_rounds()


def overwrites(file):
    for row in rows(file, 9):
        overwrite(row)


# --- sources
# When does an instruction of variable latency read its sources? All warps of an SM keep the memory
# pipe (or, in rows named slow..., the MUFU unit) busy. One source register of the instruction is
# overwritten after some cycles, without a read scoreboard. out[try] counts the wrong results. In
# each thread R30 and R31 are addresses in shared memory, R42:43 and R46:47 addresses in global
# memory. Each word there holds its own address.
SOURCE_DISTANCES = (1, 2, 3, 4, 5, 6, 8, 11, 15, 22, 30, 45, 60)


def source(row):
    name, instruction, sets, _, right, wrong, expected, before, after = row[:9]
    print(f'.kernel {name}\n.threads 1024\n.shared 40960\n.registers 64\n.param ptr '
          'out, ptr scratch')
    code('S2R R0, SR_TID.X; ULDC.64 UR4, c[descriptor]; S2R R1, SR_CTAID.X; IMAD R1, R1, 0x400, R0;'
         'LDC.64 R44, c[scratch]; IMAD.WIDE R42, R1, 0x20, R44; IADD3 R46, R42, 0x10, '
         'RZ; MOV R47, R43;'
         'SHF.L.U32 R30, R0, 0x4, RZ; IADD3 R30, R30, 0x400, RZ; IADD3 R31, R30, 0x4000, RZ;'
         'LOP3.LUT R59, R30, 0x10, RZ, 0x3c, !PT; STS [R30], R30; STS [R31], R31; ULDC.64 '
         'UR40, c[scratch];'
         'STG.E desc[UR4][R42.64], R42; STG.E desc[UR4][R46.64], R46; LOP3.LUT R56, R0, 0x1f, '
         'RZ, 0xc0, !PT;'
         'SHF.L.U32 R56, R56, 0x7, RZ; IADD3 R56, R56, 0x400, RZ; MOV R40, 0x4; SHF.L.U32 '
         'R50, R1, 0x5, RZ;'
         'IADD3 R51, R50, 0x10, RZ; UMOV UR30, 0x0; UMOV UR31, 0x4000; UIADD3 UR42, '
         'UR40, 0x10, URZ;'
         'MOV R34, RZ; MOV R35, 0x40080000; MOV R36, 0x40500000; NOP')
    print('rounds:')
    code('LDC.64 R2, c[out]; NOP')
    print('tries:')
    for distance in SOURCE_DISTANCES:
        each(LAST, right, 2)
        each(LAST, before, 2)
        line(LAST, 'BAR.SYNC.DEFER_BLOCKING 0x0')
        for _ in range(4):
            line('--:-:6:-:2', 'MUFU.RCP R55, R56' if name.startswith('slow') else 'LDS R55, [R56]')
        mark = 'Y' if distance > 11 else '-'
        line(f'--:-:{"1" if sets else "-"}:{mark}:{min(distance, 15):x}', instruction)
        for left in range(distance - 15, 0, -15):
            line(f'--:-:-:Y:{min(left, 15):x}', 'NOP')
        line(LAST, wrong)
        line('21:-:-:Y:f', 'NOP')
        quiet(3)
        if after == 'COPY':
            line('--:-:1:-:6', 'LDGDEPBAR')
            line('--:-:-:-:8', 'DEPBAR.LE SB0, 0x0')
            line('--:-:1:-:6', 'LDS R20, [R30]')
        else:
            each('--:-:1:-:6' if after.startswith(('LD', 'AT')) else LAST, after, 2)
        line('01:-:-:Y:f', 'NOP')
        line('--:-:-:Y:d', f'ISETP.NE.AND P2, PT, R20, {expected}, PT')
        line('--:-:-:Y:d', 'MOV R58, 0x1')
        line('--:2:-:-:4', '@P2 REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R58')
        line('02:-:-:-:6', 'IADD3 R2, P5, R2, 0x4, RZ')
        line(LAST, 'IADD3.X R3, R3, RZ, RZ, P5, !PT')
        quiet(1)
    end_of_rounds()


def sources(file):
    for row in rows(file, 9):
        source(row)


# --- queue
# How many reads can a register bank queue? A loop alternates between P FFMAs that read two
# registers of the even bank and P that read two of the odd bank. A bank delivers one register per
# cycle, so P FFMAs need 2 P cycles of their bank. It may deliver the last registers while the next
# P FFMAs issue. If a bank can queue Q reads before issue waits, P FFMAs issue in max(P, 2 P - Q)
# cycles:
#
#     cycles per FFMA = max(1, 2 - Q / P)
#
# A kernel's name says which two operands of FFMA are read from the bank: bc (A is kept by a reuse
# flag), ab (C is RZ), ac (B is kept). In `flat` each FFMA reads one register of each bank. A
# thread stores the clock before its loop and after it.
QUEUE_FFMAS = 960


def ffma(kind, bank, i):
    # Each bank has 16 sums, so that no sum is read before it was written.
    to = 64 + 2 * (i % 16) + bank
    if kind == 'flat':
        to += 1 - 2 * bank
    a = 'R16.reuse' if kind in ('bc', 'flat') else f'R{48 + 2 * (i % 8) + bank}'
    b = 'R18.reuse' if kind == 'ac' else f'R{32 + 2 * (i % 8) + bank}'
    line('--:-:-:-:1', f'FFMA R{to}, {a}, {b}, {"RZ" if kind == "ab" else f"R{to}"}')


def store_clock():
    code('MOV R5, R8; STG.E.64 desc[UR4][R2.64], R4; EXIT')
    print()


def queue_kernel(kind, p):
    print(f'.kernel {kind}_{p}\n.threads 256\n.registers 104\n.param ptr out')
    code('ULDC.64 UR4, c[descriptor]; S2R R0, SR_TID.X; LDC.64 R2, c[out]; IMAD.WIDE R2, R0, 0x8, '
         'R2; MOV R12, 0x20')
    for register in range(16, 96):
        code(f'MOV R{register}, RZ')
    code('BAR.SYNC.DEFER_BLOCKING 0x0')
    line(IDLE, 'CS2R R4, SR_CLOCKLO')
    print('loop:')
    for i in range(QUEUE_FFMAS):
        ffma(kind, i % 2 if kind == 'flat' else i // p % 2, i)
    line(LAST, 'IADD3 R12, R12, -0x1, RZ')
    line('--:-:-:Y:d', 'ISETP.NE.AND P0, PT, R12, RZ, PT')
    line('--:-:-:-:5', '@P0 BRA `(loop)')
    quiet(1)
    line(IDLE, 'CS2R R8, SR_CLOCKLO')
    store_clock()


def queue():
    queue_kernel('flat', 1)
    for kind in ('ac', 'ab', 'bc'):
        for p in (8, 6, 5, 4, 3, 2, 1):
            queue_kernel(kind, p)


# --- atomics
# Each thread executes a loop of 16 atomics 64 times and stores the clock before and after it. A
# kernel's name is red (atomics without a result) or atom (with a result), then the addresses:
#
#     word     one word for all lanes of all warps    line     32 words of one line, for all warps
#     warp     32 words of one line per warp          lane     one line per lane
def atomic_kernel(kind, name, lane_bytes, warp_bytes):
    print(f'.kernel {kind}_{name}\n.threads 1024\n.registers 40\n.param ptr out, ptr memory')
    code('ULDC.64 UR4, c[0x0][0x208]; S2R R0, SR_TID.X; LDC.64 R2, c[out]; IMAD.WIDE '
         'R2, R0, 0x8, R2;'
         'LDC.64 R12, c[memory]; LOP3.LUT R8, R0, 0x1f, RZ, 0xc0, !PT; SHF.R.U32.HI '
         'R9, RZ, 0x5, R0;'
         f'IMAD.WIDE R12, R8, 0x{lane_bytes:x}, R12; IMAD.WIDE R12, R9, 0x{warp_bytes:x}, R12;'
         'MOV R10, 0x1; MOV R11, 0x40; BAR.SYNC.DEFER_BLOCKING 0x0')
    line(IDLE, 'CS2R R4, SR_CLOCKLO')
    print('loop:')
    for i in range(16):
        code('REDG.E.ADD.STRONG.GPU desc[UR4][R12.64], R10' if kind == 'red' else
             f'ATOMG.E.ADD.STRONG.GPU PT, R{16 + i}, desc[UR4][R12.64], R10')
    for i in range(16 if kind == 'atom' else 0):
        code(f'MOV R14, R{16 + i}')
    code('IADD3 R11, R11, -0x1, RZ; ISETP.NE.AND P0, PT, R11, RZ, PT; @P0 BRA `(loop)')
    # The result of this last atomic arrives after those of all of the thread's earlier atomics.
    code('ATOMG.E.ADD.STRONG.GPU PT, R14, desc[UR4][R12.64], R10; MOV R15, R14; CS2R '
         'R8, SR_CLOCKLO')
    store_clock()


def atomics():
    for kind in ('atom', 'red'):
        for name, lane_bytes, warp_bytes in (('word', 0, 0), ('line', 4, 0), ('warp', 4, 128),
                                             ('lane', 128, 4096)):
            atomic_kernel(kind, name, lane_bytes, warp_bytes)


PROBES = {'pairs': (pairs, 3), 'overwrites': (overwrites, 1), 'sources': (sources, 1),
          'queue': (queue, 0),
          'atomics': (atomics, 0)}

if __name__ == '__main__':
    function, count = PROBES.get((sys.argv + [''])[1], (None, 0))
    if not function or len(sys.argv) != count + 2:
        sys.exit(__doc__)
    function(*sys.argv[2:])
