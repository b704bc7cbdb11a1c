// The table of the microbenchmarks (probes). kernel.cu has their kernels; probe.h explains the
// members of a row.
#include "probe.h"

// Sources of documented figures. GUIDE is column 9.0 of the table "Throughput of Native Arithmetic
// Instructions"; OLDER is its column 8.x, for figures that no source gives for 9.0.
#define GUIDE       "CUDA C++ Programming Guide 12.6 table 4"
#define OLDER       GUIDE " (8.x)"
#define BANKS_GUIDE "CUDA C++ Programming Guide: 32 banks of 32 bits"
#define SHEET       "NVIDIA H200 data sheet"

// Results per clock and SM: 128 instructions per thread and round, each with RESULTS results.
#define RATE(WHAT, KERNEL, EXPECT, DOCUMENTED) RATE_OF(WHAT, KERNEL, 1, EXPECT, DOCUMENTED, GUIDE)
#define RATE_OF(WHAT, KERNEL, RESULTS, EXPECT, DOCUMENTED, SOURCE) \
    { \
        .group = "throughput", .what = WHAT, .variant = "", .kernel = "probe_" KERNEL, \
        .kind = PROBE_RATE, .threads = 1024, .value = 3, .results = 128 * RESULTS, \
        .expect = EXPECT, .times = 128, .documented = DOCUMENTED, .source = SOURCE \
    }

// Results per clock and SM, for one of several ways to compute a result.
#define ADVICE(WHAT, VARIANT, KERNEL, VALUE, RESULTS, EXPECT, TIMES) \
    { \
        .group = "advice", .what = WHAT, .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_RATE, .threads = 1024, .value = VALUE, .results = RESULTS, .expect = EXPECT, \
        .times = TIMES \
    }

// Cycles from one result to the next result, which depends on the first one; one warp.
#define LATENCY(WHAT, KERNEL, TIMES, EXPECT) \
    { \
        .group = "latency", .what = WHAT, .variant = "", .kernel = "probe_latency_" KERNEL, \
        .kind = PROBE_CYCLES, .threads = 32, .value = 3, .results = TIMES, .expect = EXPECT, \
        .times = TIMES \
    }

// Cycles per hop through a ring of BYTES bytes with a pointer in each 128-byte line. FETCHED hops
// first bring the ring into the caches; if FETCHED is 0, device memory serves the hops.
#define CHASE(WHAT, KERNEL, BYTES, FETCHED) \
    { \
        .group = "latency", .what = WHAT, .variant = "", .kernel = "probe_latency_" KERNEL, \
        .kind = PROBE_CYCLES, .threads = 32, .value = FETCHED, .results = 32, \
        .expect = "LDG.E.64", .times = 32, .bytes = BYTES, .step = 128 \
    }

// Cycles per __syncthreads in a block of THREADS threads.
#define BARRIER(VARIANT, THREADS) \
    { \
        .group = "latency", .what = "__syncthreads", .variant = VARIANT, \
        .kernel = "probe_barrier", .kind = PROBE_CYCLES, .threads = THREADS, .results = 16, \
        .expect = "BAR", .times = 16 \
    }

// Bytes per clock and SM: 16 loads per thread and round, WIDTH bytes each.
#define LOADS(WHAT, VARIANT, KERNEL, WIDTH, EXPECT, DOCUMENTED) \
    { \
        .group = "ceiling", .what = WHAT, .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_BYTES, .threads = 1024, .value = 3, .results = 16 * WIDTH, .expect = EXPECT, \
        .times = 16, .documented = DOCUMENTED, .source = BANKS_GUIDE \
    }

// GB/s of the device: a thread moves 8 times WIDTH bytes per round. PASSES is the number of passes
// over BYTES bytes.
#define WALK(WHAT, VARIANT, KERNEL, WIDTH, EXPECT, TIMES, BYTES, PASSES, DOCUMENTED) \
    { \
        .group = "ceiling", .what = WHAT, .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_STREAM, .threads = 1024, .results = 8 * WIDTH, .expect = EXPECT, \
        .times = TIMES, .bytes = BYTES, .passes = PASSES, .documented = DOCUMENTED, \
        .source = SHEET \
    }

