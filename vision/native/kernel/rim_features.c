/* What tells a base from a look-alike: `RimFeatures` in `vision/measurement/base_fit.py`, and how far the rim supports
   the fit. */
#include "kernel.h"
#include <math.h>

/* Brings the value that `rank` others are not above to its place, smaller ones before it and larger ones behind. */
static void select_rank(float *values, int count, int rank) {
    for (int low = 0, high = count - 1; low < high;) {
        float pivot = values[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i > j) break;
            float kept = values[i];
            values[i++] = values[j], values[j--] = kept;
        }
        if (rank <= j) high = j;
        else if (rank >= i) low = i;
        else return;
    }
}

/* What this share of the values stays below, drawn straight between two of them; 0 of none. Reorders them. */
static double quantile(float *values, int count, double share) {
    if (!count) return 0;
    double place = share * (count - 1);
    int below = (int)place;
    float part = (float)(place - below);
    select_rank(values, count, below);
    float low = values[below], high = low;
    for (int k = below + 1; k < count; k++)
        if (k == below + 1 || values[k] < high) high = values[k];
    return part < 0.5f ? low + (high - low) * part : high - (high - low) * (1 - part);
}

static double max_confidence_near(const FitSettings *s, const float *row, double at_mm) {
    float most = 0, half_confidence = (float)s->half_confidence;
    int middle = round_half_even((at_mm - s->offsets_mm[0]) / s->step_mm), reach = (int)(s->near_mm / s->step_mm) + 2;
    for (int k = clamp(middle - reach, 0, s->columns); k < clamp(middle + reach + 1, 0, s->columns); k++) {
        float confidence = row[k] / (row[k] + half_confidence);
        if (fabs(s->offsets_mm[k] - at_mm) <= s->near_mm + 1e-9 && confidence > most) most = confidence;
    }
    return most;
}

static double both_edges(const FitSettings *s, const EdgeProfiles *edges, const RobustSolution *f, float *values) {
    for (int n = 0; n < edges->silhouette.points; n++) {
        const float *row = edges->strength + (size_t)n * s->columns;
        values[n] =
            (float)fmin(max_confidence_near(s, row, f->outer_mm[n]), max_confidence_near(s, row, f->inner_mm[n]));
    }
    return quantile(values, edges->silhouette.points, s->faint);
}

/* Columns of one normal, the last not included. */
typedef struct {
    int from, to;
} Span;

/* Those between two offsets. */
static Span span_of(const FitSettings *s, double from_mm, double to_mm) {
    Span span = {0, s->columns};
    while (span.from < span.to && from_mm - 1e-9 > s->offsets_mm[span.from]) span.from++;
    while (span.to > span.from && to_mm + 1e-9 < s->offsets_mm[span.to - 1]) span.to--;
    return span;
}

/* Adds how far each colour at the columns below `to` is from its mean over `wide` normals of the closed rim, squared,
   to `away` (points, columns). */
static void add_contrast_along(const float *plane, int rows, int columns, int to, int wide, float *away) {
    double sums[MOST_COLUMNS] = {0};
    int half = wide / 2;
    for (int n = -half; n <= half; n++)
        for (int k = 0; k < to; k++) sums[k] += plane[(size_t)((n + rows) % rows) * columns + k];
    for (int n = 0; n < rows; n++) {
        const float *middle = plane + (size_t)n * columns, *last = plane + (size_t)((n - half + rows) % rows) * columns;
        const float *next = plane + (size_t)((n + half + 1) % rows) * columns;
        for (int k = 0; k < to; k++) {
            float off = middle[k] - (float)(sums[k] * (1.0 / wide));
            away[(size_t)n * columns + k] += off * off;
            sums[k] += (double)next[k] - last[k];
        }
    }
}

