/* Where an outline fits the colour steps across it: the two loops of `vision/fit.py` that take most of its time. */
#include <math.h>
#include <stdlib.h>

/* Steps of `rows` normals at `columns` offsets, from `first_mm` on in steps of `step_mm`; a step is half believed at
   `half_felt`. */
typedef struct {
    const double *strength;
    int rows, columns;
    double first_mm, step_mm, half_felt;
} Steps;

/* To the nearest whole number, halves to the even one; far quicker than `rint` where that is a call. */
static int rounded(double value) { return (int)((value + 6755399441055744.0) - 6755399441055744.0); }

static int within(const Steps *s, int column) { return column < 0 ? 0 : column >= s->columns ? s->columns - 1 : column; }

static int column_of(const Steps *s, double offset_mm) { return within(s, rounded((offset_mm - s->first_mm) / s->step_mm)); }

static double felt(const Steps *s, double strength) { return strength / (strength + s->half_felt); }

/* How far both edges are believed for an outline at each offset, the inner one lying `inward_mm` further. */
static void both_of(const Steps *s, const double *inward_mm, double share, double *both) {
    for (int n = 0; n < s->rows; n++) {
        const double *row = s->strength + (size_t)n * s->columns, inward = inward_mm[n] / s->step_mm;
        int whole = rounded(inward), third = rounded(0.33 * inward), two_thirds = rounded(0.67 * inward);
        for (int k = 0; k < s->columns; k++) {
            double inner = row[within(s, k + whole)];
            double near = row[within(s, k + third)], far = row[within(s, k + two_thirds)];
            double above = inner - (near < far ? near : far);
            both[(size_t)n * s->columns + k] = felt(s, row[k]) + share * felt(s, above > 0 ? above : 0);
        }
    }
}

/* The best of `count` places and of `lips` widths of the rim: their numbers, and its score. `moves` (rows, 3) says how
   far each normal moves for a millimetre of x and y and a radian of turn, `inward_mm` (lips, rows) where the inner edge
   lies. The number is -1 where there was no memory. */
double best_place(Steps s, const double *moves, const double *places, int count,
                  const double *inward_mm, int lips, double share, double per_mm, int *place, int *lip) {
    unsigned char *column = malloc((size_t)count * s.rows);
    double *both = malloc((size_t)s.rows * s.columns * sizeof *both), *less = malloc(count * sizeof *less), best = -1;
    *place = *lip = column && both && less ? 0 : -1;
    for (int p = 0; p < count && *place >= 0; p++) {
        less[p] = per_mm * hypot(places[3 * p], places[3 * p + 1]);
        for (int n = 0; n < s.rows; n++) {
            const double *by = moves + 3 * n, *at = places + 3 * p;
            column[(size_t)p * s.rows + n] = (unsigned char)column_of(&s, at[0] * by[0] + at[1] * by[1] + at[2] * by[2]);
        }
    }
    for (int l = 0; l < lips && *place >= 0; l++) {
        both_of(&s, inward_mm + (size_t)l * s.rows, share, both);
        for (int p = 0; p < count; p++) {
            const unsigned char *at = column + (size_t)p * s.rows;
            double sum = 0;
            for (int n = 0; n < s.rows; n++) sum += both[(size_t)n * s.columns + at[n]];
            double score = sum / s.rows - less[p];
            if (score > best) best = score, *place = p, *lip = l;
        }
    }
    free(column);
    free(both);
    free(less);
    return best;
}

/* For each normal the top of the strongest step near `expected_mm`, and how much it counts (0: none). */
void nearest_steps(Steps s, const double *offsets_mm, const double *expected_mm, double window_mm, double noise,
                   double *offset_mm, double *counts) {
    for (int n = 0; n < s.rows; n++) {
        const double *row = s.strength + (size_t)n * s.columns;
        int best = 1, is_top = 0;
        double most = 0;
        for (int k = 1; k < s.columns - 1; k++) {
            if (!(row[k] >= row[k - 1] && row[k] > row[k + 1])) continue;
            double away = (offsets_mm[k] - expected_mm[n]) / window_mm, near = row[k] * exp(-(away * away));
            if (near > most) most = near, best = k, is_top = 1;
        }
        if (!is_top) is_top = row[best] >= row[best - 1] && row[best] > row[best + 1];
        double left = row[best - 1], peak = row[best], right = row[best + 1], curve = left - 2 * peak + right;
        int is_peak = is_top && curve < -1e-9;
        offset_mm[n] = offsets_mm[best] + (is_peak ? 0.5 * (left - right) / curve * s.step_mm : 0);
        double away = (offset_mm[n] - expected_mm[n]) / window_mm;
        counts[n] = is_peak && peak > noise ? felt(&s, peak) * exp(-(away * away)) : 0;
    }
}
