/* One base of known size, fitted to a picture: the compiled twin of `vision/fitting.py`, step for step. What each number
   means is said there and in the modules it draws on; all of them are handed over, none is said twice. */
#ifndef KERNEL_H
#define KERNEL_H
#include <stddef.h>
#include <stdlib.h>

/* Loops that a newer processor does in wider steps: the same sums in the same order, and so the same bytes. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define IN_WIDE_STEPS __attribute__((target_clones("avx2", "default")))
#else
#define IN_WIDE_STEPS
#endif

enum {
    MOST_LIPS = 6, LANES = 8, MOST_TURNS = 5, MOST_STEPS = 19, MOST_PLACES = 512, MOST_COLUMNS = 128, MOST_POINTS = 256,
    MOST_CELLS = 160, PLACES_BESIDE = 8, MOST_SHIFTS = 32, STATE = 7, WINDOWS = 4, CHANNELS = 3
};

typedef struct {
    const unsigned char *pixels; /* rows of blue, green and red */
    int width, height;
    long stride;
} Picture;

typedef struct {
    double rotation[9], shift_mm[3], centre_mm[3], focal_px[2], middle_px[2], dist[12];
    int terms, is_fisheye;
} Eye;

typedef struct {
    double depth_mm, width_mm, at_mm[2], turn_rad, ground_mm, least; /* of a rim a first search must find so much */
    int is_round, points;
} Start;

typedef struct {
    double top_mm, inset_mm, lips_mm[MOST_LIPS];
    int lips;
} Make;

/* Places and turns that are tried: `reach_mm` each way. */
typedef struct {
    double reach_mm, step_mm, turns_rad[MOST_TURNS];
    int turns;
} Search;

typedef struct {
    const double *offsets_mm;
    const float *levels; /* of grey, as the eye takes them */
    int columns;
    double step_mm, along_mm, blur_px;
    Search rough, fine;
    double finer_lips_mm[MOST_LIPS];
    int finer_lips, times_rough;
    double half_felt, inner_share, side_px, shaded_price, per_mm, likeness, close_make;
    double soft_px, most_soft_mm;
    int soft_columns;
    double agree_mm;
    double windows_mm[WINDOWS], noise, inner_precision, peak_sigma_mm, sigmas[STATE];
    double usual_scatter_mm, least_scatter, doubt, scatter_power;
    double support_mm, on_rim_mm;
    double near_mm, faint, shade_mm, busy_share, busy_in_mm, grain_in_mm, around_out_mm, around_to_mm;
    int shade_columns;
} Settings;

/* A fit: `make` is -1 where there is none, -2 where there was no memory. */
typedef struct {
    int make;
    double at_mm[2], turn_rad, covariance_mm2[3], turn_variance, support, score, bias_mm, lip_mm, scatter_mm;
    double both, busy, grain, around;
} Fit;

/* How blocks of rectangles grow: lengths in pixels of the sides and their ends, odd, and how far they lie from the middle;
   `tall_share`: how much of a whole rim each of the two sides is that run up; the rest as in `vision/ranked/lattice.py`. */
typedef struct {
    double wide_mm, tall_mm, tall_share, pitch_x, pitch_y, absent, seed, neighbour, between, worth_mm;
    double least_free_side, least_free, cell_cost_mm, least_around, least_side;
    int wide, wide_end, half_x, tall, tall_end, half_y, slack, reach, seeds, most_cells, is_bounded_at_once;
} Growth;

typedef struct {
    int column, row, x, y;
} BlockCell;

/* A block: its cells in the order in which they were found. */
typedef struct {
    double worth_mm;
    int count;
    BlockCell cells[MOST_CELLS];
} Grown;

/* What sides of a block that lie alike tell at each place: `left` (widths, shifts), `told` and `inner` (.., 3, 3); of one
   width where it is the same for all. `strange`: more than so much is unexplained where they show something else. */
typedef struct {
    const double *left, *told, *inner;
    double weight, strange;
    int widths, axis;
} Side;

/* What is worked out once for sides that show alike, as in `vision/ranked/layers.py`: `take` (chunks of PLACES_BESIDE places,
   rows, offsets, PLACES_BESIDE), places being (options, widths, shifts); `inner` (options, widths, shifts, 3, 3), `counts`
   (shifts, offsets), and the `price` of each option. */