/* What is busy inside the rim: how much colours further in than the inner edge change along it. */
static double busyness(const FitSettings *s, const EdgeProfiles *edges, const RobustSolution *f, Scratch *scratch) {
    const Silhouette *o = &edges->silhouette;
    double spacing_mm = hypot(o->x_mm[1] - o->x_mm[0], o->y_mm[1] - o->y_mm[0]);
    int wide = round_half_even(s->shade_mm / (spacing_mm > 0 ? spacing_mm : 1.0)) | 1, to = 0, count = 0;
    size_t plane = (size_t)o->points * s->columns;
    float *away = scratch->raw;
    Span inside[MOST_POINTS];
    for (int n = 0; n < o->points; n++) {
        inside[n] = span_of(s, s->offsets_mm[0], f->inner_mm[n] - s->busy_in_mm);
        to = inside[n].to > to ? inside[n].to : to;
    }
    for (size_t k = 0; k < plane; k++) away[k] = 0;
    for (int c = 0; c < CHANNELS; c++)
        add_contrast_along(edges->colours + c * plane, o->points, s->columns, to, wide < 3 ? 3 : wide, away);
    for (int n = 0; n < o->points; n++)
        for (int k = inside[n].from; k < inside[n].to; k++)
            scratch->values[count++] = sqrtf(away[(size_t)n * s->columns + k]);
    return quantile(scratch->values, count, s->busy_share);
}

/* Appends how far the colours of one normal at these columns are from their mean across the rim; how many. */
static int contrast_across(const FitSettings *s, const EdgeProfiles *edges, int normal, Span span, float *values) {
    int half = s->shade_columns / 2, wide = 2 * half + 1, last = s->columns - 1;
    float squares[MOST_COLUMNS] = {0};
    for (int c = 0; c < CHANNELS; c++) {
        const float *row = edges->colours + ((size_t)c * edges->silhouette.points + normal) * s->columns;
        double sum = 0;
        for (int k = span.from - half; k < span.from + half; k++) sum += row[k < 0 ? -k : k > last ? 2 * last - k : k];
        for (int k = span.from; k < span.to; k++) {
            int next = k + half, before = k - half;
            sum += row[next > last ? 2 * last - next : next];
            float off = row[k] - (float)(sum * (1.0 / wide));
            squares[k] += off * off;
            sum -= row[before < 0 ? -before : before];
        }
    }
    for (int k = span.from; k < span.to; k++) values[k - span.from] = sqrtf(squares[k]);
    return span.to - span.from;
}

void extract_rim_features(const FitSettings *s, const EdgeProfiles *edges, const RobustSolution *f, Scratch *scratch,
                          FitResult *fit) {
    int points = edges->silhouette.points, inside = 0, outside = 0;
    float *values = scratch->values;
    fit->both = both_edges(s, edges, f, values);
    fit->busy = busyness(s, edges, f, scratch);
    for (int n = 0; n < points; n++)
        inside += contrast_across(s, edges, n, span_of(s, s->offsets_mm[0], f->inner_mm[n] - s->grain_in_mm),
                                  values + inside);
    fit->grain = quantile(values, inside, 0.5);
    for (int n = 0; n < points; n++)
        outside += contrast_across(s, edges, n, span_of(s, f->outer_mm[n] + s->around_out_mm, s->around_to_mm),
                                   values + outside);
    fit->around = quantile(values, outside, 0.5);
}

double rim_support(const FitSettings *s, const EdgeProfiles *edges, const double *outer_mm) {
    int supported = 0;
    for (int n = 0; n < edges->silhouette.points; n++) {
        const float *row = edges->strength + (size_t)n * s->columns;
        int best = clamp(round_half_even((outer_mm[n] - s->offsets_mm[0]) / s->step_mm), 0, s->columns - 1),
            strongest = best;
        double off = (s->offsets_mm[best] - outer_mm[n]) / s->support_mm, most = row[best] * exp(-(off * off));
        for (int k = 0; k < s->columns; k++) {
            if (row[k] <= most) continue;
            double away = (s->offsets_mm[k] - outer_mm[n]) / s->support_mm, near = row[k] * exp(-(away * away));
            if (near > most) most = near, strongest = k;
        }
        best = clamp(strongest, 1, s->columns - 2);
        int is_peak = row[best] >= row[best - 1] && row[best] >= row[best + 1] && row[best] > s->noise;
        supported += is_peak && fabs(s->offsets_mm[best] - outer_mm[n]) < s->on_rim_mm;
    }
    return (double)supported / edges->silhouette.points;
}
