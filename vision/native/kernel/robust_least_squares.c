/* The robust least squares of the nearest steps of both edges, and of the rim's own above a shaded side, by
   the numbers of `vision/measurement/fit_settings.py`. */
#include "kernel.h"
#include <math.h>
#include <string.h>

enum {
    BEYOND = 6, /* windows: a step that far off counts for less than the last digit */
    CREST = 2,
    EDGES
}; /* the silhouette, the inner edge and that of the rim */

/* The columns of each normal at which a step tops; their number comes first. (points, columns) */
static void find_tops(const FitSettings *s, const EdgeProfiles *edges, int *tops) {
    for (int n = 0; n < edges->silhouette.points; n++) {
        const float *row = edges->strength + (size_t)n * s->columns;
        int *to = tops + (size_t)n * s->columns, count = 0;
        for (int k = 1; k < s->columns - 1; k++)
            if (row[k] >= row[k - 1] && row[k] > row[k + 1]) to[++count] = k;
        to[0] = count;
    }
}

/* Where a step tops within so many columns of this one; whether it does. */
static int top_near(const FitSettings *s, const float *row, int column, int columns, double *offset_mm) {
    int first = clamp(column - columns, 1, s->columns - 2), last = clamp(column + columns, 1, s->columns - 2);
    int best = first;
    for (int k = first + 1; k <= last; k++)
        if (row[k] > row[best]) best = k;
    double left = row[best - 1], peak = row[best], right = row[best + 1], curve = left - 2 * peak + right;
    int is_top = curve < -1e-9;
    double vertex = is_top ? 0.5 * (left - right) / curve : 0;
    *offset_mm = s->offsets_mm[best] + fmax(-1, fmin(1, vertex)) * s->step_mm;
    return is_top;
}

/* The top of the strongest step near `expected_mm` on one normal and not nearer to `other_mm`, and how much it counts:
   0 where there is none. */
static double nearest_step(const FitSettings *s, const float *row, const float *soft, const int *tops,
                           double expected_mm, double other_mm, double window_mm, double *offset_mm) {
    int best = 0;
    double most = 0;
    for (int i = 1; i <= tops[0]; i++) {
        double away = (s->offsets_mm[tops[i]] - expected_mm) / window_mm, strength = row[tops[i]];
        if (strength <= most || fabs(away) > BEYOND) continue;
        if (fabs(s->offsets_mm[tops[i]] - expected_mm) > fabs(s->offsets_mm[tops[i]] - other_mm)) continue;
        double near = strength * exp(-(away * away));
        if (near > most) most = near, best = tops[i];
    }
    double softly_mm;
    int is_top = top_near(s, row, best, 0, offset_mm);
    if (top_near(s, soft, best, s->soft_columns, &softly_mm)) {
        double off_mm = softly_mm - *offset_mm, part = off_mm / s->agree_mm;
        *offset_mm += off_mm * exp(-(part * part));
    }
    double away = (*offset_mm - expected_mm) / window_mm;
    return best && is_top && row[best] > s->noise ? confidence_of(s, row[best]) * exp(-(away * away)) : 0;
}

/* How far each point of the silhouette, of the inner edge and of the rim's edge moves outward with each part of the
   state. */
static void jacobian_rows(const Silhouette *o, const double *moves, int turns, const double *slant, double *rows) {
    for (int n = 0; n < o->points; n++) {
        double x = moves[n], y = moves[o->points + n], turn = turns ? moves[2 * o->points + n] : 0;
        double cast = o->normal_x[n] * slant[0] + o->normal_y[n] * slant[1], is_rim = o->rim_mm[n] > -1e-9;
        double outer[STATE] = {x, y, 1, 0, turn, is_rim * cast, -is_rim}, inner[STATE] = {x, y, 0, 1, turn, cast, 0};
        double crest[STATE] = {x, y, 1, 0, turn, cast, -1};
        memcpy(rows + (size_t)n * STATE, outer, sizeof outer);
        memcpy(rows + (size_t)(o->points + n) * STATE, inner, sizeof inner);
        memcpy(rows + (size_t)(2 * o->points + n) * STATE, crest, sizeof crest);
    }
}

static double dot(const double *row, const double *state) {
    double sum = 0;
    for (int i = 0; i < STATE; i++) sum += row[i] * state[i];
    return sum;
}

/* The inverse of a symmetric positive matrix, by its triangular root. */
static void invert_positive(const double *matrix, double *inverse) {
    double root[STATE][STATE] = {{0}}, back[STATE][STATE] = {{0}};
    for (int i = 0; i < STATE; i++)
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i * STATE + j];
            for (int k = 0; k < j; k++) sum -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrt(sum) : sum / root[j][j];
        }
    for (int j = 0; j < STATE; j++)
        for (int i = j; i < STATE; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum -= root[i][k] * back[k][j];
            back[i][j] = sum / root[i][i];
        }
    for (int i = 0; i < STATE; i++)
        for (int j = 0; j < STATE; j++) {
            double sum = 0;
            for (int k = i > j ? i : j; k < STATE; k++) sum += back[k][i] * back[k][j];
            inverse[i * STATE + j] = sum;
        }
}

