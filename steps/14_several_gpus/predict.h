// How long a scheme should take, before it is measured: its schedule with a rate for products and one for messages.
#pragma once

#include "schedule.h"

struct figures {
    double tflops;    // of a local product on all SMs
    double bandwidth; // GB/s received, of large messages; 0: by the size of the message, as seen on two H200s
    int sms, left;    // of a GPU; those that products leave free while something travels
};

// An operation of a rank, in milliseconds from the start.
struct span {
    double start, end;
};

struct prediction {
    double ms;          // until the last rank is done
    double compute_ms;  // products of the rank that computes longest
    double travel_ms;   // what travels to the rank that waits longest
    double received;    // bytes, of the rank that receives most
    int64_t work_bytes; // of the work buffers, of the rank that needs most
};

// Predicts for schedules of all ranks; spans: NULL, or (schedules[0]->count) of rank 0. False when the schedules do not go together.
bool predict_schedules(struct schedule *const *schedules, int count, const struct figures *figures,
                       struct prediction *prediction, struct span *spans);
