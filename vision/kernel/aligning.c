/* Which shift explains best what all sides of a block show: the compiled twin of `_searched` in
   `vision/ranked/aligning.py`. Weighed places hold what is left, then 3 x 3 told, then 3 x 3 inner. */
#include "kernel.h"
#include <math.h>

enum { SHARED = 3, SQUARE = SHARED * SHARED, TOLD = 1, INNER = TOLD + SQUARE, WEIGHED = INNER + SQUARE };

static inline int place_of(const Side *side, int width, int shift, int shifts) {
    return (side->widths > 1 ? width * shifts : 0) + shift;
}

/* Adds what a side tells at a place, so weighted. */
static void add_place(const Side *side, int at, double weight, double *sum) {
    sum[0] += weight * side->left[at];
    for (int k = 0; k < SQUARE; k++) sum[TOLD + k] += weight * side->told[SQUARE * at + k];
    for (int k = 0; k < SQUARE; k++) sum[INNER + k] += weight * side->inner[SQUARE * at + k];
}

/* The lower root of `inner`, held to nothing so firmly: its diagonal inverted, then what is below it. */
typedef struct {
    double first, second, third, b, c, slope;
} Root;

static inline Root root_of(const double *inner, double firm) {
    Root r;
    r.first = 1 / sqrt(inner[0] + firm);
    r.b = inner[1] * r.first;
    r.c = inner[2] * r.first;
    r.second = 1 / sqrt(inner[4] + firm - r.b * r.b);
    r.slope = (inner[5] - r.b * r.c) * r.second;
    r.third = 1 / sqrt(inner[8] + firm - r.c * r.c - r.slope * r.slope);
    return r;
}

/* `told` over that root, for one channel. */
static inline void over_root(const Root *r, const double *told, double *over) {
    over[0] = told[0] * r->first;
    over[1] = (told[SHARED] - r->b * over[0]) * r->second;
    over[2] = (told[2 * SHARED] - r->c * over[0] - r->slope * over[1]) * r->third;
}

static double best_left(const double *sum, double firm) {
    Root root = root_of(sum + INNER, firm);
    double left = sum[0], over[SHARED];
    for (int channel = 0; channel < CHANNELS; channel++) {
        over_root(&root, sum + TOLD + channel, over);
        left -= over[0] * over[0] + over[1] * over[1] + over[2] * over[2];
    }
    return left;
}

static void best_colours(const double *sum, double firm, double *colours) {
    Root r = root_of(sum + INNER, firm);
    for (int channel = 0; channel < CHANNELS; channel++) {
        double over[SHARED];
        over_root(&r, sum + TOLD + channel, over);
        double paint = over[2] * r.third, rim = (over[1] - r.slope * paint) * r.second;
        colours[channel] = (over[0] - r.b * rim - r.c * paint) * r.first;
        colours[SHARED + channel] = rim;
        colours[2 * SHARED + channel] = paint;
    }
}

/* What a side leaves at a place with these shared colours. */
static double misfit_of(const Side *side, int at, const double *colours) {
    const double *told = side->told + SQUARE * at, *inner = side->inner + SQUARE * at;
    double left = side->left[at];
    for (int i = 0; i < SHARED; i++)
        for (int channel = 0; channel < CHANNELS; channel++) {
            double own = -2 * told[SHARED * i + channel];
            for (int j = 0; j < SHARED; j++) own += inner[SHARED * i + j] * colours[SHARED * j + channel];
            left += colours[SHARED * i + channel] * own;
        }
    return left > 0 ? left : 0;
}

/* What all leave at each place with these colours, each felt the less the more it shows something else. */
static void feel(const Side *sides, int count, int widths, int shifts, const double *colours, double *rows) {
    for (int k = 0; k < 2 * widths * shifts; k++) rows[k] = 0;
    for (const Side *side = sides; side < sides + count; side++)
        for (int w = 0; w < widths; w++)
            for (int s = 0; s < shifts; s++)
                rows[(side->axis * widths + w) * shifts + s] +=
                    side->weight * side->strange * log1p(misfit_of(side, place_of(side, w, s, shifts), colours) / side->strange);
}

/* The shared colours that suit the sides best that they suit already. */
static void suit(const Side *sides, int count, int shifts, int least, double firm, double *colours) {
    int width = least / (shifts * shifts), ahead = least / shifts % shifts, aside = least % shifts;
    double sum[WEIGHED] = {0};
    for (const Side *side = sides; side < sides + count; side++) {
        int at = place_of(side, width, side->axis ? aside : ahead, shifts);
        double misfit = misfit_of(side, at, colours);
        add_place(side, at, side->weight / (1 + misfit / side->strange), sum);
    }
    best_colours(sum, firm, colours);
}

/* The place where all together leave least with their own best colours; fills in those. */
static void begin(const Side *sides, int count, int widths, int shifts, double firm, const double *prior, double *sums, double *colours) {
    double least = INFINITY, both[WEIGHED], best[WEIGHED] = {0};
    for (int k = 0; k < 2 * widths * shifts * WEIGHED; k++) sums[k] = 0;
    for (const Side *side = sides; side < sides + count; side++)
        for (int w = 0; w < widths; w++)
            for (int s = 0; s < shifts; s++)
                add_place(side, place_of(side, w, s, shifts), side->weight, sums + ((side->axis * widths + w) * shifts + s) * WEIGHED);
    for (int w = 0; w < widths; w++)
        for (int a = 0; a < shifts; a++)
            for (int b = 0; b < shifts; b++) {
                const double *one = sums + (w * shifts + a) * WEIGHED, *other = sums + ((widths + w) * shifts + b) * WEIGHED;
                for (int k = 0; k < WEIGHED; k++) both[k] = one[k] + other[k];
                double left = best_left(both, firm) + prior[(w * shifts + a) * shifts + b];
                if (left >= least) continue;
                least = left;
                for (int k = 0; k < WEIGHED; k++) best[k] = both[k];
            }
    best_colours(best, firm, colours);
}

/* `prior`, `left` (widths, shifts ahead, shifts left); `colours` (3, 3). Whether there was memory for it. */
int align(const Side *sides, int count, int widths, int shifts, int times, double firm, const double *prior, double *left, double *colours) {
    double *scratch = malloc(2 * widths * shifts * WEIGHED * sizeof *scratch);
    if (!scratch) return 0;
    begin(sides, count, widths, shifts, firm, prior, scratch, colours);
    for (int time = 0; time < times; time++) {
        feel(sides, count, widths, shifts, colours, scratch);
        int least = 0;
        for (int k = 0; k < widths * shifts * shifts; k++) {
            int w = k / (shifts * shifts), a = k / shifts % shifts, b = k % shifts;
            left[k] = scratch[w * shifts + a] + scratch[(widths + w) * shifts + b] + prior[k];
            if (left[k] < left[least]) least = k;
        }
        suit(sides, count, shifts, least, firm, colours);
    }
    free(scratch);
    return 1;
}
