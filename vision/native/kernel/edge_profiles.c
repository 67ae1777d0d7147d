/* The picture read across an outline: `vision/measurement/edge_profiles.py`. */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>

enum { BLOCK = 32, MOST_WEIGHTS = 64 };

/* One half of a bell of weights that sum to one, its middle first; how many. OpenCV's width for this sigma. */
static int bell(double sigma, float **weights) {
    int size = round_half_even(sigma * 8 + 1) | 1, half = size / 2;
    double sum = 0, *exact = malloc((half + 1) * sizeof *exact);
    *weights = malloc((half + 1) * sizeof **weights);
    for (int k = 0; exact && k <= half; k++) sum += (k ? 2 : 1) * (exact[k] = exp(-0.5 / (sigma * sigma) * k * k));
    for (int k = 0; exact && *weights && k <= half; k++) (*weights)[k] = (float)(exact[k] / sum);
    int is_there = exact && *weights;
    free(exact);
    return is_there ? half + 1 : 0;
}

static int floored(float value) { return (int)value - (value < (int)value); }

static double within(double value, double least, double most) {
    return value > least ? (value < most ? value : most) : least;
}

/* To the nearest whole number, halves to the even one, of a grey level. */
static unsigned rounded_level(float level) {
    union {
        float value;
        unsigned bits;
    } u = {level + 12582912.0f};
    return u.bits & 0xff;
}

/* The colour between four pixels, `right` and `below` of the first, as OpenCV's bilinear `remap` reads it. */
static void between(const unsigned char *up, const unsigned char *low, int here, int next, float right, float below,
                    const float *levels, float *out, size_t plane) {
    for (int c = 0; c < CHANNELS; c++) {
        float upper = up[here + c] + right * (float)(up[next + c] - up[here + c]);
        float lower = low[here + c] + right * (float)(low[next + c] - low[here + c]);
        out[c * plane] = levels[rounded_level(upper + below * (lower - upper))];
    }
}

/* Colours along a normal that starts at `start_px`, a millimetre being `along_px`, all of it within the picture. */
static void sample_within(const Picture *p, const FitSettings *s, const double *start_px, const double *along_px,
                          float *out, size_t plane) {
    for (int k = 0; k < s->columns; k++) {
        float x = (float)(start_px[0] + s->offsets_mm[k] * along_px[0]);
        float y = (float)(start_px[1] + s->offsets_mm[k] * along_px[1]);
        int left = (int)x, top = (int)y;
        const unsigned char *up = p->pixels + p->stride * top;
        between(up, up + p->stride, CHANNELS * left, CHANNELS * (left + 1), x - left, y - top, s->levels, out + k,
                plane);
    }
}

/* The same where it may lead out of the picture: its border goes on for ever. */
static void sample_anywhere(const Picture *p, const FitSettings *s, const double *start_px, const double *along_px,
                            float *out, size_t plane) {
    for (int k = 0; k < s->columns; k++) {
        float x = (float)within(start_px[0] + s->offsets_mm[k] * along_px[0], -2, p->width + 1);
        float y = (float)within(start_px[1] + s->offsets_mm[k] * along_px[1], -2, p->height + 1);
        int left = floored(x), top = floored(y);
        const unsigned char *up = p->pixels + p->stride * clamp(top, 0, p->height - 1);
        const unsigned char *low = p->pixels + p->stride * clamp(top + 1, 0, p->height - 1);
        int here = CHANNELS * clamp(left, 0, p->width - 1), next = CHANNELS * clamp(left + 1, 0, p->width - 1);
        between(up, low, here, next, x - left, y - top, s->levels, out + k, plane);
    }
}

/* Whether a normal is within the picture from end to end. */
static int is_inside(const Picture *p, const FitSettings *s, const double *start_px, const double *along_px) {
    for (int end = 0; end < 2; end++) {
        double offset = s->offsets_mm[end ? s->columns - 1 : 0];
        double x = start_px[0] + offset * along_px[0], y = start_px[1] + offset * along_px[1];
        if (!(x >= 0 && y >= 0 && x < p->width - 1.01 && y < p->height - 1.01)) return 0;
    }
    return 1;
}

/* Reads every normal; the millimetres of a pixel, or not a number where nothing is before the camera. */
static double sample_normals(const Picture *picture, const FitSettings *s, const View *view, double ground_mm,
                             const Silhouette *o, float *raw) {
    double sum = 0;
    int seen = 0;
    for (int n = 0; n < o->points; n++) {
        double point[3] = {o->x_mm[n], o->y_mm[n], ground_mm}, at[2], along[2];
        project_point(view, point, o->normal_x[n], o->normal_y[n], at, along);
        double length = hypot(along[0], along[1]);
        if (!isnan(length)) sum += length, seen++;
        for (int i = 0; i < 2; i++) at[i] = isnan(at[i]) ? -1e4 : at[i], along[i] = isnan(along[i]) ? 0 : along[i];
        (is_inside(picture, s, at, along) ? sample_within : sample_anywhere)(
            picture, s, at, along, raw + (size_t)n * s->columns, (size_t)o->points * s->columns);
    }
    return seen ? seen / sum : NAN;
}

/* Averages along the rim, which is closed; `pad` normals beyond its ends the smoothing is mirrored, as
   `edge_profiles.py` pads. */
