/* The fit of one base near a place, for `vision/measurement/base_fit.py`. */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROFILES = 4, MOST_FITS = 2 * MOST_PROFILES };

int size_of(int which) {
    const size_t sizes[] = {sizeof(Picture),     sizeof(View),      sizeof(Start),        sizeof(RimProfile),
                            sizeof(FitSettings), sizeof(FitResult), sizeof(SideEvidence), sizeof(LayerModel)};
    return (int)sizes[which];
}

/* What every look of one fit shares. */
typedef struct {
    const Picture *picture;
    const View *view;
    const Start *start;
    const FitSettings *settings;
    Scratch scratch;
} Job;

typedef struct {
    double at_mm[2], turn_rad;
    Guess guess;
} Place;

/* The next `count` of the memory that was asked for. */
static void *next(char **memory, size_t count, size_t size) {
    void *here = *memory;
    *memory += (count * size + 63) / 64 * 64;
    return here;
}

static void lay_edges(char **memory, size_t points, size_t cells, EdgeProfiles *e) {
    double **each[] = {&e->silhouette.x_mm, &e->silhouette.y_mm, &e->silhouette.normal_x, &e->silhouette.normal_y,
                       &e->silhouette.rim_mm};
    for (int i = 0; i < 5; i++) *each[i] = next(memory, points, sizeof(double));
    e->strength = next(memory, cells, sizeof(float));
    e->colours = next(memory, CHANNELS * cells, sizeof(float));
}

static void lay_found(char **memory, size_t points, RobustSolution *f) {
    f->outer_mm = next(memory, points, sizeof(double));
    f->inner_mm = next(memory, points, sizeof(double));
}

static void lay_scratch(char **memory, size_t points, size_t cells, Scratch *s) {
    double **each[] = {&s->figure.normal_x, &s->figure.normal_y, &s->figure.foot_x, &s->figure.foot_y};
    for (int i = 0; i < 4; i++) *each[i] = next(memory, points, sizeof(double));
    s->raw = next(memory, CHANNELS * cells, sizeof(float));
    s->values = next(memory, cells, sizeof(float));
    s->scores = next(memory, MOST_PLACES * LANES, sizeof(float));
    s->places = next(memory, MOST_PLACES * 3, sizeof(double));
    s->inner_mm = next(memory, points, sizeof(double));
    s->moves = next(memory, 3 * points, sizeof(double));
    s->rows = next(memory, 3 * points * STATE, sizeof(double));
    s->found = next(memory, 3 * points, sizeof(double));
    s->weight = next(memory, 3 * points, sizeof(double));
    s->column = next(memory, MOST_PLACES, sizeof(int));
    s->tops = next(memory, cells, sizeof(int));
}

static int sample_edges(Job *job, const RimProfile *profile, const double *at_mm, double turn_rad,
                        EdgeProfiles *edges) {
    base_figure(job->start, turn_rad, &job->scratch.figure);
    base_silhouette(job->start, profile, &job->scratch.figure, at_mm, turn_rad, job->view, &edges->silhouette);
    return measure_edge_profiles(job->picture, job->settings, job->view, job->start->ground_mm, edges, &job->scratch);
}

static int search_coarsely(Job *job, const RimProfile *profile, int is_shaded, EdgeProfiles *edges, Place *place) {
    const FitSettings *s = job->settings;
    memcpy(place->at_mm, job->start->at_mm, sizeof place->at_mm);
    place->turn_rad = job->start->turn_rad;
    for (int time = 0; time < s->times_rough; time++) {
        if (!sample_edges(job, profile, place->at_mm, place->turn_rad, edges)) return 0;
        place->guess = search_grid(s, &s->rough, profile->rim_widths_mm, profile->widths, place->at_mm, is_shaded,
                                   edges, &job->scratch);
        place->at_mm[0] += place->guess.x_mm, place->at_mm[1] += place->guess.y_mm;
        place->turn_rad += place->guess.turn_rad;
    }
    return 1;
}

static int refine_fit(Job *job, const RimProfile *profile, int is_shaded, Place *place, EdgeProfiles *edges,
                      RobustSolution *found) {
    const FitSettings *s = job->settings;
    const Start *start = job->start;
    double rim_widths_mm[MOST_WIDTHS], slant[2];
    for (int l = 0; l < s->finer_widths; l++) rim_widths_mm[l] = place->guess.rim_width_mm + s->finer_widths_mm[l];
    for (int i = 0; i < 2; i++)
        slant[i] = (place->at_mm[i] - job->view->centre_mm[i]) / (job->view->centre_mm[2] - start->ground_mm);
    if (!sample_edges(job, profile, place->at_mm, place->turn_rad, edges)) return 0;
    place->guess =
        search_grid(s, &s->fine, rim_widths_mm, s->finer_widths, place->at_mm, is_shaded, edges, &job->scratch);
    return refine_robust(s, &place->guess, place->at_mm, !start->is_round, is_shaded, slant, edges, &job->scratch,
                         found);
}

/* Where one profile puts the base: x, y and the turn, their doubt (x, xy, y, turn), and how well it explains the
   rim. */
