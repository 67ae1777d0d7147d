/* How well each place of the layers explains what a side shows, for `vision/ranked/side_layers.py`. Of what explains it
   the first rows are of shared colours, then of the side's own, the last of both together. */
#include "kernel.h"
#include <math.h>
#include <string.h>

enum { SHARED = 3, SQUARE = SHARED * SHARED };

/* Places beside each other, worked on together. */
typedef float Places __attribute__((vector_size(PLACES_BESIDE * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Of places beside each other: what they tell of the shared colours (SHARED, channels, PLACES_BESIDE), how much is
   explained by the side's own ones, and how much by itself. */
IN_WIDE_STEPS static void explain_places(const LayerModel *layers, const Places *take, const float *known,
                                         Places *projection, Places *own, Places *alone) {
    int rows = 2 * SHARED + layers->own_layers;
    *own = *alone = (Places){0};
    for (int row = 0; row < rows; row++) {
        Places blue = {0}, green = {0}, red = {0}, *into = row < rows - SHARED ? own : alone;
        for (int at = 0; at < layers->offsets; at++, take++) {
            blue += known[at * CHANNELS] * *take;
            green += known[at * CHANNELS + 1] * *take;
            red += known[at * CHANNELS + 2] * *take;
        }
        if (row < SHARED)
            projection[row * CHANNELS] = blue, projection[row * CHANNELS + 1] = green,
                             projection[row * CHANNELS + 2] = red;
        else *into += blue * blue + green * green + red * red;
    }
}

/* Grey levels by which a layer differs from one colour: what the best place leaves, and no less than pixels and
   roughness. */
static double noise_level(const LayerModel *layers, const double *seen, double left) {
    int values = layers->offsets * CHANNELS;
    double mean = 0, spread = 0;
    for (int k = 0; k < values; k++) mean += seen[k] / values;
    for (int k = 0; k < values; k++) spread += (seen[k] - mean) * (seen[k] - mean) / values;
    double least = hypot(layers->least_noise, layers->rough * sqrt(spread));
    double found = layers->noise * sqrt((left > 0 ? left : 0) / values);
    return found > least ? found : least;
}

/* `seen` (offsets, channels). Of each place (widths, shifts) the option that is best there, what it `costs`, and what
   it leaves, `projection` and `gram` (.., 3, 3) of the shared colours; `noise`, in grey levels. Whether there was
   memory for it. */
int fit_layers(const LayerModel *layers, const double *seen, long *options, double *costs, double *left,
               double *projection, double *gram, double *noise) {
    int places = layers->widths * layers->shifts, all = places * layers->options,
        chunks = (all + PLACES_BESIDE - 1) / PLACES_BESIDE;
    int offsets = layers->offsets, rows = 2 * SHARED + layers->own_layers;
    float *known = malloc((offsets * CHANNELS + (long)chunks * PLACES_BESIDE * (SQUARE + 2)) * sizeof *known);
    if (!known) return 0;
    float *shared = known + offsets * CHANNELS, *own = shared + (long)chunks * PLACES_BESIDE * SQUARE;
    float *alone = own + chunks * PLACES_BESIDE;
    double whole[MOST_SHIFTS] = {0}, least = INFINITY;
    for (int k = 0; k < offsets * CHANNELS; k++) known[k] = (float)(seen[k] / layers->noise);
    for (int shift = 0; shift < layers->shifts; shift++)
        for (int k = 0; k < offsets * CHANNELS; k++)
            whole[shift] += layers->counts[shift * offsets + k / CHANNELS] * known[k] * known[k];
    for (int chunk = 0; chunk < chunks; chunk++) {
        int at = chunk * PLACES_BESIDE;
        explain_places(layers, (const Places *)(layers->take + (long)at * rows * offsets), known,
                       (Places *)(shared + at * SQUARE), (Places *)(own + at), (Places *)(alone + at));
    }
    for (int k = 0; k < all; k++) {
        double here = whole[k % layers->shifts] - own[k] - alone[k];
        least = here < least ? here : least;
    }
    *noise = noise_level(layers, seen, least);
    double root = layers->noise / *noise, weight = root * root;
    for (int place = 0; place < places; place++) {
        int best = 0;
        costs[place] = INFINITY;
        for (int option = 0; option < layers->options; option++) {
            int k = option * places + place;
            double cost = weight * (whole[place % layers->shifts] - own[k] - alone[k]) + layers->price[option];
            if (cost < costs[place]) best = option, costs[place] = cost;
        }
        int k = best * places + place;
        const float *here = shared + (k - k % PLACES_BESIDE) * SQUARE + k % PLACES_BESIDE;
        options[place] = best;
        left[place] = weight * (whole[place % layers->shifts] - own[k]) + layers->price[best];
        for (int i = 0; i < SQUARE; i++) projection[place * SQUARE + i] = weight * here[i * PLACES_BESIDE];
        for (int i = 0; i < SQUARE; i++) gram[place * SQUARE + i] = weight * layers->gram[(long)k * SQUARE + i];
    }
    free(known);
    return 1;
}
