// Times launches.
#include "timing.h"
#include "interrupt.h"
#include "statistics.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_ROUNDS = 5, MOST_ROUNDS = 31, LEAST_SLOW_ROUNDS = 3 };
// the wanted time of all timed launches of a contender together
static const double WANTED_SECONDS = 0.3;
static const double SLOW_SECONDS = 0.2; // a launch that takes longer counts as slow
// a first launch that takes longer is not repeated, because the loading time in it is negligible
static const double ENOUGH_SECONDS = 1.0;
// the time of the untimed launches at the start, during which the clock rises
static const double WARM_SECONDS = 0.1;
static const double BATCH_SECONDS = 0.05; // the wanted time of a batch in sustained mode

// The samples of one contender.
struct contender_samples {
    int rounds, taken;
    double *ms, *clock, *watts; // `rounds` values per array, all in one allocation
};

// Returns the number of rounds for a contender whose launch takes `seconds`.
static int choose_rounds(double seconds) {
    const double rounds = WANTED_SECONDS / fmax(seconds, 1e-9);
    const int least = seconds > SLOW_SECONDS ? LEAST_SLOW_ROUNDS : LEAST_ROUNDS;
    return rounds < least ? least : rounds > MOST_ROUNDS ? MOST_ROUNDS : (int)rounds;
}

// Times launches without a pause between them. Reads the sensors while they run.
static bool time_batch(const struct race *race, int contender, int launches, double *ms,
                       struct sensors *sensors) {
    const struct backend *backend = race->backend;
    if (!backend->start()) return false;
    for (int i = 0; i < launches; i++) {
        if (!race->launch(race->context, contender)) return false;
    }
    if (!backend->stop()) return false;
    backend->read_sensors(sensors);
    if (!backend->elapsed(ms)) return false;
    *ms /= launches;
    return true;
}

// Launches twice and sets *seconds to the second launch's time. If the first launch takes long, it
// is the only one.
static bool estimate(const struct race *race, int contender, double *seconds) {
    struct sensors sensors;
    double ms = 0;
    for (int i = 0; i < 2 && ms * 1e-3 < ENOUGH_SECONDS; i++) {
        if (interrupt_seen() || !race->prepare(race->context, contender)) return false;
        if (!time_batch(race, contender, 1, &ms, &sensors)) return false;
    }
    *seconds = ms * 1e-3;
    return true;
}

// Launches one contender for WARM_SECONDS, so that the clock rises.
static bool warm_up(const struct race *race, int contender) {
    const double end = seconds_now() + WARM_SECONDS;
    while (seconds_now() < end && !interrupt_seen()) {
        if (!race->prepare(race->context, contender) || !race->launch(race->context, contender) ||
            !race->backend->synchronize()) {
            return false;
        }
    }
    return !interrupt_seen();
}

static bool samples_make(struct contender_samples *s, int rounds) {
    *s = (struct contender_samples){.rounds = rounds};
    s->ms = malloc(3 * (size_t)rounds * sizeof *s->ms);
    if (!s->ms) return backend_fail("not enough host memory for %d rounds", rounds);
    s->clock = s->ms + rounds;
    s->watts = s->clock + rounds;
    return true;
}

static void samples_free(struct contender_samples *samples, int count) {
    for (int i = 0; samples && i < count; i++) free(samples[i].ms);
    free(samples);
}

// Decides in how many rounds each contender takes part; the baseline takes part in all of them.
static bool plan(const struct race *race, struct contender_samples *samples) {
    int most = 0;
    int rounds[race->count];
    for (int i = 0; i < race->count; i++) {
        double seconds = 0;
        if (!race->backend->predicted && !estimate(race, i, &seconds)) return false;
        rounds[i] = race->rounds > 0           ? race->rounds
                    : race->backend->predicted ? 1
                                               : choose_rounds(seconds);
        if (rounds[i] > most) most = rounds[i];
    }
    if (race->baseline >= 0) rounds[race->baseline] = most;
    for (int i = 0; i < race->count; i++) {
        if (!samples_make(&samples[i], rounds[i])) return false;
    }
    return true;
}

static bool take_sample(const struct race *race, int contender, struct contender_samples *s) {
    struct sensors sensors;
    double ms;
    if (interrupt_seen() || !race->prepare(race->context, contender) ||
        !race->backend->flush_cache() || !time_batch(race, contender, 1, &ms, &sensors)) {
        return false;
    }
    s->ms[s->taken] = ms;
    s->clock[s->taken] = sensors.clock_mhz;
    s->watts[s->taken++] = sensors.watts;
    return true;
}

