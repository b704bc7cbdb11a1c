// The CUDA driver's functions. The driver is opened at run time, so the program starts without one.
#pragma once

#include "backend.h"

#include <cuda.h>

// Since CUDA 12.8, cuda.h maps cuEventElapsedTime to cuEventElapsedTime_v2. The plain function does
// the same and exists in every driver.
#undef cuEventElapsedTime
CUresult CUDAAPI cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);

// cuda.h defines some names as macros, for example cuMemAlloc as cuMemAlloc_v2.
// DRIVER_FIELD_EXPANDED and CUDA_FIELD_EXPANDED expand such a name before they use it.
#define DRIVER_FUNCTIONS(X) \
    X(cuInit) \
    X(cuDriverGetVersion) \
    X(cuGetErrorName) \
    X(cuGetErrorString) \
    X(cuDeviceGetCount) \
    X(cuDeviceGet) \
    X(cuDeviceGetName) \
    X(cuDeviceGetAttribute) \
    X(cuDeviceGetPCIBusId) \
    X(cuDeviceTotalMem) \
    X(cuDevicePrimaryCtxRetain) \
    X(cuDevicePrimaryCtxRelease) \
    X(cuCtxSetCurrent) \
    X(cuCtxSynchronize) \
    X(cuModuleLoadData) \
    X(cuModuleUnload) \
    X(cuModuleGetFunction) \
    X(cuFuncGetAttribute) \
    X(cuFuncSetAttribute) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
    X(cuMemGetInfo) \
    X(cuMemAlloc) \
    X(cuMemFree) \
    X(cuMemHostAlloc) \
    X(cuMemFreeHost) \
    X(cuMemcpyHtoD) \
    X(cuMemcpyDtoH) \
    X(cuMemcpyDtoDAsync) \
    X(cuMemcpy2DAsync) \
    X(cuDeviceCanAccessPeer) \
    X(cuCtxEnablePeerAccess) \
    X(cuCtxGetStreamPriorityRange) \
    X(cuStreamCreateWithPriority) \
    X(cuStreamDestroy) \
    X(cuStreamSynchronize) \
    X(cuStreamWaitEvent) \
    X(cuMemsetD32Async) \
    X(cuTexObjectCreate) \
    X(cuTexObjectDestroy) \
    X(cuLaunchKernel) \
    X(cuEventCreate) \
    X(cuEventRecord) \
    X(cuEventSynchronize) \
    X(cuEventElapsedTime) \
    X(cuEventDestroy)

#define DRIVER_FIELD(name)          __typeof__(name) *p_##name;
#define DRIVER_FIELD_EXPANDED(name) DRIVER_FIELD(name)

struct driver {
    DRIVER_FUNCTIONS(DRIVER_FIELD_EXPANDED)
};

extern struct driver driver;

// cuda(cuInit)(0) calls the driver's cuInit.
#define CUDA_FIELD(name)          p_##name
#define CUDA_FIELD_EXPANDED(name) CUDA_FIELD(name)
#define cuda(name)                (driver.CUDA_FIELD_EXPANDED(name))

// Opens libcuda.so.1 and sets `driver`.
enum backend_status driver_load(void);
void driver_unload(void);

// Returns true if the call succeeded; otherwise sets backend_error() to the call, the error and
// advice.
bool driver_ok(CUresult result, const char *call);
// driver_did(cuInit, (0)) calls cuInit(0) and names it in the message.
#define driver_did(name, arguments) driver_ok(cuda(name) arguments, #name)