// TFLOP/s of the device.
#define FLOPS(WHAT, KERNEL, EXPECT) \
    { \
        .group = "ceiling", .what = WHAT, .variant = "", .kernel = "probe_" KERNEL, \
        .kind = PROBE_FLOPS, .threads = 1024, .value = 3, .results = 128, .expect = EXPECT, \
        .times = 128 \
    }

// Cycles of a scheduler per FFMA. A scheduler has two warps; with THREADS = 128 it has one. In the
// cubins named CUBIN, banks.awk has changed the FFMAs' operands.
#define BANK(VARIANT, CUBIN) BANK_OF(VARIANT, CUBIN, 256)
#define BANK_OF(VARIANT, CUBIN, THREADS) \
    { \
        .group = "banks", .what = "FFMA operands", .variant = VARIANT, .kernel = "probe_bank", \
        .cubin = CUBIN, .kind = PROBE_BANK, .threads = THREADS, .value = 3, .results = 512, \
        .expect = "FFMA", .times = 512 \
    }

#define MEGABYTE (1ll << 20)
#define GIGABYTE (1ll << 30)

// Cycles of a round of one block, divided by RESULTS. They show how units of an SM serve a block's
// warps. In a row OWN_TIME, the kernel writes another time than that of its rounds to cycles[].
#define PIPELINE(WHAT, VARIANT, KERNEL, THREADS, VALUE, RESULTS, EXPECT, TIMES) \
    CYCLES(WHAT, VARIANT, KERNEL, THREADS, VALUE, RESULTS, EXPECT, TIMES, false)
#define OWN_TIME(WHAT, VARIANT, KERNEL, THREADS, VALUE, RESULTS, EXPECT, TIMES) \
    CYCLES(WHAT, VARIANT, KERNEL, THREADS, VALUE, RESULTS, EXPECT, TIMES, true)
#define CYCLES(WHAT, VARIANT, KERNEL, THREADS, VALUE, RESULTS, EXPECT, TIMES, OWN) \
    { \
        .group = "pipeline", .what = WHAT, .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_CYCLES, .threads = THREADS, .value = VALUE, .results = RESULTS, \
        .expect = EXPECT, .times = TIMES, .own_time = OWN \
    }
#define CODE(VARIANT, KERNEL, COUNT) \
    PIPELINE("FFMA in a loop of", VARIANT, KERNEL, 128, 0, COUNT, "FFMA", COUNT)

// Cycles per cp.async of a warp, which copies 16 bytes per lane. Each of 8 warps has TIMES of them
// per round. Devices before sm_80 have no cp.async.
#define COPIES(VARIANT, KERNEL, TIMES) \
    { \
        .group = "pipeline", .what = "copies from L1 to shared memory", .variant = VARIANT, \
        .kernel = "probe_" KERNEL, .kind = PROBE_CYCLES, .threads = 256, .value = 3, \
        .results = 8 * TIMES, .expect = "LDGSTS", .times = TIMES, .since = 80 \
    }
// Cycles per load of one scheduler, which has eight warps, while COUNT schedulers load.
#define SCHEDULER(WHAT, VARIANT, KERNEL, COUNT, EXPECT) \
    PIPELINE(WHAT " by schedulers:", VARIANT, KERNEL, 1024, COUNT, 32 * 8, EXPECT, 32)
// Cycles that a warp takes to issue COUNT loads, while the other three warps of its scheduler issue
// as many.
#define IN_A_ROW(VARIANT, KERNEL, EXPECT, COUNT) \
    OWN_TIME("issue of loads in a row", VARIANT, KERNEL, 512, 0, 1, EXPECT, COUNT)

