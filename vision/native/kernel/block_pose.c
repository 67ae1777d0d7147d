/* Which shift explains best what all sides of a block show, for `vision/ranked/block_pose.py`. Weighed places hold
   what is left, then 3 x 3 projection, then 3 x 3 gram. */
#include "kernel.h"
#include <math.h>

enum { SHARED = 3, SQUARE = SHARED * SHARED, PROJECTION = 1, GRAM = PROJECTION + SQUARE, EVIDENCE = GRAM + SQUARE };

static inline int place_index(const SideEvidence *side, int width, int shift, int shifts) {
    return (side->widths > 1 ? width * shifts : 0) + shift;
}

/* Adds what a side tells at a place, so weighted. */
static void add_place(const SideEvidence *side, int at, double weight, double *sum) {
    sum[0] += weight * side->residual[at];
    for (int k = 0; k < SQUARE; k++) sum[PROJECTION + k] += weight * side->projection[SQUARE * at + k];
    for (int k = 0; k < SQUARE; k++) sum[GRAM + k] += weight * side->gram[SQUARE * at + k];
}

/* The lower root of `gram`, held to nothing so firmly: its diagonal inverted, then what is below it. */
typedef struct {
    double first, second, third, b, c, slope;
} Root;

static inline Root cholesky_of(const double *gram, double firm) {
    Root r;
    r.first = 1 / sqrt(gram[0] + firm);
    r.b = gram[1] * r.first;
    r.c = gram[2] * r.first;
    r.second = 1 / sqrt(gram[4] + firm - r.b * r.b);
    r.slope = (gram[5] - r.b * r.c) * r.second;
    r.third = 1 / sqrt(gram[8] + firm - r.c * r.c - r.slope * r.slope);
    return r;
}

/* `projection` over that root, for one channel. */
static inline void solve_lower(const Root *r, const double *projection, double *over) {
    over[0] = projection[0] * r->first;
    over[1] = (projection[SHARED] - r->b * over[0]) * r->second;
    over[2] = (projection[2 * SHARED] - r->c * over[0] - r->slope * over[1]) * r->third;
}

static double best_residual(const double *sum, double firm) {
    Root root = cholesky_of(sum + GRAM, firm);
    double left = sum[0], over[SHARED];
    for (int channel = 0; channel < CHANNELS; channel++) {
        solve_lower(&root, sum + PROJECTION + channel, over);
        left -= over[0] * over[0] + over[1] * over[1] + over[2] * over[2];
    }
    return left;
}

static void best_colours(const double *sum, double firm, double *colours) {
    Root r = cholesky_of(sum + GRAM, firm);
    for (int channel = 0; channel < CHANNELS; channel++) {
        double over[SHARED];
        solve_lower(&r, sum + PROJECTION + channel, over);
        double paint = over[2] * r.third, rim = (over[1] - r.slope * paint) * r.second;
        colours[channel] = (over[0] - r.b * rim - r.c * paint) * r.first;
        colours[SHARED + channel] = rim;
        colours[2 * SHARED + channel] = paint;
    }
}

/* What a side leaves at a place with these shared colours. */
static double misfit_of(const SideEvidence *side, int at, const double *colours) {
    const double *projection = side->projection + SQUARE * at, *gram = side->gram + SQUARE * at;
    double residual = side->residual[at];
    for (int i = 0; i < SHARED; i++)
        for (int channel = 0; channel < CHANNELS; channel++) {
            double own = -2 * projection[SHARED * i + channel];
            for (int j = 0; j < SHARED; j++) own += gram[SHARED * i + j] * colours[SHARED * j + channel];
            residual += colours[SHARED * i + channel] * own;
        }
    return residual > 0 ? residual : 0;
}

/* What all leave at each place with these colours, each felt the less the more it shows something else. */
static void robust_costs(const SideEvidence *sides, int count, int widths, int shifts, const double *colours,
                         double *rows) {
    for (int k = 0; k < 2 * widths * shifts; k++) rows[k] = 0;
    for (const SideEvidence *side = sides; side < sides + count; side++)
        for (int w = 0; w < widths; w++)
            for (int s = 0; s < shifts; s++)
                rows[(side->axis * widths + w) * shifts + s] +=
                    side->weight * side->strange *
                    log1p(misfit_of(side, place_index(side, w, s, shifts), colours) / side->strange);
}

/* The shared colours that suit the sides best that they suit already. */
static void update_colours(const SideEvidence *sides, int count, int shifts, int least, double firm, double *colours) {
    int width = least / (shifts * shifts), ahead = least / shifts % shifts, aside = least % shifts;
    double sum[EVIDENCE] = {0};
    for (const SideEvidence *side = sides; side < sides + count; side++) {
        int at = place_index(side, width, side->axis ? aside : ahead, shifts);
        double misfit = misfit_of(side, at, colours);
        add_place(side, at, side->weight / (1 + misfit / side->strange), sum);
    }
    best_colours(sum, firm, colours);
}

/* The place where all together leave least with their own best colours; fills in those. */
static void first_colours(const SideEvidence *sides, int count, int widths, int shifts, double firm,
                          const double *prior, double *sums, double *colours) {
    double least = INFINITY, both[EVIDENCE], best[EVIDENCE] = {0};
    for (int k = 0; k < 2 * widths * shifts * EVIDENCE; k++) sums[k] = 0;
    for (const SideEvidence *side = sides; side < sides + count; side++)
        for (int w = 0; w < widths; w++)
            for (int s = 0; s < shifts; s++)
                add_place(side, place_index(side, w, s, shifts), side->weight,
                          sums + ((side->axis * widths + w) * shifts + s) * EVIDENCE);
    for (int w = 0; w < widths; w++)
        for (int a = 0; a < shifts; a++)
            for (int b = 0; b < shifts; b++) {
                const double *one = sums + (w * shifts + a) * EVIDENCE,
                             *other = sums + ((widths + w) * shifts + b) * EVIDENCE;
                for (int k = 0; k < EVIDENCE; k++) both[k] = one[k] + other[k];
                double left = best_residual(both, firm) + prior[(w * shifts + a) * shifts + b];
                if (left >= least) continue;
                least = left;
                for (int k = 0; k < EVIDENCE; k++) best[k] = both[k];
            }
    best_colours(best, firm, colours);
}

/* `prior`, `left` (widths, shifts ahead, shifts left); `colours` (3, 3). Whether there was memory for it. */
int align_sides(const SideEvidence *sides, int count, int widths, int shifts, int times, double firm,
                const double *prior, double *left, double *colours) {
    double *scratch = malloc(2 * widths * shifts * EVIDENCE * sizeof *scratch);
    if (!scratch) return 0;
    first_colours(sides, count, widths, shifts, firm, prior, scratch, colours);
    for (int time = 0; time < times; time++) {
        robust_costs(sides, count, widths, shifts, colours, scratch);
        int least = 0;
        for (int k = 0; k < widths * shifts * shifts; k++) {
            int w = k / (shifts * shifts), a = k / shifts % shifts, b = k % shifts;
            left[k] = scratch[w * shifts + a] + scratch[(widths + w) * shifts + b] + prior[k];
            if (left[k] < left[least]) least = k;
        }
        update_colours(sides, count, shifts, least, firm, colours);
    }
    free(scratch);
    return 1;
}
