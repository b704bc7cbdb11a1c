// Predicts how long a scheme takes, from its schedules, one rate for products and one for messages.
#pragma once

#include "schedule.h"

struct figures {
    double tflops;    // speed of a local product on all SMs; NAN: unknown
    double bandwidth; // GB/s received; 0: by the size of the message, as measured on two H200s
    int sms;          // SMs of a GPU
    int left;         // SMs that products leave free while a collective may run
};

// When an operation of a rank runs, in milliseconds from the start.
struct operation_span {
    double start, end;
};

struct prediction {
    double ms;          // until the last rank is done; NAN if the speed is unknown
    double compute_ms;  // products of the rank that computes longest; NAN if the speed is unknown
    double travel_ms;   // communication of the rank for which it takes longest
    double received;    // bytes received by the rank that receives most
    int64_t work_bytes; // work buffers of the rank that needs most
};

// Sets *prediction from the schedules of all ranks, and `spans`, unless NULL, to the spans of rank
// 0's operations. Returns false if the ranks' collectives do not match.
bool predict_schedules(struct schedule *const *schedules, int count, const struct figures *figures,
                       struct prediction *prediction, struct operation_span *spans);