// Cycles per load of a warp from shared memory and its 32 FFMAs, on a scheduler with two warps.
#define AMONG(VARIANT, KERNEL, EXPECT) \
    { \
        .group = "pipeline", .what = "32 FFMA and a load of shared memory", .variant = VARIANT, \
        .kernel = "probe_" KERNEL, .kind = PROBE_BANK, .threads = 256, .results = 4, \
        .expect = EXPECT, .times = 4 \
    }
// Cycles per load that hits in L2, while all SMs load. Each lane starts at its own ring slot.
#define LOADED(VARIANT, THREADS) \
    { \
        .group = "pipeline", .what = "L2 under load", .variant = VARIANT, \
        .kernel = "probe_chase_many", .kind = PROBE_LOADED, .threads = THREADS, \
        .value = 16 * MEGABYTE / 128, .results = 32, .expect = "LDG.E.64", .times = 32, \
        .bytes = 16 * MEGABYTE, .step = 128 \
    }
// Microseconds between two events around LAUNCHES launches of VALUE blocks per SM; a VALUE of 0
// means one block in all.
#define LAUNCH(VARIANT, THREADS, VALUE, SHARED, LAUNCHES) \
    { \
        .group = "pipeline", .what = "empty launch", .variant = VARIANT, \
        .kernel = "probe_nothing", .kind = PROBE_LAUNCH, .threads = THREADS, .value = VALUE, \
        .shared = SHARED, .results = 1, .expect = "", .times = 0, .passes = LAUNCHES \
    }
// Cycles from the end of a block to the start of the next block on its SM. An SM runs 16 blocks,
// one at a time.
#define TURNOVER(VARIANT, KERNEL, THREADS, SHARED) \
    { \
        .group = "pipeline", .what = "from a block to the next", .variant = VARIANT, \
        .kernel = "probe_" KERNEL, .kind = PROBE_BLOCKS, .threads = THREADS, .value = 16, \
        .shared = SHARED, .results = 1, .expect = "", .times = 0, .own_time = true \
    }
// Atomics per clock and SM, while all SMs send atomics to L2. The words of neighbouring lanes are
// LANES bytes apart, those of neighbouring warps WARPS bytes.
#define ATOMICS(WHAT, VARIANT, KERNEL, LANES, WARPS, EXPECT) \
    { \
        .group = "pipeline", .what = WHAT, .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_RATE, .threads = 512, .value = LANES | WARPS << 16, .results = 16, \
        .expect = EXPECT, .times = 16 \
    }
// Cycles from one atomic of a warp to the next one, which needs its result. COUNT lanes take part.
#define ATOMIC_CHAIN(WHAT, VARIANT, KERNEL, COUNT, LANES, EXPECT) \
    { \
        .group = "latency", .what = WHAT, .variant = VARIANT, .kernel = "probe_latency_" KERNEL, \
        .kind = PROBE_CYCLES, .threads = 32, .value = COUNT << 16 | LANES, .results = 16, \
        .expect = EXPECT, .times = 16 \
    }
// MMA_LATENCY: cycles from one MMA of a warp to the next MMA, which needs the result of the first.
// MMA: cycles of a scheduler per MMA.
#define MMA_LATENCY(VARIANT, KERNEL, EXPECT, SINCE) \
    { \
        .group = "latency", .what = "mma.sync", .variant = VARIANT, \
        .kernel = "probe_latency_" KERNEL, .kind = PROBE_CYCLES, .threads = 32, .value = 3, \
        .results = 32, .expect = EXPECT, .times = 32, .since = SINCE \
    }
#define MMA(VARIANT, KERNEL, EXPECT, SINCE) \
    { \
        .group = "pipeline", .what = "mma.sync", .variant = VARIANT, .kernel = "probe_" KERNEL, \
        .kind = PROBE_BANK, .threads = 512, .value = 3, .results = 32, .expect = EXPECT, \
        .times = 32, .since = SINCE \
    }

