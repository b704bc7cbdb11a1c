#!/usr/bin/env python3
"""Measures libsgemm on this GPU and compares it with cuBLAS, by PyTorch. Prints rows of CSV.

python3 library/measure.py MODE [ARGUMENTS]:

    check [CALLS [SEED [PROCESSES]]]   checks random calls against float64; then graphs, threads
    threads [SECONDS]      checks that ten threads on ten streams get the bits of one thread
    shapes                 times transposes, batches, wide inputs, bad rows
    host                   times how long a call keeps the host busy
    beside [NAME]          column-major products, NN, by torch.mm and by cuBLAS: times and errors;
                           run it under LD_PRELOAD of a library that intercepts cuBLAS
    train [STEPS [BATCH]] [NAME]   a training step of GPT-2 small: times and losses, with or
                           without LD_PRELOAD
    drawn [CALLS [SEED]]   cuBLAS calls that libsgemm_cublas computes: shapes from tools/shapes.py,
                           all transposes, batches, kinds of inputs
    fp32 [SEED [OLD.so]]   the FP32 kernels (SGEMM_DISPATCH), an earlier build of the library,
                           cublasSgemm and the fastest algorithm of cublasLt alternate on 12 cubes,
                           a tall shape, 100 with sides just past a tile, 60 of tools/shapes.py,
                           parts of peeled products, and leading dimensions;
                           each product is first compared with float64
    programs [NAME]        a step of a residual MLP, and forward passes of BERT-large and ViT-L/16

NAME is the method in the rows. If it is tf32, products are in TF32; `train fp64` is in FP64.
Exit status: 0 success, 1 a call failed or was wrong, or the usage was.
"""
import copy, ctypes, itertools, math, multiprocessing, os, random, re, subprocess, sys
import threading, time
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
FLOAT, I64, INT, PTR = ctypes.c_float, ctypes.c_int64, ctypes.c_int, ctypes.c_void_p


class Problem(ctypes.Structure):
    _fields_ = [(n, INT) for n in ("order", "a", "b", "method")] + [
        (n, I64)
        for n in ("m", "n", "k", "lda", "ldb", "ldc", "batch", "stride_a", "stride_b", "stride_c")
    ] + [("device_scalars", INT), ("pointers", INT)]


class Info(ctypes.Structure):
    _fields_ = [("method", INT), ("kernel", ctypes.c_char_p), ("workspace", ctypes.c_size_t),
                ("us", ctypes.c_double), ("most_us", ctypes.c_double)]


class Extra(ctypes.Structure):
    _fields_ = [("bias", PTR), ("bias_of_columns", INT), ("source", PTR), ("lds", I64),
                ("stride_s", I64)]


AUTO, DISPATCH, SAFE = 0, 1, 2
CUDA_R_32F, COMPUTE_32F, COMPUTE_32F_PEDANTIC, GEMM_DEFAULT, PEDANTIC_MATH = 0, 68, 69, -1, 2


def library():
    lib = ctypes.CDLL(os.environ.get("LIBSGEMM", HERE + "/../build/library/libsgemm.so"))
    lib.sgemm_error.restype = ctypes.c_char_p
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    handle = PTR()
    well(lib, lib.sgemm_create(ctypes.byref(handle), None))
    return lib, handle


def well(lib, status):
    if status:
        sys.exit("libsgemm: " + lib.sgemm_error().decode())


def operand(rows, cols, transposed, batch, column_major):
    """Returns a random matrix as stored, with padding, and op() of it, (batch, rows, cols)."""
    turned = transposed != column_major
    stored = torch.empty((batch, cols, rows + random.randrange(3)) if turned else
                         (batch, rows, cols + random.randrange(3)),
                         device="cuda").uniform_(-1, 1)
    return stored, (stored[:, :, :rows].transpose(1, 2) if turned else stored[:, :, :cols])


