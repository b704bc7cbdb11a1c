# Multiplies two matrices by CuPy, which calls cublasGemmEx. Run it as
# LD_PRELOAD=libsgemm_cublas.so SGEMM_LOG=1 python3 cupy_product.py
import cupy

a, b = cupy.random.rand(4096, 4096, dtype=cupy.float32), cupy.random.rand(4096,
                                                                          4096,
                                                                          dtype=cupy.float32)
exact = a.astype(cupy.float64) @ b.astype(cupy.float64)
print("largest relative error", float(abs((a @ b - exact) / exact).max()))
