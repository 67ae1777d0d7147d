/* How each pixel's colour step votes for the rims that it may lie on: `vision/uncalibrated/hough_voting.py`. */
#include "kernel.h"
#include <math.h>

/* `across`, `down` (pixels, channels): the steps; `cosines`, `sines` (pixels): what they vote. */
IN_WIDE_STEPS void hough_votes(const float *across, const float *down, long pixels, float half_vote, float *cosines,
                               float *sines) {
    for (long p = 0; p < pixels; p++) {
        const float *a = across + CHANNELS * p, *d = down + CHANNELS * p;
        float xx = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], yy = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        float xy = a[0] * d[0] + a[1] * d[1] + a[2] * d[2], apart = xx - yy;
        float length = sqrtf(apart * apart + 4 * xy * xy), twice = (xx + yy + length) / 2;
        float strength = sqrtf(twice > 0 ? twice : 0), vote = strength / (strength + half_vote) / (length + 1e-6f);
        cosines[p] = vote * apart;
        sines[p] = vote * 2 * xy;
    }
}