def spoil(matrix, inputs):
    if inputs == "spots" and matrix.numel():
        matrix.view(-1)[torch.randint(0,
                                      max(matrix.numel(), 1), (max(matrix.numel() // 3000, 1), ),
                                      device="cuda")] *= 2.0**-60
    if inputs == "wide":
        matrix *= 2.0 ** torch.randint(-20, 20, matrix.shape, device="cuda")


def largest(pending, seed):
    """Returns the largest error / bound of the calls, and exits if one exceeds 1. Only this
    function waits for the device."""
    parts = torch.stack([used for used, _, _ in pending]).tolist() if pending else [0]
    for part, (_, i, what) in zip(parts, pending):
        if not part <= 1:
            sys.exit(f"call {i} of seed {seed}: {part} times the bound: {what}")
    pending.clear()
    torch.cuda.empty_cache() # leaves memory to other processes
    return max(parts)


def check(calls, seed, processes=1):
    if processes > 1:
        start = multiprocessing.get_context("fork").Process # fork is safe: CUDA has not started
        running = [
            start(target=check, args=(-(-calls // processes), seed + i)) for i in range(processes)
        ]
        for p in running:
            p.start()
        for p in running:
            p.join()
        if any(p.exitcode for p in running):
            sys.exit(1)
        return
    lib, handle = library()
    random.seed(seed)
    torch.manual_seed(seed)
    worst, pending = 0, []
    for i in range(calls):
        m, n, k = (random.choice(
            (random.randrange(4), random.randrange(1, 200), random.randrange(1, 1500)))
                   for _ in range(3))
        if i % 50 == 0:
            m, n, k = (random.randrange(1000, 5000) for _ in range(3))
        batch = random.choice((1, 1, 1, random.randrange(2, 9)))
        batch = min(batch, max((1 << 25) // max(m * n, m * k, k * n, 1), 1))
        order, ta, tb, method = random.randrange(2), random.randrange(2), random.randrange(
            2), random.randrange(3)
        alpha, beta = random.choice((1.0, 0.0, -1.5)), random.choice((0.0, 1.0, 0.25))
        inputs = random.choice(("uniform", "spots", "wide"))
        (a, op_a), (b, op_b), (c, op_c) = operand(m, k, ta, batch, order), operand(
            k, n, tb, batch, order), operand(m, n, 0, batch, order)
        spoil(a, inputs), spoil(b, inputs)
        before = op_c.double().clone() if beta else 0
        if not beta:
            c.fill_(float("nan"))
        p = Problem(order, ta, tb, method, m, n, k, max(a.shape[2], 1), max(b.shape[2], 1),
                    max(c.shape[2], 1), batch, a.stride(0), b.stride(0), c.stride(0),
                    random.randrange(4) == 0, batch > 1 and random.randrange(2))
        scalars = torch.tensor([alpha, beta], device="cuda")
        al, be = (PTR(scalars.data_ptr()),
                  PTR(scalars.data_ptr() + 4)) if p.device_scalars else (ctypes.byref(FLOAT(alpha)),
                                                                         ctypes.byref(FLOAT(beta)))
        bias = torch.rand(m, device="cuda") if random.randrange(4) == 0 else None
        extra = Extra(bias.data_ptr(), 0, None, 0, 0) if bias is not None else None
        others = [x.clone() for x in (a, b, c)]
        # Sometimes six runs on copies come first; then the library replays this product's launches
        # as a CUDA graph. These six runs add the bias only in calls with odd i.
        for of in [others] * random.choice((0, 6)) + [(a, b, c)]:
            at = [
                torch.tensor([x.data_ptr() + 4 * q * x.stride(0) for q in range(batch)],
                             device="cuda") for x in of
            ] if p.pointers else of
            well(
                lib,
                lib.sgemm_run(
                    handle, ctypes.byref(p), al, PTR(at[0].data_ptr()), PTR(at[1].data_ptr()), be,
                    PTR(at[2].data_ptr()),
                    ctypes.byref(extra) if extra and (of is not others or i % 2) else None))
        if m == 0 or n == 0:
            continue
        product, size = (op_a.double() @ op_b.double(), op_a.double().abs() @ op_b.double().abs()
                         ) if k else (torch.zeros_like(op_c).double(), ) * 2
        expected = alpha * product + beta * before + (bias.double()[:, None]
                                                      if bias is not None else 0)
        bound = abs(alpha) * size * 1.01 * (k + 2) + 4 * (
            (beta * before).abs() if beta else
            0) + 4 * expected.abs() + 4 * (bias.double()[:, None].abs() if bias is not None else 0)
        used = ((op_c.double() - expected).abs() / (bound * 2.0**-24 + 2.0**-149)).max()
        what = (f"{order}{ta}{tb} {method} {m}x{n}x{k} batch {batch} {inputs} alpha {alpha} "
                f"beta {beta} scalars {p.device_scalars} pointers {p.pointers}")
        pending.append((used, i, what))
        if len(pending) == 50:
            worst = max(worst, largest(pending, seed))
    worst = max(worst, largest(pending, seed))
    print(
        f"check,{torch.cuda.get_device_name()},{calls} calls right,seed {seed},"
        f"largest part of the bound,{worst:.3f}",
        flush=True)


def graphs(lib):
    """Captures calls, replays them on two streams at once, and compares with the calls outside of a
    graph."""
    one, zero, handle, stream = FLOAT(1), FLOAT(0), PTR(), torch.cuda.Stream()
    well(lib, lib.sgemm_create(ctypes.byref(handle), None))
    lib.sgemm_set_stream(handle, PTR(stream.cuda_stream))
    for m, n, k, ta, method in ((500, 700, 900, 0, SAFE), (500, 700, 900, 1, SAFE),
                                (768, 3072, 8192, 1, SAFE), (300, 200, 4000, 1, DISPATCH)):
        a, b = torch.rand(k, m, device="cuda") if ta else torch.rand(
            m, k, device="cuda"), torch.rand(k, n, device="cuda")
        cs = [torch.full((m, n), float("nan"), device="cuda") for _ in range(3)]
        p = Problem(0, ta, 0, method, m, n, k, m if ta else k, n, n)
        torch.cuda.synchronize()
        run = lambda c: well(
            lib,
            lib.sgemm_run(handle, ctypes.byref(p), ctypes.byref(one), PTR(a.data_ptr()),
                          PTR(b.data_ptr()), ctypes.byref(zero), PTR(c.data_ptr()), None))
        captured = []
        for c in cs[:2]:
            captured.append(torch.cuda.CUDAGraph())
            with torch.cuda.graph(captured[-1], stream=stream):
                run(c)
        run(cs[2])
        torch.cuda.synchronize()
        others = [torch.cuda.Stream() for _ in range(2)]
        for _ in range(20):
            for g, s in zip(captured, others):
                with torch.cuda.stream(s):
                    g.replay()
            run(cs[2])
        torch.cuda.synchronize()
        error = max(
            ((c.double() - (a.T if ta else a).double() @ b.double()).abs() /
             (1.01 * (k + 2) * 2.0**-24 * ((a.T if ta else a).double() @ b.double()))).max().item()
            for c in cs)
        if not error <= 1 or not torch.equal(cs[0], cs[1]) or (method == SAFE and
                                                               not torch.equal(cs[0], cs[2])):
            sys.exit(f"a graph of {m}x{n}x{k}, {error} times the bound")
    print(f"graphs,{torch.cuda.get_device_name()},replayed on two streams and equal")


def threads(lib, count=10, calls=300, seconds=0):
    """Checks that threads with own handles and streams get the bits that one thread alone gets."""
    shapes = [(m, n, k) for m in (64, 300, 777) for n in (50, 640) for k in (128, 1000)]
    data = [(torch.rand(m, k, device="cuda"), torch.rand(k, n, device="cuda"))
            for m, n, k in shapes]
    one, zero, wrong, done, until = FLOAT(1), FLOAT(0), [], [], time.time() + seconds

    def work(wanted, number, calls):
        handle, stream = PTR(), torch.cuda.Stream()
        well(lib, lib.sgemm_create(ctypes.byref(handle), None))
        lib.sgemm_set_stream(handle, PTR(stream.cuda_stream))
        with torch.cuda.stream(stream):
            for i in itertools.count():
                if i >= calls and (time.time() >= until or not number):
                    break
                at = (i + number) % len(shapes)
                (m, n, k), (a, b) = shapes[at], data[at]
                c = torch.empty(m, n, device="cuda")
                p = Problem(0, 0, 0, (SAFE, DISPATCH)[i // len(shapes) % 2], m, n, k, k, n, n)
                status = lib.sgemm_run(handle, ctypes.byref(p), ctypes.byref(one),
                                       PTR(a.data_ptr()), PTR(b.data_ptr()), ctypes.byref(zero),
                                       PTR(c.data_ptr()), None)
                key = (at, p.method)
                if status or (key in wanted and not torch.equal(c, wanted[key])):
                    wrong.append(key)
                wanted.setdefault(key, c) if not number else None
        stream.synchronize()
        lib.sgemm_destroy(handle)
        done.append(i)

    wanted = {}
    work(wanted, 0, 2 * len(shapes))
    running = [threading.Thread(target=work, args=(wanted, i + 1, calls)) for i in range(count)]
    for t in running:
        t.start()
    for t in running:
        t.join()
    if wrong or len(done) <= count:
        sys.exit(
            f"{count + 1 - len(done)} threads failed; {len(wrong)} of {sum(done[1:])} calls of "
            f"{count} threads gave other bits"
        )
    print(
        f"threads,{torch.cuda.get_device_name()},{count} threads, {sum(done[1:])} calls in all: "
        "equal bits"
    )


def milliseconds(call, rounds=15):
    times, flush = [], torch.empty(1 << 26, device="cuda")
    for i in range(rounds + 2):
        for _ in range(8):
            flush.zero_() # lets the host queue launches ahead of the device
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return sorted(times[2:])[rounds // 2]


def in_turns(*calls):
    """Returns the milliseconds of each function: the least of three medians; the functions
    alternate."""
    return (min(times)
            for times in zip(*([milliseconds(call, 9) for call in calls] for _ in range(3))))


def timed(lib, handle, what, m, n, k, batch, ta, tb, inputs="uniform", method=AUTO):
    """Prints a row for a column-major product, by libsgemm and by torch, which calls cuBLAS."""
    a, b = (torch.empty((batch, m, k) if ta else (batch, k, m), device="cuda").uniform_(-1, 1),
            torch.empty((batch, k, n) if tb else (batch, n, k), device="cuda").uniform_(-1, 1))
    if inputs == "wide":
        spoil(a, inputs), spoil(b, inputs)
    if inputs in ("bad row", "bad row and column"):
        (a[0, 3] if ta else a[0, :, 3])[1] *= 2.0**-60
    if inputs == "bad row and column":
        (b[0, :, 5] if tb else b[0, 5])[7] *= 2.0**-60
    c = torch.empty(batch, n, m, device="cuda")
    one, zero = FLOAT(1), FLOAT(0)
    p = Problem(1, ta, tb, method, m, n, k, k if ta else m, n if tb else k, m, batch, m * k, k * n,
                m * n, 0, 0)
    args = (handle, ctypes.byref(p), ctypes.byref(one), PTR(a.data_ptr()), PTR(b.data_ptr()),
            ctypes.byref(zero), PTR(c.data_ptr()), None)
    info = Info()
    well(lib, lib.sgemm_plan(handle, ctypes.byref(p), ctypes.byref(info)))
    ours = milliseconds(lambda: well(lib, lib.sgemm_run(*args)))
    x, y = (a.transpose(1, 2) if not ta else a), (b.transpose(1, 2) if not tb else b)
    out = torch.empty(batch, n, m, device="cuda").transpose(1, 2)
    theirs = milliseconds(lambda: torch.bmm(x, y, out=out)
                          if batch > 1 else torch.mm(x[0], y[0], out=out[0]))
    flops = 2e-9 * m * n * k * batch
    print(
        f"{what},{torch.cuda.get_device_name()},{'NT'[ta]}{'NT'[tb]},{m},{n},{k},{batch},{inputs},"
        f"{info.kernel.decode()},{info.us:.1f},"
        f"{ours:.4f},{theirs:.4f},{flops / ours:.1f},{flops / theirs:.1f},{theirs / ours:.3f}",
        flush=True)


def shapes():
    lib, handle = library()
    print(
        "what,device,transposes,m,n,k,batch,inputs,kernel,expected_us,ms,cublas_ms,tflops,"
        "cublas_tflops,times_cublas"
    )
    for size in (4096, 8192):
        for ta, tb in ((0, 0), (1, 0), (0, 1), (1, 1)):
            # Without a pause the GPU reaches its power limit and lowers its clock.
            time.sleep(8 if size == 8192 else 0)
            timed(lib, handle, "transposes", size, size, size, 1, ta, tb)
    for ta, tb in ((0, 0), (1, 0), (0, 1)):
        timed(lib, handle, "batch", 1024, 1024, 64, 96, ta, tb)
        timed(lib, handle, "batch", 64, 1024, 1024, 96, ta, tb)
    for ta, tb in ((1, 0), (0, 0), (0, 1)):
        for m, n, k in ((2304, 8192, 768), (768, 8192, 768), (3072, 8192, 768), (768, 8192, 3072),
                        (768, 3072, 8192), (50304, 8192, 768)):
            timed(lib, handle, "gpt2", m, n, k, 1, ta, tb)
    for inputs in ("bad row", "bad row and column", "wide"):
        for m, n, k in ((4096, 4096, 4096), (2304, 768, 8192), (8192, 768, 50304), (128, 8192,
                                                                                    8192)):
            timed(lib, handle, "inputs", m, n, k, 1, 0, 1, inputs)
    for m, n, k in ((4096, 4096, 4096), (2304, 768, 8192), (8192, 768, 50304), (128, 8192, 8192)):
        timed(lib, handle, "inputs", m, n, k, 1, 0, 1)
    for size in (128, 256, 512, 768, 1024, 1536, 2048):
        for ta, tb in ((0, 0), (1, 0), (0, 1)):
            timed(lib, handle, "small", size, size, size, 1, ta, tb)


def host():
    """Prints the host's microseconds per call of 256 x 256 x 256, while the device is busy.

    An empty call (m = 0) takes the time that Python adds to each of the other calls."""
    lib, handle = library()
    real = cublas()
    theirs = PTR(torch.cuda.current_blas_handle())
    one, zero, x = FLOAT(1), FLOAT(0), torch.zeros(1 << 22, device="cuda")
    a, c = PTR(x.data_ptr()), PTR(x.data_ptr() + (1 << 22))
    calls = {
        "cublasSgemm_v2": lambda: real.cublasSgemm_v2(theirs, 0, 0, 256, 256, 256, ctypes.byref(
            one), a, 256, a, 256, ctypes.byref(zero), c, 256)
    }
    for name, method, m in (("safe", SAFE, 256), ("dispatch", DISPATCH, 256), ("empty", SAFE, 0)):
        p = Problem(1, 0, 0, method, m, 256, 256, 256, 256, 256, 0, 0, 0, 0, 0, 0)
        calls[name] = lambda args=(handle, ctypes.byref(p), ctypes.byref(one), a, a,
                                   ctypes.byref(zero), c, None): well(lib, lib.sgemm_run(*args))
    print("device,call,us_median,us_least")
    for name, call in calls.items():
        times = []
        for _ in range(41):
            torch.cuda.synchronize()
            torch.cuda._sleep(4000000)
            begin = time.perf_counter()
            for _ in range(40):
                call()
            times.append((time.perf_counter() - begin) / 40 * 1e6)
        print(f"{torch.cuda.get_device_name()},{name},{sorted(times)[20]:.2f},{min(times):.2f}")


def cublas():
    """Returns the cuBLAS that PyTorch loads for its first product."""
    torch.zeros(1, 1, device="cuda") @ torch.zeros(1, 1, device="cuda")
    return ctypes.CDLL(re.search(r"\S*/libcublas\.so\S*", open("/proc/self/maps").read())[0])


def cublas_call(name, m, n, k, ta, tb, batch, beta, a, b, c):
    """Returns the arguments of a column-major call, after the handle."""
    size, lda, ldb = I64 if name.endswith("_64") else INT, k if ta else m, n if tb else k
    one, beta = ctypes.byref(FLOAT(1)), ctypes.byref(FLOAT(beta))
    lists = [
        torch.tensor([x.data_ptr() + 4 * i * (x.numel() // batch) for i in range(batch)],
                     device="cuda") for x in (a, b, c)
    ] if "SgemmBatched" in name else ()
    at = [PTR(x.data_ptr()) for x in lists or (a, b, c)]
    kind, stride = [INT(0)] if "Ex" in name else [], [
        [ctypes.c_longlong(s)] if "Strided" in name else [] for s in (m * k, k * n, m * n)
    ]
    args = [
        INT(ta),
        INT(tb),
        size(m),
        size(n),
        size(k), one, at[0], *kind,
        size(lda), *stride[0], at[1], *kind,
        size(ldb), *stride[1], beta, at[2], *kind,
        size(m), *stride[2], *([size(batch)] if "Batched" in name else []),
        *([INT(COMPUTE_32F), INT(GEMM_DEFAULT)] if "Ex" in name else [])
    ]
    return args, lists


def taken_calls(count, seed):
    """Makes each drawn call once, and returns those that libsgemm_cublas computed, by its log."""
    made = subprocess.run(
        [sys.executable,
         os.path.abspath(__file__), "drawn",
         str(count),
         str(seed), "once"],
        env={
            **os.environ, "SGEMM_LOG": "1"
        },
        capture_output=True,
        text=True)
    return set(
        re.findall(r"([NT]{2}) +(\d+ x \d+ x \d+) +(\d+) +(\w+) +libsgemm$", made.stderr, re.M))


def drawn(count, seed, once):
    taken = set() if once else taken_calls(count, seed)
    random.seed(seed)
    real = cublas()
    handle = PTR(torch.cuda.current_blas_handle())
    ours = ctypes.CDLL(HERE + "/../build/library/libsgemm_cublas.so")
    shapes = subprocess.run(
        [sys.executable, HERE + "/../tools/shapes.py",
         str(seed), str(count)],
        capture_output=True,
        text=True,
        check=True).stdout.split()
    ratios = {True: [], False: []}
    if not once:
        print("m,n,k,transposes,batch,inputs,beta,function,ms,cublas_ms,times_cublas")
    for shape in shapes:
        m, n, k = map(int, shape.split("x"))
        ta, tb, beta, inputs = random.randrange(2), random.randrange(2), random.randrange(
            2), random.choice(("uniform", "spots", "wide"))
        batch = min(random.choice((1, 1, 1, 1, 2, 4, 8, 16, 32, 96)),
                    max((1 << 28) // (m * n + m * k + k * n), 1),
                    max(1 << 39, m * n * k) // (m * n * k))
        name = random.choice(("cublasSgemm_v2", "cublasSgemm_v2_64",
                              "cublasGemmEx") if batch == 1 else ("cublasSgemmStridedBatched",
                                                                  "cublasSgemmBatched",
                                                                  "cublasGemmStridedBatchedEx"))
        a, b, c = (torch.empty(batch, size, device="cuda").uniform_(-1, 1)
                   for size in (m * k, k * n, m * n))
        spoil(a, inputs), spoil(b, inputs)
        args, keep = cublas_call(name, m, n, k, ta, tb, batch, beta, a, b, c)
        call, theirs = (lambda: getattr(ours, name)(handle, *args)), (lambda: getattr(real, name)
                                                                      (handle, *args))
        if call() or theirs():
            sys.exit(f"{name} {shape}: failed")
        if once:
            continue
        is_taken = ("NT"[ta] + "NT"[tb], f"{m} x {n} x {k}", str(batch), name) in taken
        mine, other = in_turns(call, theirs)
        ratios[is_taken].append(other / mine)
        if is_taken:
            print(
                f"{m},{n},{k},{'NT'[ta]}{'NT'[tb]},{batch},{inputs},{beta},{name},{mine:.5f},"
                f"{other:.5f},{other / mine:.4f}",
                flush=True)
    for is_taken, of in ratios.items():
        if of:
            print(
                f"{len(of)} calls {'taken' if is_taken else 'passed on'}, "
                f"{sum(r < 0.95 for r in of)} of them over 5 % slower, the slowest {min(of):.3f}; "
                f"geometric mean {math.exp(sum(map(math.log, of)) / len(of)):.3f} times cuBLAS",
                file=sys.stderr)


def beside(name):
    """Compares torch.mm, which libsgemm_cublas may intercept, with cuBLAS; their calls alternate.

    Errors of some rows and columns are in units of 2^-24 |A||B|."""
    one, zero, handle, real = FLOAT(1), FLOAT(0), PTR(), cublas()
    if real.cublasCreate_v2(ctypes.byref(handle)): # a handle of our own: PyTorch's may allow TF32
        sys.exit("cublasCreate_v2 failed")
    print("device,method,inputs,m,n,k,ms,cublas_ms,tflops,times_cublas,error_max,cublas_error_max")
    for inputs, (m, n, k) in itertools.product(
        ("uniform", "wide"),
        ((1024, ) * 3, (2048, ) * 3, (4096, ) * 3, (8192, ) * 3, (2048, 50257, 768))):
        torch.manual_seed(1)
        a, b, c = (torch.empty(*shape, device="cuda").uniform_(-1, 1).t()
                   for shape in ((k, m), (n, k), (n, m)))
        spoil(a, inputs), spoil(b, inputs)
        calls = (lambda: torch.mm(a, b, out=c)), (
            lambda: real.cublasSgemm_v2(handle, 0, 0, m, n, k, ctypes.byref(one), PTR(a.data_ptr(
            )), m, PTR(b.data_ptr()), k, ctypes.byref(zero), PTR(c.data_ptr()), m))
        rows, cols, errors = torch.randint(m, (64,)), torch.randint(n, (64,)), []
        x, y = a[rows].double(), b[:, cols].double()
        for call in calls:
            c.fill_(float("nan"))
            call()
            errors.append((((c[rows][:, cols].double() - x @ y).abs() / (x.abs() @ y.abs())).max() *
                           2.0**24).item())
        mine, other = in_turns(*calls)
        print(
            f"{torch.cuda.get_device_name()},{name},{inputs},{m},{n},{k},{mine:.4f},{other:.4f},"
            f"{2e-9 * m * n * k / mine:.1f},{other / mine:.3f},"
            f"{errors[0]:.2f},{errors[1]:.2f}",
            flush=True)


class Lt:
    """cublasLt in pedantic FP32. Attributes have their numbers in cublasLt.h."""
    ALGORITHMS, RESULT_BYTES, WORKSPACE = 256, 96, 32 << 20

    def __init__(self):
        cublas()
        self.lib = ctypes.CDLL(
            re.search(r"\S*/libcublasLt\.so\S*",
                      open("/proc/self/maps").read())[0])
        self.handle, self.preference = PTR(), PTR()
        self.did(self.lib.cublasLtCreate(ctypes.byref(self.handle)))
        self.did(self.lib.cublasLtMatmulPreferenceCreate(ctypes.byref(self.preference)))
        bytes_ = ctypes.c_uint64(self.WORKSPACE)
        self.did(
            self.lib.cublasLtMatmulPreferenceSetAttribute(self.preference, 1, ctypes.byref(bytes_),
                                                          ctypes.c_size_t(8)))
        self.workspace = torch.empty(self.WORKSPACE, dtype=torch.uint8, device="cuda")

    def did(self, status):
        if status:
            sys.exit(f"cublasLt: status {status}: see its manual")

    def calls(self, m, n, k, a, lda, b, ldb, c, ldc):
        """Returns a call per algorithm that the heuristic offers.

        The row-major product A B is computed as the column-major product B A."""
        desc, layouts, count = PTR(), [PTR() for _ in range(3)], INT()
        self.did(
            self.lib.cublasLtMatmulDescCreate(ctypes.byref(desc), COMPUTE_32F_PEDANTIC, CUDA_R_32F))
        for layout, rows, cols, ld in zip(layouts, (n, k, n), (k, m, m), (ldb, lda, ldc)):
            self.did(
                self.lib.cublasLtMatrixLayoutCreate(ctypes.byref(layout), 0, ctypes.c_uint64(rows),
                                                    ctypes.c_uint64(cols), I64(ld)))
        for attribute, at in zip((5, 6, 7, 8), (b, a, c, c)): # alignments in bytes
            bytes_ = ctypes.c_uint32(min(256, at & -at))
            self.did(
                self.lib.cublasLtMatmulPreferenceSetAttribute(self.preference, attribute,
                                                              ctypes.byref(bytes_),
                                                              ctypes.c_size_t(4)))
        results = ctypes.create_string_buffer(self.ALGORITHMS * self.RESULT_BYTES)
        one, zero = FLOAT(1), FLOAT(0)
        self.lib.cublasLtMatmulAlgoGetHeuristic(self.handle, desc, layouts[0], layouts[1],
                                                layouts[2], layouts[2], self.preference,
                                                self.ALGORITHMS, results, ctypes.byref(count))
        def run(algorithm):
            return self.lib.cublasLtMatmul(self.handle, desc, ctypes.byref(one), PTR(b), layouts[0],
                                           PTR(a), layouts[1], ctypes.byref(zero), PTR(c),
                                           layouts[2], PTR(c), layouts[2],
                                           ctypes.byref(results, algorithm * self.RESULT_BYTES),
                                           PTR(self.workspace.data_ptr()),
                                           ctypes.c_size_t(self.WORKSPACE), PTR(0))

        return [
            lambda i=i: run(i) for i in range(count.value)
            if int.from_bytes(results[i * 96 + 72:i * 96 + 76], "little") == 0
        ]


def timed_in_turns(calls, rounds, flush):
    """Returns for each call a list of its milliseconds, sorted.

    Writing 512 MB before each launch flushes L2 and lets the host get ahead. The rounds start with
    different calls in turn, because the first call after a wait takes longer."""
    events = [[[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in calls]
              for _ in range(rounds)]
    for first, row in enumerate(events):
        for i in range(len(calls)):
            (begin, end), call = row[(first + i) % len(calls)], calls[(first + i) % len(calls)]
            flush.zero_(), flush.zero_()
            begin.record()
            call()
            end.record()
        torch.cuda.synchronize()
    return [sorted(row[i][0].elapsed_time(row[i][1]) for row in events) for i in range(len(calls))]


def fp32(seed, old):
    """Prints a row of CSV per shape."""
    lib, handle = library()
    libraries, name = [(lib, handle)], torch.cuda.get_device_name()
    if old:
        earlier, theirs = ctypes.CDLL(os.path.abspath(old)), PTR()
        earlier.sgemm_error.restype = ctypes.c_char_p
        well(earlier, earlier.sgemm_create(ctypes.byref(theirs), None))
        libraries.append((earlier, theirs))
    real, cublas_handle, lt, flush = cublas(), PTR(), Lt(), torch.empty(1 << 26, device="cuda")
    if real.cublasCreate_v2(ctypes.byref(cublas_handle)) or real.cublasSetMathMode(
            cublas_handle, PEDANTIC_MATH):
        sys.exit("cublasCreate_v2 failed")
    random.seed(seed)
    torch.manual_seed(seed)
    one, zero = FLOAT(1), FLOAT(0)

    def past():
        """Returns a side that exceeds whole tiles of 64, 128 or 256 by 1 to 8."""
        tile = random.choice((64, 128, 256))
        return tile * random.randrange(1, 8192 // tile) + random.randrange(1, 9)

    def around(low, high):
        return int(low * (high / low) ** random.random())

    drawn = subprocess.run([sys.executable, HERE + "/../tools/shapes.py",
                            str(seed), "60"],
                           capture_output=True,
                           text=True,
                           check=True).stdout.split()
    sets = [("cube", (n, n, n, 0, 0, 0))
            for n in (2048, 2049, 4096, 4097, 8192, 8193, 3001, 7777, 8191, 1300, 1900, 3100)]
    sets += [("application", (200000, 784, 784, 0, 0, 0))]
    sets += [("past", (*random.choice(
        ((past(), past()), (past(), around(500, 8192)), (around(500, 8192), past()))),
                       around(200, 8192), 0, 0, 0)) for _ in range(100)]
    sets += [("drawn", (*map(int, shape.split("x")), 0, 0, 0)) for shape in drawn]
    # Parts of peeled products, with the leading dimensions of the whole product.
    for n in (2049, 4097, 8193, 3001, 3100):
        t = {3001: 2944, 3100: 3072}.get(n, n - 1)
        sets += [("part", (rows, cols, n, n, n, n))
                 for rows, cols in ((t, t), (t, n - t), (n - t, n))]
    sets += [("ld", (4096, 4096, k, *lds))
             for k, lds in itertools.product((4096, 4097), ((4100, 4096, 4096), (4101, 4096, 4096),
                                                            (4101, 4097, 4096), (4101, 4097, 4097),
                                                            (4101, 4096, 4097)))]
    print(
        "device,set,m,n,k,lda,ldb,ldc,kernel,expected_us,ms,ms_min,old_kernel,old_ms,old_ms_min,"
        "cublas_ms,cublas_ms_min,lt_ms,lt_ms_min,lt_algorithms,part_of_bound",
        flush=True)
    for kind, (m, n, k, lda, ldb, ldc) in sets:
        lda, ldb, ldc = lda or k, ldb or n, ldc or n
        a, b = torch.empty(m, lda,
                           device="cuda").uniform_(-1,
                                                   1), torch.empty(k, ldb,
                                                                   device="cuda").uniform_(-1, 1)
        c = torch.full((m, ldc), float("nan"), device="cuda")
        at = [x.data_ptr() for x in (a, b, c)]
        p = Problem(0, 0, 0, DISPATCH, m, n, k, lda, ldb, ldc)
        infos = []
        for l, h in libraries:
            infos.append(Info())
            well(l, l.sgemm_plan(h, ctypes.byref(p), ctypes.byref(infos[-1])))
        def product(l, h, alpha=one, beta=zero):
            return lambda: well(
                l,
                l.sgemm_run(h, ctypes.byref(p), ctypes.byref(alpha), PTR(at[0]), PTR(at[1]),
                            ctypes.byref(beta), PTR(at[2]), None))
        ours = [product(l, h) for l, h in libraries]
        x, y = a[:, :k].double(), b[:, :n].double()
        sum_, size, worst = x @ y, x.abs() @ y.abs(), 0
        ours[0]()
        for alpha, beta in ((1, 0), (-1.5, 0.25)):
            if beta:
                before = c[:, :n].double()
                product(*libraries[0], FLOAT(alpha), FLOAT(beta))()
            expected = alpha * sum_ + (beta * before if beta else 0)
            bound = (abs(alpha) * size * 1.01 * (k + 2) + 4 * expected.abs() +
                     (4 * (beta * before).abs() if beta else 0)) * 2.0**-24 + 2.0**-149
            worst = max(worst, ((c[:, :n].double() - expected).abs() / bound).max().item())
            if not worst <= 1 or (ldc > n and not c[:, n:].isnan().all()):
                sys.exit(
                    f"fp32: {m}x{n}x{k}, ld {lda} {ldb} {ldc}, alpha {alpha}, beta {beta}: "
                    f"{worst} times the bound, or C written past its columns"
                )
        del x, y, sum_, size, expected, bound, before
        algorithms = lt.calls(m, n, k, at[0], lda, at[1], ldb, at[2], ldc)
        good = [call for call in algorithms if call() == 0]
        tried = [times[0] for times in timed_in_turns(good, 2, flush)] if good else []
        calls = ours + [
            lambda: real.cublasSgemm_v2(cublas_handle, 0, 0, n, m, k, ctypes.byref(one), PTR(at[1]),
                                        ldb, PTR(at[0]), lda, ctypes.byref(zero), PTR(at[2]), ldc)
        ]
        calls += [good[tried.index(min(tried))]] if good else []
        for call in calls * 5: # enough calls for the library to use a CUDA graph
            call()
        torch.cuda.synchronize()
        expected_ms = max(infos[0].us, 20) / 1000
        rounds = max(5, min(21, int(120 / (len(calls) * (expected_ms + 0.25)))))
        times = timed_in_turns(calls, rounds, flush)
        cells = [(t[len(t) // 2], t[0]) for t in times]
        if not old:
            cells.insert(1, (float("nan"),) * 2)
        if not good:
            cells.append((float("nan"),) * 2)
        text = [f"{median:.5f},{least:.5f}" for median, least in cells]
        print(
            f"{name},{kind},{m},{n},{k},{lda},{ldb},{ldc},{infos[0].kernel.decode()},"
            f"{infos[0].us:.1f},{text[0]},{infos[1].kernel.decode() if old else ''},"
            f"{text[1]},{text[2]},{text[3]},{len(good)},{worst:.4f}",
            flush=True)


def gpt2(dtype):
    """GPT-2 small: 12 layers, 768 wide, 12 heads, fused attention."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(768), nn.LayerNorm(768)
            self.qkv, self.out, self.up, self.down = nn.Linear(768, 2304), nn.Linear(
                768, 768), nn.Linear(768, 3072), nn.Linear(3072, 768)

        def forward(self, x):
            q, k, v = (t.view(*x.shape[:2], 12, 64).transpose(1, 2)
                       for t in self.qkv(self.ln1(x)).split(768, dim=2))
            x = x + self.out(
                F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(
                    x.shape))
            return x + self.down(F.gelu(self.up(self.ln2(x))))

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.token, self.place = nn.Embedding(50304, 768), nn.Embedding(1024, 768)
            self.blocks, self.ln = nn.ModuleList(Block() for _ in range(12)), nn.LayerNorm(768)

        def forward(self, tokens, targets):
            x = self.token(tokens) + self.place.weight[:tokens.shape[1]]
            for block in self.blocks:
                x = block(x)
            return F.cross_entropy(
                F.linear(self.ln(x), self.token.weight).view(-1, 50304), targets.reshape(-1))

    torch.manual_seed(1)
    model = Model()
    for p in model.parameters():
        if p.dim() > 1:
            torch.nn.init.normal_(p, std=0.02)
    return model.to("cuda", dtype)


def train(steps, name, dtype=torch.float32, batch=8):
    model = gpt2(dtype)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, foreach=True)
    generator = torch.Generator().manual_seed(2)
    words = torch.randint(0, 2000, (4, batch, 1025), generator=generator).cuda()
    print("device,method,batch,step,loss,ms")
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for step in range(steps):
        begin.record()
        loss = model(words[step % 4, :, :-1], words[step % 4, :, 1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        end.record()
        torch.cuda.synchronize()
        print(
            f"{torch.cuda.get_device_name()},{name},{batch},{step},{loss.item():.9f},"
            f"{begin.elapsed_time(end):.3f}",
            flush=True)


def mlp():
    """Returns a training step of 8 layers x + relu(W x + b), and the difference of its loss from
    the loss in FP64."""
    layers = torch.nn.ModuleList(torch.nn.Linear(4096, 4096) for _ in range(8)).cuda()
    optimizer = torch.optim.SGD(layers.parameters(), lr=1e-4)
    x, y = torch.randn(4096, 4096, device="cuda"), torch.randn(4096, 4096, device="cuda")
    with torch.no_grad():
        h = x.double()
        for layer in layers:
            h = h + torch.relu(h @ layer.weight.double().T + layer.bias.double())
        wanted = ((h - y.double()) ** 2).mean().item()

    def step():
        h = x
        for layer in layers:
            h = h + torch.relu(layer(h))
        loss = ((h - y) ** 2).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss

    return step, abs(step().item() - wanted)


def encoder(batch, tokens, layers=24, width=1024):
    """Returns a forward pass of a transformer's encoder, and the largest difference of its outputs
    from those in FP64."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            y = self.ln1(x)
            q, k, v = (part(y).view(*y.shape[:2], width // 64, 64).transpose(1, 2)
                       for part in (self.q, self.k, self.v))
            x = x + self.out(
                F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(x.shape))
            return x + self.down(F.gelu(self.up(self.ln2(x))))

    model, x = nn.Sequential(*(Block() for _ in range(layers))).cuda(), torch.randn(batch,
                                                                                    tokens,
                                                                                    width,
                                                                                    device="cuda")

    @torch.no_grad()
    def step():
        return model(x)

    with torch.no_grad():
        wanted = copy.deepcopy(model).double()(x[:4].double())
    return step, (step()[:4] - wanted).abs().max().item()


def programs(name):
    print("device,program,method,ms_median,ms_least,ms_most,from_fp64")
    for program, make in (("mlp", mlp), ("bert", lambda: encoder(16, 512)),
                          ("vit", lambda: encoder(64, 197))):
        torch.manual_seed(0)
        step, distance = make()
        times = []
        for _ in range(30):
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            step()
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end))
        times = sorted(times[5:])
        print(
            f"{torch.cuda.get_device_name()},{program},{name},{times[12]:.3f},{times[0]:.3f},"
            f"{times[-1]:.3f},{distance:.2e}",
            flush=True)


def main():
    command, rest = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    torch.backends.cuda.matmul.allow_tf32 = "tf32" in rest
    torch.backends.cudnn.allow_tf32 = "tf32" in rest
    numbers = [int(r) for r in rest if r.isdigit()]
    preloaded = "libsgemm" if "libsgemm" in os.environ.get("LD_PRELOAD", "") else ""
    if command == "check":
        check(*(numbers + [100, 1, 1][len(numbers):])[:3])
        graphs(library()[0])
        threads(library()[0])
    elif command == "threads":
        threads(library()[0], seconds=numbers[0] if numbers else 0)
    elif command == "shapes":
        shapes()
    elif command == "host":
        host()
    elif command == "drawn":
        drawn(*(numbers + [1000, 1][len(numbers):])[:2], "once" in rest)
    elif command == "fp32":
        fp32(numbers[0] if numbers else 66, next((r for r in rest if r.endswith(".so")), None))
    elif command == "beside":
        beside(rest[0] if rest else preloaded or "cuBLAS")
    elif command in ("train", "programs"):
        double = "fp64" in rest
        name = next((r for r in rest if not r.isdigit()), preloaded or "fp32")
        if command == "programs":
            return programs(name)
        train(numbers[0] if numbers else 20, name, torch.float64 if double else torch.float32,
              numbers[1] if len(numbers) > 1 else 8)
    else:
        sys.exit(__doc__)


main()
