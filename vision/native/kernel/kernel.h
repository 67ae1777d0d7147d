/* One base of known size, fitted to a picture. What each number means is said in `vision/measurement/fit_settings.py`;
   all of them are handed over, none is said twice. */
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
    MOST_WIDTHS = 6,
    LANES = 8,
    MOST_TURNS = 5,
    MOST_STEPS = 19,
    MOST_PLACES = 512,
    MOST_COLUMNS = 128,
    MOST_POINTS = 256,
    PLACES_BESIDE = 8,
    MOST_SHIFTS = 32,
    STATE = 7,
    WINDOWS = 4,
    CHANNELS = 3
};

typedef struct {
    const unsigned char *pixels; /* rows of blue, green and red */
    int width, height;
    long stride;
} Picture;

typedef struct {
    double rotation[9], shift_mm[3], centre_mm[3], focal_px[2], middle_px[2], dist[12];
    int terms, is_fisheye;
} View;

typedef struct {
    double depth_mm, width_mm, at_mm[2], turn_rad, ground_mm, min_score; /* of a rim a first search must find so much */
    int is_round, points;
} Start;

typedef struct {
    double top_mm, inset_mm, rim_widths_mm[MOST_WIDTHS];
    int widths;
} RimProfile;

/* Places and turns that are tried: `reach_mm` each way. */
typedef struct {
    double reach_mm, step_mm, turns_rad[MOST_TURNS];
    int turns;
} SearchGrid;

typedef struct {
    const double *offsets_mm;
    const float *levels; /* of grey, as tone mapping gives them */
    int columns;
    double step_mm, along_mm, blur_px;
    SearchGrid rough, fine;
    double finer_widths_mm[MOST_WIDTHS];
    int finer_widths, times_rough;
    double half_confidence, inner_share, side_px, shaded_price, per_mm, likeness, close_profile;
    double soft_px, most_soft_mm;
    int soft_columns;
    double agree_mm;
    double windows_mm[WINDOWS], noise, inner_precision, peak_sigma_mm, sigmas[STATE];
    double usual_scatter_mm, least_scatter, doubt, scatter_power;
    double support_mm, on_rim_mm;
    double near_mm, faint, shade_mm, busy_share, busy_in_mm, grain_in_mm, around_out_mm, around_to_mm;
    int shade_columns;
} FitSettings;

/* A fit: `profile` is -1 where there is none, -2 where there was no memory. */
typedef struct {
    int profile;
    double at_mm[2], turn_rad, covariance_mm2[3], turn_variance, support, score, bias_mm, rim_width_mm, scatter_mm;
    double both, busy, grain, around;
} FitResult;

/* What sides of a block that lie alike tell at each place: `residual` (widths, shifts), `projection` and `gram` (.., 3,
   3); of one width where it is the same for all. `strange`: more than so much is unexplained where they show something
   else. */
typedef struct {
    const double *residual, *projection, *gram;
    double weight, strange;
    int widths, axis;
} SideEvidence;

/* What is worked out once for sides that show alike, as in `vision/ranked/side_layers.py`: `take` (chunks of
   PLACES_BESIDE places, rows, offsets, PLACES_BESIDE), places being (options, widths, shifts); `gram` (options, widths,
   shifts, 3, 3), `counts` (shifts, offsets), and the `price` of each option. */
typedef struct {
    const float *take;
    const double *gram, *counts, *price;
    double noise, least_noise, rough;
    int options, widths, shifts, offsets, own_layers;
} LayerModel;

/* Of what is handed over, in the order of `vision/native/library.py`. A library built from other sources shows by
   it. */
int size_of(int which);

/* Points of a silhouette; `rim_mm` and the rest as in `vision/measurement/silhouette.py`. Arrays of `points`. */
typedef struct {
    int points;
    double rim_growth;
    double *x_mm, *y_mm, *normal_x, *normal_y, *rim_mm;
} Silhouette;

