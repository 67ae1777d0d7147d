/* A base near a place, in whichever make explains its rim better: `vision/fitting.py`. */
#include "kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MAKES = 4, MOST_WAYS = 2 * MOST_MAKES };

int size_of(int which) {
    const size_t sizes[] = {sizeof(Picture), sizeof(Eye), sizeof(Start), sizeof(Make), sizeof(Settings), sizeof(Fit),
                            sizeof(Growth), sizeof(Grown), sizeof(Side), sizeof(Layers)};
    return (int)sizes[which];
}

/* What every look of one fit shares. */
typedef struct {
    const Picture *picture;
    const Eye *eye;
    const Start *start;
    const Settings *settings;
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

static void lay_edges(char **memory, size_t points, size_t cells, Edges *e) {
    double **each[] = {&e->outline.x_mm, &e->outline.y_mm, &e->outline.normal_x, &e->outline.normal_y, &e->outline.rim_mm};
    for (int i = 0; i < 5; i++) *each[i] = next(memory, points, sizeof(double));
    e->strength = next(memory, cells, sizeof(float));
    e->colours = next(memory, CHANNELS * cells, sizeof(float));
}

static void lay_found(char **memory, size_t points, Found *f) {
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

static int see(Job *job, const Make *make, const double *at_mm, double turn_rad, Edges *edges) {
    figure_of(job->start, turn_rad, &job->scratch.figure);
    outline_of(job->start, make, &job->scratch.figure, at_mm, turn_rad, job->eye, &edges->outline);
    return read_edges(job->picture, job->settings, job->eye, job->start->ground_mm, edges, &job->scratch);
}

static int rough(Job *job, const Make *make, int is_shaded, Edges *edges, Place *place) {
    const Settings *s = job->settings;
    memcpy(place->at_mm, job->start->at_mm, sizeof place->at_mm);
    place->turn_rad = job->start->turn_rad;
    for (int time = 0; time < s->times_rough; time++) {
        if (!see(job, make, place->at_mm, place->turn_rad, edges)) return 0;
        place->guess = searched(s, &s->rough, make->lips_mm, make->lips, place->at_mm, is_shaded, edges, &job->scratch);
        place->at_mm[0] += place->guess.x_mm, place->at_mm[1] += place->guess.y_mm;
        place->turn_rad += place->guess.turn_rad;
    }
    return 1;
}

static int fine(Job *job, const Make *make, int is_shaded, Place *place, Edges *edges, Found *found) {
    const Settings *s = job->settings;
    const Start *start = job->start;
    double lips_mm[MOST_LIPS], slant[2];
    for (int l = 0; l < s->finer_lips; l++) lips_mm[l] = place->guess.lip_mm + s->finer_lips_mm[l];
    for (int i = 0; i < 2; i++)
        slant[i] = (place->at_mm[i] - job->eye->centre_mm[i]) / (job->eye->centre_mm[2] - start->ground_mm);
    if (!see(job, make, place->at_mm, place->turn_rad, edges)) return 0;
    place->guess = searched(s, &s->fine, lips_mm, s->finer_lips, place->at_mm, is_shaded, edges, &job->scratch);
    return refined(s, &place->guess, place->at_mm, !start->is_round, is_shaded, slant, edges, &job->scratch, found);
}

/* Where one make puts the base: x, y and the turn, their doubt (x, xy, y, turn), and how well it explains the rim. */
typedef struct {
    double at[3], doubt[4], like;
} Told;

static Told told_of(const Settings *s, const Place *place, const Found *found) {
    const double *c = found->covariance;
    double doubt = s->doubt * pow(fmax(found->scatter_mm / s->usual_scatter_mm, s->least_scatter), s->scatter_power);
    Told told = {.like = place->guess.score - found->scatter_mm};
    for (int i = 0; i < 2; i++) told.at[i] = place->at_mm[i] + found->state[i];
    told.at[2] = place->turn_rad + found->state[4];
    double each[4] = {c[0], c[1], c[STATE + 1], c[4 * STATE + 4]};
    for (int i = 0; i < 4; i++) told.doubt[i] = doubt * each[i];
    return told;
}

/* Places the base between the makes, each counting by how likely it is; the more they differ, the greater the doubt. */
static void place_between(const Settings *s, const Told *each, int count, Fit *fit) {
    double best = each[0].like, whole = 0, weights[MOST_WAYS], mean[3] = {0}, spread[4] = {0};
    for (int m = 1; m < count; m++) best = fmax(best, each[m].like);
    for (int m = 0; m < count; m++) whole += weights[m] = exp((each[m].like - best) / s->likeness);
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

static void tell(Job *job, int make, const Place *place, const Edges *edges, const Found *found, Fit *fit) {
    const Settings *s = job->settings;
    fit->make = make;
    fit->support = support(s, edges, found->outer_mm);
    fit->score = place->guess.score, fit->bias_mm = found->state[2], fit->lip_mm = place->guess.lip_mm;
    fit->scatter_mm = found->scatter_mm;
    traits(s, edges, found, &job->scratch, fit);
}

/* Fits every make that a first search leaves likely, its side of the top's tone or of its own, and tells of the likeliest,
   placed between them. `edges` and `found`: one to keep. */
static int fit_makes(Job *job, const Make *makes, int count, Edges edges[2], Found found[2], Fit *fit) {
    const Settings *s = job->settings;
    Place places[MOST_WAYS], kept = {0};
    Told each[MOST_WAYS];
    double best = -1, likeness = -1e9, least = job->start->least;
    int now = 0, which = -1, likely = 0;
    for (int w = 0; w < 2 * count; w++) {
        if (!rough(job, makes + w % count, w >= count, edges, places + w)) return 0;
        best = fmax(best, places[w].guess.score);
        if (best < least - s->close_make) return 1;
    }
    for (int w = 0; best >= least && w < 2 * count; w++) {
        if (places[w].guess.score <= best - s->close_make) continue;
        if (!fine(job, makes + w % count, w >= count, places + w, edges + now, found + now)) return 0;
        double like = (each[likely++] = told_of(s, places + w, found + now)).like;
        if (like > likeness) likeness = like, which = w % count, kept = places[w], now = 1 - now;
    }
    if (which < 0) return 1;
    tell(job, which, &kept, edges + 1 - now, found + 1 - now, fit);
    place_between(s, each, likely, fit);
    return 1;
}

void fit_base(const Picture *picture, const Eye *eye, const Start *start, const Make *makes, int count, const Settings *s,
              Fit *fit) {
    size_t points = start->points, cells = points * s->columns;
    char *memory = malloc(cells * 52 + points * 480 + MOST_PLACES * (LANES * 4 + 28) + 64 * 40), *left = memory;
    Job job = {picture, eye, start, s, {0}};
    Edges edges[2];
    Found found[2];
    fit->make = memory ? -1 : -2;
    if (!memory) return;
    for (int i = 0; i < 2; i++) lay_edges(&left, points, cells, edges + i), lay_found(&left, points, found + i);
    lay_scratch(&left, points, cells, &job.scratch);
    if (!fit_makes(&job, makes, count, edges, found, fit)) fit->make = -1;
    free(memory);
}
