// Instructions on matrices in a warp's registers: the MMAs HMMA, IMMA and DMMA; LDSM and STSM,
// which load and store matrices in shared memory; MOVM, which transposes a matrix. The PTX manual
// (mma, ldmatrix) defines which lane holds which elements.
//
// We assume that a DMMA adds its products to C one by one in the order of k, each by an FMA.
#include "fragments.h"
#include "lanes.h"
#include "sim/counts/banks.h"

#include <math.h>

enum { COLUMNS = SUM_COLUMNS, MOST_ROWS = FRAGMENT_ROWS, MATRIX_BYTES = 16, MOST_BYTES = 32 };

// Returns true if all lanes execute the instruction, as matrix instructions require; otherwise
// reports that and returns false.
static bool all_lanes(struct warp *w, const struct uop *u, uint32_t mask) {
    if (mask == ALL_LANES) return true;
    checks_report(w, REPORT_LANE, u->detail->index, mask ? first_lane(mask) : -1, false,
                  "requires all lanes of the warp, and only the lanes 0x%08x execute it", mask);
    return false;
}

// --- HMMA ----------------------------------------------------------------------------------------

static void run_hmma(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const enum factor_type type = (enum factor_type)m->shift;
    const enum sum_type sum = m->instruction.modifiers.type ? SUM_FP32 : SUM_FP16;
    const int depth = m->width, pairs = type != FACTOR_TF32, registers = depth / (pairs ? 4 : 2);
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const uint32_t flip_a = sign_of(type, m->instruction.operand[SASS_A].negate);
    const uint32_t flip_b = sign_of(type, m->instruction.operand[SASS_B].negate);
    const bool no_c = m->wide || !(predicate_p(w, m) & 1);
    struct row_factors rows[MOST_ROWS] = {0};
    struct column_factors columns = {0};
    uint32_t sums[MOST_ROWS][COLUMNS] = {0};
    if (!all_lanes(w, u, mask)) return;
    rows_of_registers(type, depth, a, flip_a, rows);
    for (int r = 0; r < registers / 2; r++) {
        for (int l = 0; l < LANES; l++) {
            for (int i = 0; i <= pairs; i++) {
                const struct fragment_element e = element_of(l, 2 * r, i, pairs);
                put_column(&columns, e.k, l / 4,
                           make_factor(type, half_of(b[r * LANES + l] ^ flip_b, i, pairs)));
            }
        }
    }
    if (!no_c) sums_of_registers(sum, c, sums);
    for (int row = 0; row < MOST_ROWS; row++)
        add_products(sum, &rows[row], &columns, depth, sums[row]);
    if (u->d != ROW_TRASH) registers_of_sums(sum, sums, w->row[u->d]);
}

static sim_execute *bind_hmma(struct detail *d) {
    const struct sass_instruction *in = &d->instruction;
    if (in->modifiers.source_type > 2 || (!in->modifiers.type && in->modifiers.source_type))
        return NULL;
    const bool quarter = !sass_has(in, SASS_HAS_hmma_shape);
    d->shift = (uint8_t[]){FACTOR_FP16, FACTOR_BF16, FACTOR_TF32}[in->modifiers.source_type];
    d->width = quarter ? 4 : in->modifiers.shape ? 16 : 8;
    d->wide = in->operand[SASS_C].number == SASS_RZ;
    return d->shift == FACTOR_TF32 && d->width == 16 ? NULL : run_hmma;
}

// --- IMMA ----------------------------------------------------------------------------------------

static int byte_of(uint32_t word, int i, bool is_signed) {
    return is_signed ? (int8_t)(word >> 8 * i) : (uint8_t)(word >> 8 * i);
}