typedef struct {
    const float *take;
    const double *inner, *counts, *price;
    double noise, least_noise, rough;
    int options, widths, shifts, offsets, own_layers;
} Layers;

/* Of what is handed over: picture, eye, start, make, settings, fit, growth, block, side, layers. A library of an older make shows by it. */
int size_of(int which);

/* Points of an outline; `rim_mm` and the rest as in `vision/outline.py`. Arrays of `points`. */
typedef struct {
    int points;
    double rim_growth;
    double *x_mm, *y_mm, *normal_x, *normal_y, *rim_mm;
} Outline;

/* The foot of a base round its centre, and the normals there: what its makes share. */
typedef struct {
    double *normal_x, *normal_y, *foot_x, *foot_y;
} Figure;

/* The steps across an outline: `strength` (points, columns), `colours` (channels, points, columns). */
typedef struct {
    Outline outline;
    double mm_per_px;
    float *strength, *colours;
} Edges;

/* What one look after another needs, so that memory is asked for once. */
typedef struct {
    float *raw, *values, *scores;
    double *inner_mm, *places, *moves, *rows, *found, *weight;
    int *column, *tops;
    Figure figure;
} Scratch;

/* A shift and a turn from where the outline was sampled, and the width of the rim. */
typedef struct {
    double x_mm, y_mm, turn_rad, lip_mm, score;
} Guess;

void figure_of(const Start *start, double turn_rad, Figure *figure);
void outline_of(const Start *start, const Make *make, const Figure *figure, const double *at_mm, double turn_rad,
                const Eye *eye, Outline *outline);
/* Where a point of the table appears, and how far it moves there for a millimetre along a direction on the table. */
void seen_px(const Eye *eye, const double *point_mm, double along_x, double along_y, double *at_px, double *along_px);
/* Reads the picture across the outline; whether any of it is before the camera. */
int read_edges(const Picture *picture, const Settings *s, const Eye *eye, double ground_mm, Edges *edges, Scratch *scratch);
/* The strengths (points, columns), smoothed across the outline; whether there was memory for it. */
int soften(const Settings *s, const Edges *edges, float *soft);
/* Whether the foot shows so far below the rim on this normal that either edge may be seen by itself. */
int shows_side(const Settings *s, const Edges *edges, int normal);
/* `is_shaded`: the side of the base is of another tone than its top. Scored -1 where that shows nowhere. */
Guess searched(const Settings *s, const Search *search, const double *lips_mm, int lips, const double *at_mm, int is_shaded,
               const Edges *edges, Scratch *scratch);
/* Of the least-squares fit: the state, its covariance, where the search had put both edges, and the scatter. */
typedef struct {
    double state[STATE], covariance[STATE * STATE], *outer_mm, *inner_mm, scatter_mm;
} Found;
/* Whether there was memory for it. */
int refined(const Settings *s, const Guess *guess, const double *at_mm, int turns, int is_shaded, const double *slant,
            const Edges *edges, Scratch *scratch, Found *found);
double support(const Settings *s, const Edges *edges, const double *outer_mm);
void traits(const Settings *s, const Edges *edges, const Found *found, Scratch *scratch, Fit *fit);
void inner_edge(const Outline *outline, double lip_mm, double *inner_mm);
void moves_of(const Outline *outline, const double *at_mm, double *moves);

/* The number of the value that stands there when `count` values are mirrored at both ends, the ends not repeated. */
static inline int mirrored(int k, int count) {
    if (count == 1) return 0;
    while (k < 0 || k >= count) k = k < 0 ? -k : 2 * (count - 1) - k;
    return k;
}

static inline int rounded(double value) { return (int)((value + 6755399441055744.0) - 6755399441055744.0); }
static inline int clamped(int value, int least, int most) { return value < least ? least : value > most ? most : value; }
/* The column at such a distance outward. */
static inline int column_at(const Settings *s, double offset_mm) {
    return clamped(rounded((offset_mm - s->offsets_mm[0]) / s->step_mm), 0, s->columns - 1);
}
static inline double felt_of(const Settings *s, double strength) { return strength / (strength + s->half_felt); }
#endif