static bool all_rounds(const struct race *race, struct contender_samples *samples) {
    bool more = true;
    for (int round = 0; more; round++) {
        more = false;
        for (int i = 0; i < race->count; i++) {
            if (round >= samples[i].rounds) continue;
            if (!take_sample(race, i, &samples[i])) return false;
            more = true;
        }
    }
    return true;
}

static double median_ratio(const struct contender_samples *baseline,
                           const struct contender_samples *s) {
    const int rounds = baseline->taken < s->taken ? baseline->taken : s->taken;
    double ratios[rounds > 0 ? rounds : 1];
    for (int i = 0; i < rounds; i++) ratios[i] = baseline->ms[i] / s->ms[i];
    return median_of(ratios, rounds);
}

static struct measurement summarise(const struct contender_samples *s) {
    return (struct measurement){
        .rounds = s->taken,
        .ms_median = median_of(s->ms, s->taken),
        .ms_min = minimum_of(s->ms, s->taken),
        .ms_max = maximum_of(s->ms, s->taken),
        .vs_baseline = NAN,
        .clock_mhz = median_of(s->clock, s->taken),
        .clock_low = minimum_of(s->clock, s->taken),
        .clock_high = maximum_of(s->clock, s->taken),
        .watts = median_of(s->watts, s->taken),
    };
}

bool race_burst(const struct race *race, struct measurement *measurements) {
    if (race->count == 0) return true;
    struct contender_samples *samples = calloc((size_t)race->count, sizeof *samples);
    if (!samples) return backend_fail("not enough host memory for the samples");
    const int first = race->baseline >= 0 ? race->baseline : 0;
    const bool done = plan(race, samples) && (race->backend->predicted || warm_up(race, first)) &&
                      all_rounds(race, samples);
    for (int i = 0; done && i < race->count; i++) {
        measurements[i] = summarise(&samples[i]);
        if (race->baseline >= 0) {
            measurements[i].vs_baseline = median_ratio(&samples[race->baseline], &samples[i]);
        }
    }
    samples_free(samples, race->count);
    return done;
}

// Times batches of one contender for sustained_seconds. The first batch is a warm-up, which does
// not count.
static bool sustain(const struct race *race, int contender, struct contender_samples *s,
                    double *watts) {
    struct sensors before, after = {NAN, NAN, NAN};
    double seconds, ms;
    if (!estimate(race, contender, &seconds)) return false;
    const double wanted = BATCH_SECONDS / fmax(seconds, 1e-9);
    const int launches = wanted < 1 ? 1 : wanted > 10000 ? 10000 : (int)wanted;
    const int most = (int)(race->sustained_seconds / fmax(seconds * launches, 1e-6)) * 4 + 4;
    if (!samples_make(s, most) || !time_batch(race, contender, launches, &ms, &before))
        return false;
    race->backend->read_sensors(&before);
    const double start = seconds_now();
    double now = start;
    while (s->taken < most && (s->taken == 0 || now - start < race->sustained_seconds)) {
        if (interrupt_seen() || !time_batch(race, contender, launches, &ms, &after)) return false;
        s->ms[s->taken] = ms;
        s->clock[s->taken] = after.clock_mhz;
        s->watts[s->taken++] = after.watts;
        now = seconds_now();
    }
    race->backend->read_sensors(&after);
    *watts = (after.energy_millijoule - before.energy_millijoule) * 1e-3 / (seconds_now() - start);
    return true;
}

bool race_sustained(const struct race *race, struct measurement *measurements) {
    for (int i = 0; i < race->count; i++) {
        struct contender_samples *samples = calloc(1, sizeof *samples);
        double watts = NAN;
        const bool done = samples && sustain(race, i, samples, &watts);
        if (done) {
            measurements[i] = summarise(samples);
            measurements[i].watts = watts;
        }
        samples_free(samples, 1);
        if (!done) return false;
    }
    for (int i = 0; i < race->count && race->baseline >= 0; i++) {
        measurements[i].vs_baseline =
            measurements[race->baseline].ms_median / measurements[i].ms_median;
    }
    return true;
}

bool clock_moved(const struct measurement *m) {
    return m->rounds > 1 && m->clock_high - m->clock_low > 0.02 * m->clock_high;
}