// Register r of A in lane l has four elements of row l / 4 (r even) or l / 4 + 8 (r odd). Their k
// begin at 4 (l mod 4) + 16 (r / 2). For even r, register r / 2 of B has these k of column l / 4.
static void run_imma(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_modifiers *how = &m->instruction.modifiers;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const bool no_c = m->wide || !(predicate_p(w, m) & 1);
    int as[MOST_ROWS][MOST_BYTES], bs[MOST_BYTES][COLUMNS];
    uint32_t sums[4][LANES];
    if (!all_lanes(w, u, mask)) return;
    for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < m->width / 2; i++) {
            const int r = i / 4, k = l % 4 * 4 + i % 4 + r / 2 * 16;
            as[l / 4 + r % 2 * 8][k] = byte_of(a[r * LANES + l], i % 4, how->source_type);
            if (r % 2 == 0) bs[k][l / 4] = byte_of(b[r / 2 * LANES + l], i % 4, how->type);
        }
    }
    for (int r = 0; r < 4; r++) {
        for (int l = 0; l < LANES; l++) {
            int64_t sum = no_c ? 0 : (int32_t)c[r * LANES + l];
            for (int k = 0; k < m->width; k++)
                sum += as[l / 4 + r / 2 * 8][k] * bs[k][l % 4 * 2 + r % 2];
            if (how->saturate)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            sums[r][l] = (uint32_t)sum;
        }
    }
    if (u->d != ROW_TRASH) memcpy(w->row[u->d], sums, sizeof sums);
}

static sim_execute *bind_imma(struct detail *d) {
    d->width = d->instruction.modifiers.shape ? 32 : 16;
    d->wide = d->instruction.operand[SASS_C].number == SASS_RZ;
    return run_imma;
}

// --- DMMA ----------------------------------------------------------------------------------------

static double double_at(const uint32_t *rows, int pair, int lane) {
    return as_double((uint64_t)rows[(2 * pair + 1) * LANES + lane] << 32 |
                     rows[2 * pair * LANES + lane]);
}
static double signed_as(double value, const struct sass_operand *o) {
    if (o->absolute) value = fabs(value);
    return o->negate ? -value : value;
}

static void run_dmma(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const struct sass_operand *o = m->instruction.operand;
    const int depth = m->width, row_count = m->shift;
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    const bool no_c = m->wide || !(predicate_p(w, m) & 1);
    double as[MOST_ROWS][MOST_DEPTH], bs[MOST_DEPTH][COLUMNS];
    uint64_t sums[4][LANES];
    if (!all_lanes(w, u, mask)) return;
    for (int l = 0; l < LANES; l++) {
        for (int i = 0; i < depth / 4 * (row_count / 8); i++) {
            const int row = row_count == 8 ? l / 4 : l / 4 + i % 2 * 8,
                      k = (row_count == 8 ? i : i / 2) * 4 + l % 4;
            as[row][k] = signed_as(double_at(a, i, l), &o[SASS_A]);
        }
        for (int i = 0; i < depth / 4; i++)
            bs[i * 4 + l % 4][l / 4] = signed_as(double_at(b, i, l), &o[SASS_B]);
    }
    for (int i = 0; i < row_count / 4; i++) {
        for (int l = 0; l < LANES; l++) {
            const int row = l / 4 + i / 2 * 8, column = l % 4 * 2 + i % 2;
            double sum = no_c ? 0 : signed_as(double_at(c, i, l), &o[SASS_C]);
            for (int k = 0; k < depth; k++) sum = fma(as[row][k], bs[k][column], sum);
            sums[i][l] = isnan(sum) ? UINT64_C(0xfff8000000000000) : double_bits(sum);
        }
    }
    if (u->d == ROW_TRASH) return;
    for (int i = 0; i < row_count / 4; i++) {
        for (int l = 0; l < LANES; l++) {
            w->row[u->d + 2 * i][l] = (uint32_t)sums[i][l];
            w->row[u->d + 2 * i + 1][l] = (uint32_t)(sums[i][l] >> 32);
        }
    }
}

static sim_execute *bind_dmma(struct detail *d) {
    static const uint8_t rows[] = {8, 16, 16, 16}, depths[] = {4, 4, 8, 16};
    const int shape = d->instruction.modifiers.shape & 3;
    d->shift = rows[shape];
    d->width = depths[shape];
    d->wide = d->instruction.operand[SASS_C].number == SASS_RZ;
    return d->instruction.modifiers.round ? NULL : run_dmma;
}

// --- LDSM, STSM ----------------------------------------------------------------------------------

// Lane 8 i + r has the address of row r of matrix i. Register i of lane l holds elements 2 (l mod
// 4) and 2 (l mod 4) + 1 of row l / 4 of matrix i or, with .MT88, of its transpose.