static void solve_normal_equations(const FitSettings *s, int count, const double *rows, const double *found,
                                   const double *weight, RobustSolution *f) {
    double information[STATE * STATE] = {0}, pulled[STATE] = {0};
    for (int n = 0; n < count; n++) {
        const double *row = rows + (size_t)n * STATE;
        double precision = weight[n] / (s->peak_sigma_mm * s->peak_sigma_mm) / 3;
        if (precision <= 0) continue;
        for (int i = 0; i < STATE; i++) {
            pulled[i] += precision * row[i] * found[n];
            for (int j = 0; j <= i; j++) information[i * STATE + j] += precision * row[i] * row[j];
        }
    }
    for (int i = 0; i < STATE; i++) information[i * STATE + i] += 1 / (s->sigmas[i] * s->sigmas[i]);
    invert_positive(information, f->covariance);
    for (int i = 0; i < STATE; i++) f->state[i] = dot(f->covariance + i * STATE, pulled);
}

/* Where the silhouette, the inner edge and the rim's edge of one normal are expected. */
static void expected_offsets(const Silhouette *o, const double *inner_mm, const RobustSolution *f,
                             const Scratch *scratch, int n, double *at_mm) {
    const double aside[EDGES] = {0, inner_mm[n], o->rim_mm[n]};
    for (int e = 0; e < EDGES; e++)
        at_mm[e] = dot(scratch->rows + (size_t)(e * o->points + n) * STATE, f->state) + aside[e];
}

/* `soft`: the strengths on which each step is placed. A step is that of the edge it is nearest to. */
static void match_steps(const FitSettings *s, const EdgeProfiles *edges, const float *soft, const double *inner_mm,
                        int is_shaded, double window_mm, const RobustSolution *f, const Scratch *scratch) {
    int points = edges->silhouette.points;
    for (int n = 0; n < points; n++) {
        int has_side = is_shaded && has_visible_side(s, edges, n);
        const double aside[EDGES] = {0, inner_mm[n], edges->silhouette.rim_mm[n]},
                     share[EDGES] = {1, s->inner_precision, 1};
        const float *row = edges->strength + (size_t)n * s->columns, *softly = soft + (size_t)n * s->columns;
        const int *tops = scratch->tops + (size_t)n * s->columns;
        double at_mm[EDGES], offset_mm;
        expected_offsets(&edges->silhouette, inner_mm, f, scratch, n, at_mm);
        for (int e = 0; e < EDGES; e++) {
            double other_mm = e == CREST ? at_mm[0] : has_side ? at_mm[CREST] : INFINITY;
            scratch->weight[e * points + n] = scratch->found[e * points + n] = 0;
            if (e == CREST && !has_side) continue;
            double counts = nearest_step(s, row, softly, tops, at_mm[e], other_mm, window_mm, &offset_mm);
            scratch->found[e * points + n] = offset_mm - aside[e];
            scratch->weight[e * points + n] = share[e] * counts;
        }
    }
}

/* Where the search put both edges: of a shaded side the outer one is the foot or the rim, whichever shows. */
static void keep_searched_edges(const FitSettings *s, const EdgeProfiles *edges, const double *inner_mm, int is_shaded,
                                const Scratch *scratch, RobustSolution *f) {
    for (int n = 0; n < edges->silhouette.points; n++) {
        const float *row = edges->strength + (size_t)n * s->columns;
        double at_mm[EDGES];
        expected_offsets(&edges->silhouette, inner_mm, f, scratch, n, at_mm);
        int is_crest = is_shaded && has_visible_side(s, edges, n);
        is_crest = is_crest && row[column_of(s, at_mm[CREST])] > row[column_of(s, at_mm[0])];
        f->outer_mm[n] = is_crest ? at_mm[CREST] : at_mm[0], f->inner_mm[n] = at_mm[1];
    }
}

int refine_robust(const FitSettings *s, const Guess *guess, const double *at_mm, int turns, int is_shaded,
                  const double *slant, const EdgeProfiles *edges, Scratch *scratch, RobustSolution *f) {
    const Silhouette *o = &edges->silhouette;
    double *inner_mm = scratch->inner_mm, total = 0, missed = 0;
    int count = EDGES * o->points;
    outline_jacobian(o, at_mm, scratch->moves);
    jacobian_rows(o, scratch->moves, turns, slant, scratch->rows);
    inner_edge(o, guess->rim_width_mm, inner_mm);
    find_tops(s, edges, scratch->tops);
    if (!smooth_across(s, edges, scratch->values)) return 0;
    for (int i = 0; i < STATE; i++) f->state[i] = 0;
    f->state[0] = guess->x_mm, f->state[1] = guess->y_mm, f->state[4] = guess->turn_rad;
    keep_searched_edges(s, edges, inner_mm, is_shaded, scratch, f);
    for (int w = 0; w < WINDOWS; w++) {
        const float *placed_on = w == WINDOWS - 1 ? scratch->values : edges->strength;
        match_steps(s, edges, placed_on, inner_mm, is_shaded, s->windows_mm[w], f, scratch);
        solve_normal_equations(s, count, scratch->rows, scratch->found, scratch->weight, f);
    }
    for (int n = 0; n < count; n++) {
        double miss = scratch->found[n] - dot(scratch->rows + (size_t)n * STATE, f->state);
        total += scratch->weight[n], missed += scratch->weight[n] * miss * miss;
    }
    f->scatter_mm = sqrt((missed + 1e-6) / (total + 1e-6));
    return 1;
}
