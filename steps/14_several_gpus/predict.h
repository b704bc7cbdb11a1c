// Predicts how long a scheme takes, from its schedules, the speed of one GPU for products and the
// bandwidth between GPUs.
#pragma once

#include "schedule.h"

struct figures {
    double tflops; // TFLOP/s of a local product on all SMs; NAN if unknown
    // GB/s that a rank receives; 0 for the bandwidth measured on two H200s, by the size of the
    // message
    double bandwidth;
    int sms;  // number of SMs of a GPU
    int left; // number of SMs that products leave free while a collective may run
};

// Start and end of an operation of a rank, in milliseconds from the start of the run.
struct operation_span {
    double start, end;
};

struct prediction {
    double ms; // time until the last rank is done; NAN if the speed is unknown
    // total time of the products of the rank that computes longest; NAN if the speed is unknown
    double compute_ms;
    double travel_ms;   // communication time of the rank that communicates longest
    double received;    // bytes received by the rank that receives most
    int64_t work_bytes; // size of the work buffers of the rank that needs most
};

// Sets *prediction from the schedules of all ranks. If `spans` is not NULL, sets it to the spans of
// rank 0's operations. Returns false if the ranks' collectives do not match.
bool predict_schedules(struct schedule *const *schedules, int count, const struct figures *figures,
                       struct prediction *prediction, struct operation_span *spans);