IN_WIDE_STEPS static void smooth_along(const float *raw, int rows, int columns, const float *weights, int count,
                                       int pad, float *out) {
    for (int n = 0; n < rows; n++) {
        const float *middle = raw + (size_t)n * columns, *a[MOST_WEIGHTS], *b[MOST_WEIGHTS];
        for (int j = 1; j < count; j++) {
            int before = mirror_index(n - j + pad, rows + 2 * pad) - pad,
                after = mirror_index(n + j + pad, rows + 2 * pad) - pad;
            a[j] = raw + (size_t)((before + rows) % rows) * columns;
            b[j] = raw + (size_t)((after + rows) % rows) * columns;
        }
        for (int from = 0; from < columns; from += BLOCK) {
            int here = from + BLOCK <= columns ? from : columns - BLOCK;
            float sums[BLOCK];
            for (int k = 0; k < BLOCK; k++) sums[k] = weights[0] * middle[here + k];
            for (int j = 1; j < count; j++)
                for (int k = 0; k < BLOCK; k++) sums[k] += weights[j] * (a[j][here + k] + b[j][here + k]);
            for (int k = 0; k < BLOCK; k++) out[(size_t)n * columns + here + k] = sums[k];
        }
    }
}

/* `blurred` (columns) of what stands in `padded` (columns, and `count - 1` more on both sides). */
IN_WIDE_STEPS static void blur(const float *padded, int columns, const float *weights, int count, float *blurred) {
    for (int from = 0; from < columns; from += BLOCK) {
        int here = from + BLOCK <= columns ? from : columns - BLOCK;
        const float *middle = padded + here;
        float sums[BLOCK];
        for (int k = 0; k < BLOCK; k++) sums[k] = weights[0] * middle[k];
        for (int j = 1; j < count; j++)
            for (int k = 0; k < BLOCK; k++) sums[k] += weights[j] * (middle[k - j] + middle[k + j]);
        for (int k = 0; k < BLOCK; k++) blurred[here + k] = sums[k];
    }
}

/* What stands in `row` (columns), blurred with its ends mirrored. `scratch`: `count - 1` more on both sides. */
static void blur_row(const float *row, int columns, const float *weights, int count, float *scratch, float *blurred) {
    float *padded = scratch + count - 1;
    int last = columns - 1;
    for (int k = 0; k < columns; k++) padded[k] = row[k];
    for (int k = 1; k < count; k++) {
        padded[-k] = row[mirror_index(-k, columns)];
        padded[last + k] = row[mirror_index(last + k, columns)];
    }
    blur(padded, columns, weights, count, blurred);
}

/* Adds the squared slope of one colour along one normal, blurred across the silhouette, to `squares`. `row` is
   scratch. */
static void add_slope(const float *colours, const FitSettings *s, const float *weights, int count, float *row,
                      float *squares) {
    int columns = s->columns, last = columns - 1;
    float *blurred = row + columns + 2 * (count - 1), once = (float)s->step_mm, twice = (float)(2 * s->step_mm);
    blur_row(colours, columns, weights, count, row, blurred);
    float first = (blurred[1] - blurred[0]) / once, end = (blurred[last] - blurred[last - 1]) / once;
    squares[0] += first * first;
    squares[last] += end * end;
    for (int k = 1; k < last; k++) {
        float slope = (blurred[k + 1] - blurred[k - 1]) / twice;
        squares[k] += slope * slope;
    }
}

static int measure_strength(const FitSettings *s, double mm_per_px, EdgeProfiles *edges) {
    float *weights, *row;
    int rows = edges->silhouette.points, columns = s->columns,
        count = bell(s->blur_px * mm_per_px / s->step_mm, &weights);
    size_t plane = (size_t)rows * columns;
    row = malloc((2 * columns + 2 * (size_t)count) * sizeof *row);
    for (int n = 0; row && count && n < rows; n++) {
        float *to = edges->strength + (size_t)n * columns;
        for (int k = 0; k < columns; k++) to[k] = 0;
        for (int c = 0; c < CHANNELS; c++)
            add_slope(edges->colours + c * plane + (size_t)n * columns, s, weights, count, row, to);
        for (int k = 0; k < columns; k++) to[k] = sqrtf(to[k]) * (float)mm_per_px;
    }
    int is_done = row && count;
    free(row);
    free(weights);
    return is_done;
}

int measure_edge_profiles(const Picture *picture, const FitSettings *s, const View *view, double ground_mm,
                          EdgeProfiles *edges, Scratch *scratch) {
    const Silhouette *o = &edges->silhouette;
    size_t plane = (size_t)o->points * s->columns;
    double mm_per_px = sample_normals(picture, s, view, ground_mm, o, scratch->raw);
    double spacing_mm = hypot(o->x_mm[1] - o->x_mm[0], o->y_mm[1] - o->y_mm[0]);
    double sigma = s->along_mm / 2 / (spacing_mm > 0 ? spacing_mm : 1.0);
    float *weights;
    int count = bell(fmax(sigma, 1e-3), &weights), pad = (int)ceil(3 * sigma) + 1;
    if (count > MOST_WEIGHTS) count = 0; /* no base is that small */
    for (int c = 0; count && c < CHANNELS; c++)
        smooth_along(scratch->raw + c * plane, o->points, s->columns, weights, count, pad, edges->colours + c * plane);
    free(weights);
    edges->mm_per_px = mm_per_px;
    return count && !isnan(mm_per_px) && measure_strength(s, mm_per_px, edges);
}

int smooth_across(const FitSettings *s, const EdgeProfiles *edges, float *soft) {
    float *weights, *row;
    int columns = s->columns, count = bell(fmin(s->soft_px * edges->mm_per_px, s->most_soft_mm) / s->step_mm, &weights);
    row = malloc((columns + 2 * (size_t)count) * sizeof *row);
    for (size_t n = 0; row && count && n < (size_t)edges->silhouette.points; n++)
        blur_row(edges->strength + n * columns, columns, weights, count, row, soft + n * columns);
    int is_done = row && count;
    free(row);
    free(weights);
    return is_done;
}
