/* How clean the cleanest rim of one size is about the middle of a picture: a bound for `vision/ranked/lattice.py`. */
#include "kernel.h"

/* The mean of `count` values about the one `away` from here, of running sums that lie `step` apart. */
static inline double mean(const double *here, long step, int away, int count) {
    return (here[(away + count / 2 + 1) * step] - here[(away - count / 2) * step]) / count;
}

/* Adds to `rim` how clean the sides are whose middles lie along a row: as a whole, or near both ends, whichever is less. */
IN_WIDE_STEPS static void add_side(const double *sums, long step, int length, int end, double share, int columns, double *rim) {
    int away = (length - end) / 2;
    for (int x = 0; x < columns; x++) {
        double whole = mean(sums + x, step, 0, length);
        double both = (mean(sums + x, step, away, end) + mean(sums + x, step, -away, end)) / 2;
        rim[x] += share * (whole < both ? whole : both);
    }
}

/* `up` (rows + 1, columns) and `across` (rows, columns + 1): running sums along the lines. */
double best_rim(const double *up, const double *across, const RimSize *size, int rows, int columns) {
    int wide = columns - 2 * size->off_x;
    double best = -1, *rim = malloc(wide * sizeof *rim);
    for (int y = size->off_y; rim && y < rows - size->off_y; y++) {
        for (int x = 0; x < wide; x++) rim[x] = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            const double *beside = up + (long)y * columns + size->off_x + sign * size->half_x;
            const double *behind = across + (long)(y + sign * size->half_y) * (columns + 1) + size->off_x;
            add_side(beside, columns, size->tall, size->tall_end, size->tall_share, wide, rim);
            add_side(behind, 1, size->wide, size->wide_end, 0.5 - size->tall_share, wide, rim);
        }
        for (int x = 0; x < wide; x++) best = rim[x] > best ? rim[x] : best;
    }
    int is_known = rim != NULL;
    free(rim);
    return is_known ? best : 1;
}