const struct probe machine_probes[] = {
    RATE("FP32 add", "fp32_add", "FADD", 128),
    RATE("FP32 multiply", "fp32_mul", "FMUL", 128),
    RATE("FP32 FMA", "fp32_fma", "FFMA", 128),
    RATE("FP64 add", "fp64_add", "DADD", 64),
    RATE("FP64 multiply", "fp64_mul", "DMUL", 64),
    RATE("FP64 FMA", "fp64_fma", "DFMA", 64),
    RATE_OF("half2 add", "half2_add", 2, "HADD2|HFMA2", 256, GUIDE),
    RATE_OF("half2 multiply", "half2_mul", 2, "HMUL2|HFMA2", 256, GUIDE),
    RATE_OF("half2 FMA", "half2_fma", 2, "HFMA2", 256, GUIDE),
    RATE("int add", "int_add", "IADD3|VIADD|IMAD.IADD", 64),
    RATE("int add of three", "int_add_three", "IADD3", 0),
    RATE("int multiply", "int_mul", "IMAD", 64),
    RATE("int multiply-add", "int_mad", "IMAD", 64),
    RATE("int shift", "int_shift", "SHF", 64),
    RATE("int compare + select", "int_compare", "ISETP.GE", 0),
    RATE("int min", "int_min", "VIMNMX", 64),
    RATE("int max", "int_max", "VIMNMX", 64),
    RATE("int logic", "int_logic", "LOP3", 64),
    RATE_OF("popc", "int_popc", 1, "POPC", 16, OLDER),
    RATE_OF("brev", "int_brev", 1, "BREV", 16, OLDER),
    RATE_OF("clz", "int_clz", 1, "FLO", 16, OLDER),
    RATE("bit field extract", "int_bfe", "SGXT", 64),
    RATE("bit field insert", "int_bfi", "LOP3", 64),
    RATE("funnel shift", "int_funnel", "SHF", 0),
    RATE("rcp", "rcp", "MUFU.RCP", 16),
    RATE("rsqrt", "rsqrt", "MUFU.RSQ", 16),
    RATE("sqrt", "sqrt", "MUFU.SQRT", 16),
    RATE("sin", "sin", "MUFU.SIN", 16),
    RATE("cos", "cos", "MUFU.COS", 16),
    RATE("exp2", "exp2", "MUFU.EX2", 16),
    RATE("log2", "log2", "MUFU.LG2", 16),
    RATE("int8 to int32", "byte_to_int", "PRMT", 64),
    RATE("int32 to float", "int_to_float", "I2FP", 16),
    RATE("float to int32", "float_to_int", "F2I", 16),
    RATE("float to half", "float_to_half", "F2F", 16),
    RATE_OF("two floats to half2", "floats_to_half2", 2, "F2FP", 0, GUIDE),
    RATE("half to float", "half_to_float", "HADD2.F32", 16),
    RATE("double to float", "double_to_float", "F2F", 0),
    RATE("float to double", "float_to_double", "F2F", 0),
    RATE("double to int32", "double_to_int", "F2I", 0),
    RATE("int32 to double", "int_to_double", "I2F", 0),
    RATE("warp shuffle", "shuffle", "SHFL", 32),
    RATE("compare + warp vote", "vote", "VOTE", 0),
    {
        .group = "throughput",
        .what = "__syncthreads",
        .variant = "",
        .kernel = "probe_barrier",
        .kind = PROBE_RATE,
        .threads = 1024,
        .results = 16,
        .expect = "BAR",
        .times = 16,
        .documented = 16,
        .source = OLDER,
    },

    LATENCY("FFMA", "fma", 64, "FFMA"),
    LATENCY("DFMA", "fp64", 64, "DFMA"),
    LATENCY("HFMA2", "half2", 64, "HFMA2"),
    LATENCY("IMAD", "mul", 64, "IMAD"),
    LATENCY("SHF", "shift", 64, "SHF"),
    LATENCY("MUFU.RSQ", "rsqrt", 64, "MUFU.RSQ"),
    LATENCY("SHFL", "shuffle", 64, "SHFL"),
    LATENCY("shared memory", "shared", 64, "LDS"),
    LATENCY("shared memory; 64 bits", "shared_64", 64, "LDS.64"),
    LATENCY("shared memory; 128 bits", "shared_128", 64, "LDS.128"),
    LATENCY("constant memory", "constant", 64, "LDC"),
    CHASE("L1", "l1", 16384, 128),
    CHASE("L2", "l2", 4 * MEGABYTE, 32768),
    CHASE("DRAM", "l2", 256 * MEGABYTE, 0),
    BARRIER("32 threads", 32),
    BARRIER("256 threads", 256),
    BARRIER("1024 threads", 1024),
    ATOMIC_CHAIN("atomic in L2", "one lane", "atom", 1, 4, "ATOMG"),
    ATOMIC_CHAIN("atomic in L2", "32 lanes; one word", "atom", 32, 0, "ATOMG"),
    ATOMIC_CHAIN("atomic in L2", "32 lanes; one line", "atom", 32, 4, "ATOMG"),
    ATOMIC_CHAIN("atomic in L2", "32 lanes; 32 lines", "atom", 32, 128, "ATOMG"),
    ATOMIC_CHAIN("compare and swap", "one lane", "cas", 1, 4, "ATOMG.E.CAS"),
    LATENCY("membar.gl", "fence", 16, "MEMBAR"),
    LATENCY("store and membar.gl", "stored", 16, "MEMBAR"),
    MMA_LATENCY("half; 16x8x8", "mma_half_8", "HMMA.1688.F32", 75),
    MMA_LATENCY("half; 16x8x16", "mma_half_16", "HMMA.16816.F32", 80),
    MMA_LATENCY("TF32; 16x8x4", "mma_tf32_4", "HMMA.1684.F32.TF32", 80),
    MMA_LATENCY("TF32; 16x8x8", "mma_tf32_8", "HMMA.1688.F32.TF32", 80),
    MMA_LATENCY("bytes; 16x8x32", "mma_byte_32", "IMMA.16832", 80),
    MMA_LATENCY("double; 8x8x4", "mma_double_4", "DMMA.8x8x4", 80),
    MMA_LATENCY("double; 16x8x16", "mma_double_16", "DMMA.16x8x16", 90),

    FLOPS("FP32 FMA", "fp32_fma", "FFMA"),
    FLOPS("FP64 FMA", "fp64_fma", "DFMA"),
    LOADS("shared memory", "32-bit loads", "shared_32", 4, "LDS", 128),
    LOADS("shared memory", "64-bit loads", "shared_64", 8, "LDS.64", 128),
    LOADS("shared memory", "128-bit loads", "shared_128", 16, "LDS.128", 128),
    LOADS("L1", "32-bit loads", "l1_32", 4, "LDG.E", 0),
    LOADS("L1", "128-bit loads", "l1_128", 16, "LDG.E.128", 0),
    LOADS("L1", "one word for all lanes", "l1_one", 4, "LDG.E", 0),
    WALK("L2", "read", "read", 16, "LDG.E.128", 8, 16 * MEGABYTE, 1024, 0),
    WALK("DRAM", "read", "read", 16, "LDG.E.128", 8, 4 * GIGABYTE, 1, 4800),
    WALK("DRAM", "write", "write", 16, "STG.E.128", 8, 4 * GIGABYTE, 1, 4800),
    WALK("DRAM", "copy", "copy", 32, "LDG.E.128|STG.E.128", 16, 4 * GIGABYTE, 1, 4800),

    ADVICE("divide floats", "x / y", "divide", 1, 16, "MUFU.RCP", 16),
    ADVICE("divide floats", "__fdividef", "divide_fast", 1, 16, "MUFU.RCP", 16),
    ADVICE("divide floats", "x * reciprocal", "divide_reciprocal", 1, 16, "FMUL", 16),
    ADVICE("reciprocal root", "1 / sqrtf(x)", "rsqrt_divided", 1, 16, "MUFU", 32),
    ADVICE("reciprocal root", "rsqrtf(x)", "rsqrt_direct", 1, 16, "MUFU.RSQ", 16),
    ADVICE("sine", "sinf near 1", "sinf", 0x3f800000, 4, "F2I", 4),
    ADVICE("sine", "sinf near 200000", "sinf", 0x48435000, 4, "F2I", 4),
    ADVICE("sine", "__sinf near 1", "sinf_fast", 0x3f800000, 4, "MUFU.SIN", 4),
    ADVICE("unsigned division", "by a variable", "quotient_variable", 7, 16, "IMAD.HI", 16),
    ADVICE("unsigned division", "by one that changes", "quotient_changing", 7, 16, "MUFU.RCP", 16),
    ADVICE("unsigned division", "by 7", "quotient_constant", 7, 16, "IMAD.WIDE", 16),
    ADVICE("unsigned division", "by 8", "quotient_power", 7, 16, "SHF", 16),
    ADVICE("unsigned modulo", "by a variable", "modulo_variable", 7, 16, "IMAD.HI", 16),
    ADVICE("unsigned modulo", "by 7", "modulo_constant", 7, 16, "IMAD.WIDE", 16),
    ADVICE("unsigned modulo", "by 8", "modulo_power", 7, 16, "LOP3", 24),
    ADVICE("constants", "x * 0.999 + 0.5", "constant_double", 1, 32, "DFMA", 32),
    ADVICE("constants", "x * 0.999f + 0.5f", "constant_float", 1, 32, "FFMA", 32),
    ADVICE("half FMA", "half: one chain", "half_one", 1, 64, "HFMA2", 64),
    ADVICE("half FMA", "half: eight chains", "half_eight", 1, 128, "HFMA2", 64),
    ADVICE("half FMA", "half2: one chain", "half2_one", 1, 128, "HFMA2", 64),
    ADVICE("branch", "lanes differ", "branch_lane", 1, 64, "FFMA", 128),
    ADVICE("branch", "warps differ", "branch_warp", 1, 64, "FFMA", 128),
    ADVICE("branch", "predicated", "branch_predicated", 1, 64, "FFMA", 128),

    BANK("as compiled", 0),
    BANK("all even", "bank_all_even"),
    BANK("two even and one odd", "bank_two_even_one_odd"),
    BANK("A repeated without flag", "bank_a_repeated_without_flag"),
    BANK("A kept; B and C in one bank", "bank_a_kept_b_c_same_bank"),
    BANK("A kept; B and C in two banks", "bank_a_kept_b_c_other_banks"),
    BANK("A and B kept", "bank_a_and_b_kept"),
    BANK("8x8 tile", "bank_tile"),
    BANK_OF("8x8 tile; one warp", "bank_tile", 128),
    BANK("8x8 tile without flags", "bank_tile_without_flags"),
    BANK_OF("8x8 tile without flags; one warp", "bank_tile_without_flags", 128),
    BANK("8x8 tile without flags; A all even", "bank_tile_without_flags_a_even"),
    BANK("8x8 tile; C in B's bank", "bank_tile_b_c_same_bank"),
    BANK_OF("8x8 tile; C in B's bank; one warp", "bank_tile_b_c_same_bank", 128),
    BANK("8x8 tile; C in B's bank; even columns first", "bank_tile_b_c_same_bank_even_first"),
    BANK_OF("8x8 tile; C in B's bank; even columns first; one warp",
            "bank_tile_b_c_same_bank_even_first", 128),
    BANK("8x8 tile; B and C all even", "bank_tile_b_c_all_even"),
    BANK("two A in turn; even and odd; kept", "bank_a_of_two_banks_in_turn"),
    BANK("two A in turn; even and odd", "bank_a_of_two_banks_without_flags"),
    BANK("two A in turn; both even; kept", "bank_a_of_one_bank_in_turn"),

    PIPELINE("LDG hits", "lanes 4 bytes apart", "stride", 1024, 4, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 128 bytes apart", "stride", 1024, 128, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 132 bytes apart", "stride", 1024, 132, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 4096 bytes apart", "stride", 1024, 4096, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 4100 bytes apart", "stride", 1024, 4100, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 16384 bytes apart", "stride", 1024, 16384, 16 * 32, "LDG.E", 16),
    PIPELINE("LDG hits", "lanes 16388 bytes apart", "stride", 1024, 16388, 16 * 32, "LDG.E", 16),
    AMONG("32-bit loads", "among_32", "LDS"),
    AMONG("64-bit loads", "among_64", "LDS.64"),
    AMONG("128-bit loads", "among_128", "LDS.128"),
    LOADED("1 warp an SM", 32),
    LOADED("4 warps an SM", 128),
    LOADED("8 warps an SM", 256),
    LOADED("16 warps an SM", 512),
    LOADED("32 warps an SM", 1024),
    SCHEDULER("loads of shared memory", "one", "schedulers_shared", 1, "LDS"),
    SCHEDULER("loads of shared memory", "four", "schedulers_shared", 4, "LDS"),
    SCHEDULER("loads that L1 has", "one", "schedulers_l1", 1, "LDG.E"),
    SCHEDULER("loads that L1 has", "four", "schedulers_l1", 4, "LDG.E"),
    IN_A_ROW("4 of shared memory", "row_4_shared", "LDS", 4),
    IN_A_ROW("8 of shared memory", "row_8_shared", "LDS", 8),
    IN_A_ROW("12 of shared memory", "row_12_shared", "LDS", 12),
    IN_A_ROW("16 of shared memory", "row_16_shared", "LDS", 16),
    IN_A_ROW("4 that L1 has", "row_4_l1", "LDG.E", 4),
    IN_A_ROW("8 that L1 has", "row_8_l1", "LDG.E", 8),
    IN_A_ROW("16 that L1 has", "row_16_l1", "LDG.E", 16),
    PIPELINE("stores to shared memory", "32-bit", "stores_32", 1024, 3, 16 * 32, "STS", 16),
    PIPELINE("stores to shared memory", "128-bit", "stores_128", 1024, 3, 16 * 32, "STS.128", 16),
    PIPELINE("a store and a change of its source", "32-bit", "sources_32", 32, 4, 1, "STS", 1),
    PIPELINE("a store and a change of its source", "32-bit; one bank", "sources_32", 32, 128, 1,
             "STS", 1),
    PIPELINE("a store and a change of its source", "32-bit; 16 warps", "sources_32", 512, 4, 1,
             "STS", 1),
    PIPELINE("a store and a change of its source", "128-bit", "sources_128", 32, 16, 1, "STS.128",
             1),
    PIPELINE("a store and a change of its source", "128-bit; 16 warps", "sources_128", 512, 16, 1,
             "STS.128", 1),
    COPIES("128-bit", "copies", 8),
    PIPELINE("8 loads of shared memory and one from L2", "128-bit", "fills", 1024, MEGABYTE, 32,
             "LDS.128", 8),
    PIPELINE("a round of one warp", "8 FFMA", "loop_8", 32, 0, 1, "FFMA", 8),
    PIPELINE("a round of one warp", "16 FFMA", "loop_16", 32, 0, 1, "FFMA", 16),
    CODE("16 KB", "code_16", 1024),
    CODE("32 KB", "code_32", 2048),
    CODE("64 KB", "code_64", 4096),
    CODE("128 KB", "code_128", 8192),
    OWN_TIME("FFMA; 8 warps a scheduler", "the oldest warp", "choice", 1024, 0, 512, "FFMA", 512),
    OWN_TIME("FFMA; 8 warps a scheduler", "the next", "choice", 1024, 4, 512, "FFMA", 512),
    OWN_TIME("FFMA; 8 warps a scheduler", "the fifth", "choice", 1024, 16, 512, "FFMA", 512),
    OWN_TIME("FFMA; 8 warps a scheduler", "the youngest", "choice", 1024, 28, 512, "FFMA", 512),
    LAUNCH("one block of a warp", 32, 0, 0, 1),
    LAUNCH("one block of 1024 threads an SM", 1024, 1, 0, 1),
    LAUNCH("21 blocks of 1024 threads an SM", 1024, 21, 0, 1),
    LAUNCH("31 blocks of 256 threads an SM", 256, 31, 0, 1),
    LAUNCH("16 blocks of 128 threads an SM; one at a time", 128, 16, 120 << 10, 1),
    LAUNCH("one block of a warp; twice", 32, 0, 0, 2),
    LAUNCH("one block of 1024 threads an SM; twice", 1024, 1, 0, 2),
    TURNOVER("first of 4 warps; 120 KB", "turnover_first", 128, 120 << 10),
    TURNOVER("first of 32 warps; 120 KB", "turnover_first", 1024, 120 << 10),
    TURNOVER("last of 32 warps; 120 KB", "turnover_last", 1024, 120 << 10),
    TURNOVER("first of 32 warps; 220 KB", "turnover_first", 1024, 220 << 10),
    ATOMICS("atomic without result", "one word of all", "red", 0, 0, "REDG"),
    ATOMICS("atomic without result", "one line of all; 32 words", "red", 4, 0, "REDG"),
    ATOMICS("atomic without result", "a word for each warp", "red", 0, 128, "REDG"),
    ATOMICS("atomic without result", "a line for each warp; 32 words", "red", 4, 128, "REDG"),
    ATOMICS("atomic without result", "a line for each lane", "red", 128, 4096, "REDG"),
    ATOMICS("atomic without result", "floats; one word of all", "red_float", 0, 0, "REDG"),
    ATOMICS("atomic without result", "floats; a line for each warp", "red_float", 4, 128, "REDG"),
    ATOMICS("atomic with result", "one word of all", "atom", 0, 0, "ATOMG"),
    ATOMICS("atomic with result", "a line for each warp; 32 words", "atom", 4, 128, "ATOMG"),
    ATOMICS("atomic with result", "a line for each lane", "atom", 128, 4096, "ATOMG"),
    ATOMICS("compare and swap", "one word of all", "cas", 0, 0, "ATOMG.E.CAS"),
    ATOMICS("compare and swap", "a line for each warp; 32 words", "cas", 4, 128, "ATOMG.E.CAS"),
    PIPELINE("atomic in shared memory", "32 banks", "atoms", 1024, 4, 16 * 32, "ATOMS.ADD", 16),
    PIPELINE("atomic in shared memory", "one word", "atoms", 1024, 0, 16 * 32, "ATOMS.ADD", 16),
    PIPELINE("atomic in shared memory", "one bank; 32 words", "atoms", 1024, 128, 16 * 32,
             "ATOMS.ADD", 16),
    MMA("half; 16x8x8", "mma_half_8", "HMMA.1688.F32", 75),
    MMA("half; 16x8x16", "mma_half_16", "HMMA.16816.F32", 80),
    MMA("TF32; 16x8x4", "mma_tf32_4", "HMMA.1684.F32.TF32", 80),
    MMA("TF32; 16x8x8", "mma_tf32_8", "HMMA.1688.F32.TF32", 80),
    MMA("bytes; 16x8x32", "mma_byte_32", "IMMA.16832", 80),
    MMA("double; 8x8x4", "mma_double_4", "DMMA.8x8x4", 80),
    MMA("double; 16x8x16", "mma_double_16", "DMMA.16x8x16", 90),
    {.what = 0},
};
