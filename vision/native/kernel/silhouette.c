/* The outline of a base as the camera sees it: `vision/measurement/silhouette.py`. */
#include "kernel.h"
#include <math.h>

enum { DENSE = 1440 };
static const double WHOLE_TURN = 6.283185307179586;

static double speed_of(double a_mm, double b_mm, double angle) { return hypot(a_mm * sin(angle), b_mm * cos(angle)); }

/* The angles of points that lie about evenly along the rim of an ellipse. */
static void even_angles(double a_mm, double b_mm, int count, double *angles) {
    double way[DENSE + 1], step = WHOLE_TURN / DENSE, before = speed_of(a_mm, b_mm, 0);
    way[0] = 0;
    for (int k = 1; k <= DENSE; k++) {
        double speed = speed_of(a_mm, b_mm, k * step);
        way[k] = way[k - 1] + (speed + before) / 2;
        before = speed;
    }
    for (int n = 0, k = 0; n < count; n++) {
        double there = n * (way[DENSE] / count);
        while (k < DENSE - 1 && way[k + 1] <= there) k++;
        angles[n] = k * step + (there - way[k]) / (way[k + 1] - way[k]) * step;
    }
}

void base_figure(const Start *start, double turn_rad, Figure *f) {
    double a = start->depth_mm / 2, b = start->width_mm / 2, cosine = cos(turn_rad), sine = sin(turn_rad);
    if (!start->is_round) even_angles(a, b, start->points, f->foot_x);
    for (int n = 0; n < start->points; n++) {
        double angle = start->is_round ? n * (WHOLE_TURN / start->points) : f->foot_x[n];
        double c = cos(angle), s = sin(angle);
        if (start->is_round) {
            f->normal_x[n] = c, f->normal_y[n] = s, f->foot_x[n] = c * a, f->foot_y[n] = s * a;
            continue;
        }
        double long_ = hypot(c * b, s * a), x = c * b / long_, y = s * a / long_;
        f->normal_x[n] = x * cosine - y * sine, f->normal_y[n] = x * sine + y * cosine;
        f->foot_x[n] = a * c * cosine - b * s * sine, f->foot_y[n] = a * c * sine + b * s * cosine;
    }
}

/* The point of the upper rim with this normal, round the centre. */
static void rim_point(const Start *start, const RimProfile *profile, double turn_rad, double normal_x, double normal_y,
                      double *rim) {
    double a = start->depth_mm / 2 - profile->inset_mm, b = start->width_mm / 2 - profile->inset_mm;
    if (start->is_round) {
        rim[0] = normal_x * a, rim[1] = normal_y * a;
        return;
    }
    double cosine = cos(turn_rad), sine = sin(turn_rad);
    double along = normal_x * cosine + normal_y * sine, aside = normal_y * cosine - normal_x * sine;
    double x = along * a * a, y = aside * b * b, root = sqrt(along * x + aside * y);
    x /= root, y /= root;
    rim[0] = x * cosine - y * sine, rim[1] = x * sine + y * cosine;
}

void base_silhouette(const Start *start, const RimProfile *profile, const Figure *f, const double *at_mm,
                     double turn_rad, const View *view, Silhouette *o) {
    const double *camera = view->centre_mm;
    double high = camera[2] - start->ground_mm, grown = high / (high - profile->top_mm), cast[2], rim[2];
    for (int i = 0; i < 2; i++) cast[i] = camera[i] + (at_mm[i] - camera[i]) * grown;
    for (int n = 0; n < start->points; n++) {
        double x = f->normal_x[n], y = f->normal_y[n];
        rim_point(start, profile, turn_rad, x, y, rim);
        double beyond = x * (cast[0] - at_mm[0]) + y * (cast[1] - at_mm[1]) + x * (rim[0] * grown - f->foot_x[n]) +
                        y * (rim[1] * grown - f->foot_y[n]);
        int is_foot = beyond < 0;
        o->x_mm[n] = is_foot ? at_mm[0] + f->foot_x[n] : cast[0] + rim[0] * grown;
        o->y_mm[n] = is_foot ? at_mm[1] + f->foot_y[n] : cast[1] + rim[1] * grown;
        o->normal_x[n] = x, o->normal_y[n] = y;
        o->rim_mm[n] = is_foot ? beyond : 0.0;
    }
    o->points = start->points;
    o->rim_growth = grown;
}

void inner_edge(const Silhouette *o, double rim_width_mm, double *inner_mm) {
    for (int n = 0; n < o->points; n++) inner_mm[n] = o->rim_mm[n] - rim_width_mm * o->rim_growth;
}

void outline_jacobian(const Silhouette *o, const double *at_mm, double *moves) {
    double *by_x = moves, *by_y = moves + o->points, *by_turn = moves + 2 * o->points;
    for (int n = 0; n < o->points; n++) {
        by_x[n] = o->normal_x[n], by_y[n] = o->normal_y[n];
        by_turn[n] = (o->x_mm[n] - at_mm[0]) * by_y[n] - (o->y_mm[n] - at_mm[1]) * by_x[n];
    }
}
