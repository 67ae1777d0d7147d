/* Where an outline fits the colour steps across it best: the grid search, by the numbers of
   `vision/measurement/fit_settings.py`. */
#include "kernel.h"
#include <math.h>

int has_visible_side(const FitSettings *s, const EdgeProfiles *edges, int normal) {
    return edges->silhouette.rim_mm[normal] < -s->side_px * edges->mm_per_px;
}

/* How far both edges are believed on one normal for an outline at each of the columns `from` to `to`, the inner one
   lying further in by each of the widths of the rim; `both` is (columns, LANES). Where the side shows in a tone of its
   own the outline may be the rim's edge as well, `rim_mm` outward of the foot's; it is 0 elsewhere. */
IN_WIDE_STEPS static void add_confidences(const FitSettings *s, const float *strength, double rim_mm,
                                          const double *inward_mm, int widths, int from, int to, float (*both)[LANES]) {
    float line[3 * MOST_COLUMNS], outer[MOST_COLUMNS], sum[MOST_COLUMNS]; /* beyond its ends the outermost go on */
    float half_confidence = (float)s->half_confidence, share = (float)s->inner_share;
    int columns = s->columns;
    for (int k = 0; k < columns; k++) {
        line[k] = strength[0], line[columns + k] = strength[k], line[2 * columns + k] = strength[columns - 1];
    }
    const float *crest = line + columns + clamp(round_half_even(rim_mm / s->step_mm), -columns, columns);
    for (int k = 0; k < columns; k++) {
        float most = crest[k] > strength[k] ? crest[k] : strength[k];
        outer[k] = most / (most + half_confidence);
    }
    for (int l = 0; l < widths; l++) {
        double inward = inward_mm[l] / s->step_mm;
        const float *inner = line + columns + clamp(round_half_even(inward), -columns, columns);
        const float *near = line + columns + clamp(round_half_even(0.33 * inward), -columns, columns);
        const float *far = line + columns + clamp(round_half_even(0.67 * inward), -columns, columns);
        for (int k = from; k <= to; k++) {
            float above = inner[k] - (near[k] < far[k] ? near[k] : far[k]);
            above = above > 0 ? above : 0;
            sum[k] = outer[k] + share * (above / (above + half_confidence));
        }
        for (int k = from; k <= to; k++) both[k][l] = sum[k];
    }
}

/* As `numpy.arange` counts from -reach to reach. */
static int grid_steps(const SearchGrid *search, double *steps) {
    double by = (-search->reach_mm + search->step_mm) + search->reach_mm;
    int count = (int)ceil((2 * search->reach_mm + search->step_mm / 2) / search->step_mm);
    for (int k = 0; k < count; k++) steps[k] = -search->reach_mm + k * by;
    return count;
}

/* All shifts and turns, `x`, `y` and `turn` one after the other in `places`, MOST_PLACES each; how many. */
static int grid_places(const SearchGrid *search, double *places) {
    double steps[MOST_STEPS];
    int count = grid_steps(search, steps), place = 0;
    for (int y = 0; y < count; y++)
        for (int x = 0; x < count; x++)
            for (int t = 0; t < search->turns; t++, place++) {
                places[place] = steps[x], places[MOST_PLACES + place] = steps[y];
                places[2 * MOST_PLACES + place] = search->turns_rad[t];
            }
    return place;
}

/* The column of one normal at which each place puts the silhouette. */
IN_WIDE_STEPS static void silhouette_columns(const FitSettings *s, const double *moves, const double *places, int count,
                                             int *column) {
    double per_mm = 1 / s->step_mm, first = s->offsets_mm[0], last = s->columns - 1;
    const double *x = places, *y = places + MOST_PLACES, *turn = places + 2 * MOST_PLACES;
    for (int p = 0; p < count; p++) {
        double there = (x[p] * moves[0] + y[p] * moves[1] + turn[p] * moves[2] - first) * per_mm;
        there = there < 0 ? 0 : there;
        column[p] = round_half_even(there > last ? last : there);
    }
}

/* Adds what one normal says of each place to `scores` (places, LANES). `column` is scratch for the places. */
static void add_normal(const FitSettings *s, const SearchGrid *search, const float *strength, const double *moves,
                       double rim_mm, const double *inward_mm, int widths, const double *places, int count, int *column,
                       float *scores) {
    float both[MOST_COLUMNS][LANES] = {{0}};
    double turned_mm = fabs(search->turns_rad[0] * moves[2]); /* the first turn goes farthest */
    double reach_mm = search->reach_mm * (fabs(moves[0]) + fabs(moves[1])) + turned_mm + s->step_mm;
    add_confidences(s, strength, rim_mm, inward_mm, widths, column_of(s, -reach_mm), column_of(s, reach_mm), both);
    silhouette_columns(s, moves, places, count, column);
    for (int p = 0; p < count; p++)
        for (int l = 0; l < LANES; l++) scores[p * LANES + l] += both[column[p]][l];
}

Guess search_grid(const FitSettings *s, const SearchGrid *search, const double *rim_widths_mm, int widths,
                  const double *at_mm, int is_shaded, const EdgeProfiles *edges, Scratch *scratch) {
    Guess best = {0, 0, 0, rim_widths_mm[0], -1};
    int sides = 0;
    for (int n = 0; is_shaded && n < edges->silhouette.points; n++) sides += has_visible_side(s, edges, n);
    if (is_shaded && !sides) return best;
    const Silhouette *o = &edges->silhouette;
    const double *x = scratch->places, *y = x + MOST_PLACES, *turn = y + MOST_PLACES;
    float *scores = scratch->scores;
    int count = grid_places(search, scratch->places);
    outline_jacobian(o, at_mm, scratch->moves);
    for (int k = 0; k < count * LANES; k++) scores[k] = 0;
    for (int n = 0; n < o->points; n++) {
        double moves[3], inward_mm[MOST_WIDTHS];
        for (int i = 0; i < 3; i++) moves[i] = scratch->moves[i * o->points + n];
        for (int l = 0; l < widths; l++) inward_mm[l] = o->rim_mm[n] - rim_widths_mm[l] * o->rim_growth;
        double rim_mm = is_shaded && has_visible_side(s, edges, n) ? o->rim_mm[n] : 0;
        add_normal(s, search, edges->strength + (size_t)n * s->columns, moves, rim_mm, inward_mm, widths,
                   scratch->places, count, scratch->column, scores);
    }
    for (int l = 0; l < widths; l++)
        for (int p = 0; p < count; p++) {
            double cost = s->per_mm * hypot(x[p], y[p]) + s->shaded_price * sides / o->points;
            double score = scores[p * LANES + l] / o->points - cost;
            if (score > best.score) best = (Guess){x[p], y[p], turn[p], rim_widths_mm[l], score};
        }
    return best;
}