// Computes the rows' addresses, and counts and checks the access. Returns false after reporting
// that lanes are missing or an address is invalid.
static bool row_addresses(struct warp *w, const struct uop *u, uint32_t mask,
                          uint32_t address[LANES], bool store) {
    const struct detail *m = u->detail;
    const struct launch_state *launch = w->block->launch;
    const int rows = 8 << m->instruction.modifiers.size;
    bool found = false;
    if (!all_lanes(w, u, mask)) return false;
    for (int l = 0; l < rows; l++) {
        address[l] = short_address(w, m, l) - w->block->window;
        const bool inside = is_own_shared(launch, address[l], MATRIX_BYTES);
        if (!inside || address[l] % MATRIX_BYTES) {
            checks_report(w, REPORT_ADDRESS, m->index, l, false,
                          "%s a row of 16 bytes of shared memory at " SHARED_BYTE "%s",
                          store ? "writes" : "reads", SHARED_BYTE_AT(launch, address[l]),
                          inside ? ", which is not a multiple of 16"
                                 : "; that is not within the block's");
            return false;
        }
        if (!found)
            found = !shadow_access(w, u, l, address[l], MATRIX_BYTES,
                                   store ? ACCESS_WRITE : ACCESS_READ, NULL);
    }
    struct tally *tally = &w->block->tally[m->index];
    for (int i = 0; i < rows / 8; i++) {
        const uint32_t part = 0xffu << 8 * i;
        const struct wavefronts waves = store ? banks_store(address, part, MATRIX_BYTES, NULL)
                                              : banks_load(address, part, MATRIX_BYTES, NULL);
        tally->wavefronts += (uint64_t)waves.count;
        tally->least_wavefronts += (uint64_t)waves.least;
    }
    tally->requests++;
    return true;
}

// A lane holds two elements of a matrix. Returns the host address of element h (0 or 1) of lane l.
static uint8_t *half_place(struct warp *w, const uint32_t *address, int l, int h, bool transposed) {
    const int row = transposed ? l % 4 * 2 + h : l / 4, column = transposed ? l / 4 : l % 4 * 2 + h;
    return w->block->shared + address[row] + 2 * column;
}

static void run_ldsm(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    uint32_t address[LANES];
    if (!row_addresses(w, u, mask, address, false) || u->d == ROW_TRASH) return;
    for (int i = 0; i < 1 << m->instruction.modifiers.size; i++) {
        for (int l = 0; l < LANES; l++) {
            uint16_t half[2];
            for (int h = 0; h < 2; h++)
                memcpy(&half[h], half_place(w, &address[8 * i], l, h, m->wide), 2);
            w->row[u->d + i][l] = (uint32_t)half[1] << 16 | half[0];
        }
    }
}

static void run_stsm(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *from = source(w, u, 1);
    uint32_t address[LANES];
    if (!row_addresses(w, u, mask, address, true)) return;
    w->acted = true;
    for (int i = 0; i < 1 << m->instruction.modifiers.size; i++) {
        for (int l = 0; l < LANES; l++) {
            for (int h = 0; h < 2; h++) {
                const uint16_t half = (uint16_t)(from[i * LANES + l] >> 16 * h);
                memcpy(half_place(w, &address[8 * i], l, h, m->wide), &half, 2);
            }
        }
    }
}

// MOVM transposes an 8 x 8 matrix. Each lane holds two neighbouring elements of a row.
static void run_movm(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *a = source(w, u, 0);
    uint32_t d[LANES];
    if (!all_lanes(w, u, mask)) return;
    for (int l = 0; l < LANES; l++) {
        const int row = l / 4, column = l % 4 * 2;
        d[l] = half_of(a[column * 4 + row / 2], row % 2, true) |
               half_of(a[(column + 1) * 4 + row / 2], row % 2, true) << 16;
    }
    merge(destination(w, u), d, mask);
}
static sim_execute *bind_movm(struct detail *d) {
    return d->instruction.modifiers.type || d->instruction.modifiers.mode ? NULL : run_movm;
}

static sim_execute *bind_rows(struct detail *d) {
    bind_rows_of_address(d);
    d->wide = d->instruction.modifiers.mode == 1; // .MT88 transposes
    return d->instruction.form->opcode == SASS_LDSM ? run_ldsm : run_stsm;
}

const struct binding SIM_NAME(matrix_bindings)[] = {
    {SASS_HMMA, .bind = bind_hmma}, {SASS_IMMA, .bind = bind_imma}, {SASS_DMMA, .bind = bind_dmma},
    {SASS_LDSM, .bind = bind_rows}, {SASS_STSM, .bind = bind_rows}, {SASS_MOVM, .bind = bind_movm},
    {.opcode = SASS_OPCODE_COUNT}};
