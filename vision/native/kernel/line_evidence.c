/* How strongly a line runs at each pixel, whichever colours it is of, for `vision/ranked/line_evidence.py`. */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BESIDE = 2 };

/* Steps and stripes between five values each, `count` of them side by side, squared. */
IN_WIDE_STEPS static void square_steps(const float *const beside[2 * BESIDE + 1], long count, float *squares) {
    const float *a = beside[0], *b = beside[1], *here = beside[2], *c = beside[3], *d = beside[4];
    for (long k = 0; k < count; k++) {
        float step = 0.5f * c[k] - 0.5f * b[k], stripe = 0.7f * here[k] - 0.35f * a[k] - 0.35f * d[k];
        squares[k] = step * step + stripe * stripe;
    }
}

IN_WIDE_STEPS static void combine_channels(const float *squares, long pixels, float *strength) {
    for (long p = 0; p < pixels; p++)
        strength[p] = sqrtf(squares[CHANNELS * p] + squares[CHANNELS * p + 1] + squares[CHANNELS * p + 2]);
}

/* A row with its ends mirrored, so many pixels on both sides. */
static void pad_mirrored(const float *row, int columns, float *wide) {
    const size_t pixel = CHANNELS * sizeof *row;
    memcpy(wide + BESIDE * CHANNELS, row, columns * pixel);
    for (int k = 1; k <= BESIDE; k++) {
        memcpy(wide + CHANNELS * (BESIDE - k), row + CHANNELS * mirror_index(-k, columns), pixel);
        memcpy(wide + CHANNELS * (BESIDE + columns - 1 + k), row + CHANNELS * mirror_index(columns - 1 + k, columns),
               pixel);
    }
}

/* `tones` (rows, columns, channels), `strength` (rows, columns). `is_across`: of lines along the rows. Whether there
   was memory for it. */
int line_strength(const float *tones, int rows, int columns, int is_across, float *strength) {
    size_t count = (size_t)CHANNELS * columns;
    float *wide = malloc((2 * count + 2 * BESIDE * CHANNELS) * sizeof *wide),
          *squares = wide + count + 2 * BESIDE * CHANNELS;
    for (int r = 0; wide && r < rows; r++) {
        const float *beside[2 * BESIDE + 1];
        if (!is_across) pad_mirrored(tones + r * count, columns, wide);
        for (int k = 0; k <= 2 * BESIDE; k++)
            beside[k] = is_across ? tones + mirror_index(r + k - BESIDE, rows) * count : wide + CHANNELS * k;
        square_steps(beside, (long)count, squares);
        combine_channels(squares, columns, strength + (size_t)r * columns);
    }
    int is_done = wide != NULL;
    free(wide);
    return is_done;
}