/* The foot of a base round its centre, and the normals there: what its profiles share. */
typedef struct {
    double *normal_x, *normal_y, *foot_x, *foot_y;
} Figure;

/* The steps across an outline: `strength` (points, columns), `colours` (channels, points, columns). */
typedef struct {
    Silhouette silhouette;
    double mm_per_px;
    float *strength, *colours;
} EdgeProfiles;

/* What one look after another needs, so that memory is asked for once. */
typedef struct {
    float *raw, *values, *scores;
    double *inner_mm, *places, *moves, *rows, *found, *weight;
    int *column, *tops;
    Figure figure;
} Scratch;

/* A shift and a turn from where the outline was sampled, and the width of the rim. */
typedef struct {
    double x_mm, y_mm, turn_rad, rim_width_mm, score;
} Guess;

void base_figure(const Start *start, double turn_rad, Figure *figure);
void base_silhouette(const Start *start, const RimProfile *profile, const Figure *figure, const double *at_mm,
                     double turn_rad, const View *view, Silhouette *silhouette);
/* Where a point of the table appears, and how far it moves there for a millimetre along a direction on the table. */
void project_point(const View *view, const double *point_mm, double along_x, double along_y, double *at_px,
                   double *along_px);
/* Reads the picture across the silhouette; whether any of it is before the camera. */
int measure_edge_profiles(const Picture *picture, const FitSettings *s, const View *view, double ground_mm,
                          EdgeProfiles *edges, Scratch *scratch);
/* The strengths (points, columns), smoothed across the silhouette; whether there was memory for it. */
int smooth_across(const FitSettings *s, const EdgeProfiles *edges, float *soft);
/* Whether the foot shows so far below the rim on this normal that either edge may be seen by itself. */
int has_visible_side(const FitSettings *s, const EdgeProfiles *edges, int normal);
/* `is_shaded`: the side of the base is of another tone than its top. Scored -1 where that shows nowhere. */
Guess search_grid(const FitSettings *s, const SearchGrid *search, const double *rim_widths_mm, int widths,
                  const double *at_mm, int is_shaded, const EdgeProfiles *edges, Scratch *scratch);
/* Of the least-squares fit: the state, its covariance, where the search had put both edges, and the scatter. */
typedef struct {
    double state[STATE], covariance[STATE * STATE], *outer_mm, *inner_mm, scatter_mm;
} RobustSolution;
/* Whether there was memory for it. */
int refine_robust(const FitSettings *s, const Guess *guess, const double *at_mm, int turns, int is_shaded,
                  const double *slant, const EdgeProfiles *edges, Scratch *scratch, RobustSolution *found);
double rim_support(const FitSettings *s, const EdgeProfiles *edges, const double *outer_mm);
void extract_rim_features(const FitSettings *s, const EdgeProfiles *edges, const RobustSolution *found,
                          Scratch *scratch, FitResult *fit);
void inner_edge(const Silhouette *silhouette, double rim_width_mm, double *inner_mm);
void outline_jacobian(const Silhouette *silhouette, const double *at_mm, double *moves);

/* The number of the value that stands there when `count` values are mirrored at both ends, the ends not repeated. */
static inline int mirror_index(int k, int count) {
    if (count == 1) return 0;
    while (k < 0 || k >= count) k = k < 0 ? -k : 2 * (count - 1) - k;
    return k;
}

static inline int round_half_even(double value) { return (int)((value + 6755399441055744.0) - 6755399441055744.0); }
static inline int clamp(int value, int least, int most) { return value < least ? least : value > most ? most : value; }
/* The column at such a distance outward. */
static inline int column_of(const FitSettings *s, double offset_mm) {
    return clamp(round_half_even((offset_mm - s->offsets_mm[0]) / s->step_mm), 0, s->columns - 1);
}
static inline double confidence_of(const FitSettings *s, double strength) {
    return strength / (strength + s->half_confidence);
}
#endif