typedef struct {
    double at[3], doubt[4], likelihood;
} ProfileFit;

static ProfileFit profile_fit(const FitSettings *s, const Place *place, const RobustSolution *found) {
    const double *c = found->covariance;
    double doubt = s->doubt * pow(fmax(found->scatter_mm / s->usual_scatter_mm, s->least_scatter), s->scatter_power);
    ProfileFit one = {.likelihood = place->guess.score - found->scatter_mm};
    for (int i = 0; i < 2; i++) one.at[i] = place->at_mm[i] + found->state[i];
    one.at[2] = place->turn_rad + found->state[4];
    double each[4] = {c[0], c[1], c[STATE + 1], c[4 * STATE + 4]};
    for (int i = 0; i < 4; i++) one.doubt[i] = doubt * each[i];
    return one;
}

/* Places the base between the profiles, each counting by how likely it is; the more they differ, the greater the
   doubt. */
static void average_profiles(const FitSettings *s, const ProfileFit *each, int count, FitResult *fit) {
    double best = each[0].likelihood, whole = 0, weights[MOST_FITS], mean[3] = {0}, spread[4] = {0};
    for (int m = 1; m < count; m++) best = fmax(best, each[m].likelihood);
    for (int m = 0; m < count; m++) whole += weights[m] = exp((each[m].likelihood - best) / s->likeness);
    for (int m = 0; m < count; m++) {
        weights[m] /= whole;
        for (int i = 0; i < 3; i++) mean[i] += weights[m] * each[m].at[i];
    }
    for (int m = 0; m < count; m++) {
        double x = each[m].at[0] - mean[0], y = each[m].at[1] - mean[1], turn = each[m].at[2] - mean[2];
        double off[4] = {x * x, x * y, y * y, turn * turn};
        for (int i = 0; i < 4; i++) spread[i] += weights[m] * (each[m].doubt[i] + off[i]);
    }
    for (int i = 0; i < 2; i++) fit->at_mm[i] = mean[i];
    for (int i = 0; i < 3; i++) fit->covariance_mm2[i] = spread[i];
    fit->turn_rad = mean[2], fit->turn_variance = spread[3];
}

static void fill_result(Job *job, int profile, const Place *place, const EdgeProfiles *edges,
                        const RobustSolution *found, FitResult *fit) {
    const FitSettings *s = job->settings;
    fit->profile = profile;
    fit->support = rim_support(s, edges, found->outer_mm);
    fit->score = place->guess.score, fit->bias_mm = found->state[2], fit->rim_width_mm = place->guess.rim_width_mm;
    fit->scatter_mm = found->scatter_mm;
    extract_rim_features(s, edges, found, &job->scratch, fit);
}

/* Fits every profile that a first search leaves likely, its side of the top's tone or of its own, and tells of the
   likeliest, placed between them. `edges` and `found`: one to keep. */
static int fit_profiles(Job *job, const RimProfile *profiles, int count, EdgeProfiles edges[2], RobustSolution found[2],
                        FitResult *fit) {
    const FitSettings *s = job->settings;
    Place places[MOST_FITS], kept = {0};
    ProfileFit each[MOST_FITS];
    double best = -1, likeness = -1e9, least = job->start->min_score;
    int now = 0, which = -1, likely = 0;
    for (int w = 0; w < 2 * count; w++) {
        if (!search_coarsely(job, profiles + w % count, w >= count, edges, places + w)) return 0;
        best = fmax(best, places[w].guess.score);
        if (best < least - s->close_profile) return 1;
    }
    for (int w = 0; best >= least && w < 2 * count; w++) {
        if (places[w].guess.score <= best - s->close_profile) continue;
        if (!refine_fit(job, profiles + w % count, w >= count, places + w, edges + now, found + now)) return 0;
        double likelihood = (each[likely++] = profile_fit(s, places + w, found + now)).likelihood;
        if (likelihood > likeness) likeness = likelihood, which = w % count, kept = places[w], now = 1 - now;
    }
    if (which < 0) return 1;
    fill_result(job, which, &kept, edges + 1 - now, found + 1 - now, fit);
    average_profiles(s, each, likely, fit);
    return 1;
}

void fit_base(const Picture *picture, const View *view, const Start *start, const RimProfile *profiles, int count,
              const FitSettings *s, FitResult *fit) {
    size_t points = start->points, cells = points * s->columns;
    char *memory = malloc(cells * 52 + points * 480 + MOST_PLACES * (LANES * 4 + 28) + 64 * 40), *left = memory;
    Job job = {picture, view, start, s, {0}};
    EdgeProfiles edges[2];
    RobustSolution found[2];
    fit->profile = memory ? -1 : -2;
    if (!memory) return;
    for (int i = 0; i < 2; i++) lay_edges(&left, points, cells, edges + i), lay_found(&left, points, found + i);
    lay_scratch(&left, points, cells, &job.scratch);
    if (!fit_profiles(&job, profiles, count, edges, found, fit)) fit->profile = -1;
    free(memory);
}
