/* Where a line may begin and stop. */
#include "scene.h"

#define SLIVER 1e-8

static V into_polygon(const End *e, V p) {
    int n = e->corners, inside = n > 2;
    V best = e->corner[0];
    double near = INFINITY;
    for (int i = 0; i < n; i++) {
        V a = e->corner[i], b = e->corner[(i + 1) % n], foot = foot_on(p, a, b);
        double away = norm(sub(p, foot));
        if (cross(sub(b, a), sub(p, a)) < 0) inside = 0;
        if (away < near) { near = away; best = foot; }
    }
    return inside ? p : best;
}

/* The point itself where it lies in the end, else one of the end close to it. */
V into_end(const End *e, V p) {
    if (!e->is_disc) return into_polygon(e, p);
    V away = sub(p, e->centre);
    double far = norm(away);
    if (far > e->radius) p = along(e->centre, away, e->radius / far);
    if (!e->cut) return p;
    double height = e->offset - dot(e->centre, e->normal), depth = e->radius - height;
    if (depth > SLIVER && dot(p, e->normal) >= e->offset) return p;
    double half = depth > 0 ? sqrt(depth * (e->radius + height)) : 0; /* of a sliver only the cut is left */
    V way = {-e->normal.y, e->normal.x}, middle = along(e->centre, e->normal, height);
    double at = dot(sub(p, middle), way);
    return along(middle, way, at < -half ? -half : at > half ? half : at);
}

/* Where the line `normal . x = offset` runs inside the end, measured along (normal.y, -normal.x). */
int chord(const End *e, V normal, double offset, double *first, double *last) {
    V way = {normal.y, -normal.x}, foot = scaled(normal, offset);
    if (e->is_disc) {
        double away = offset - dot(e->centre, normal), half2 = e->radius * e->radius - away * away, half, m;
        if (fabs(away) > e->radius + ROUNDING) return 0;
        half = half2 > 0 ? sqrt(half2) : 0; m = dot(e->centre, way);
        *first = m - half; *last = m + half;
        if (e->cut) {
            double depth = dot(foot, e->normal) - e->offset, slope = dot(way, e->normal);
            if (slope > 1e-14) *first = most_of(*first, -depth / slope);
            else if (slope < -1e-14) *last = least_of(*last, -depth / slope);
            else if (depth < -ROUNDING) return 0;
        }
        return *first <= *last + ROUNDING;
    }
    *first = -INFINITY; *last = INFINITY;
    if (e->corners == 1) {
        if (fabs(dot(e->corner[0], normal) - offset) > ROUNDING) return 0;
        *first = *last = dot(e->corner[0], way);
        return 1;
    }
    for (int i = 0; i < e->corners; i++) {
        V side = sub(e->corner[(i + 1) % e->corners], e->corner[i]);
        double l = norm(side);
        if (l <= 0) continue;
        double depth = cross(side, sub(foot, e->corner[i])) / l, slope = cross(side, way) / l;
        if (slope > 1e-14) *first = most_of(*first, -depth / slope);
        else if (slope < -1e-14) *last = least_of(*last, -depth / slope);
        else if (depth < -ROUNDING) return 0;
    }
    return *first <= *last + ROUNDING;
}

/* A polygon is bounded by its sides, and one of two corners by both its ends as well. */
static int bounds_of(const End *e) { return e->corners == 2 ? 4 : e->corners; }

/* Which way is in at one of these bounds, and where it runs; no way at all where a side has no length. */
static V inward_of(const End *e, int i, V *at) {
    V a = e->corner[i % e->corners], side = sub(e->corner[(i + 1) % e->corners], a);
    double l = norm(side);
    *at = a;
    if (l <= 0) return (V){0, 0};
    return i < e->corners ? (V){-side.y / l, side.x / l} : scaled(side, 1 / l);
}

static void hold(Rows *rows, int which, V outward, double room) {
    if (rows->n == MAX_ROWS) return;
    Row *r = rows->row + rows->n++;
    *r = (Row){most_of(room, 0), {0, 0, 0, 0}, 0};
    r->g[2 * which] = -outward.x; r->g[2 * which + 1] = -outward.y;
}

/* The conditions that keep an end point in its end: f + g . step must not fall below nothing. */
int rows_of_end(const End *e, V p, int which, double window, Rows *rows) {
    int before = rows->n;
    if (e->is_disc) {
        V away = sub(p, e->centre);
        double far = norm(away);
        if (e->radius <= 0) {
            hold(rows, which, (V){1, 0}, 0); hold(rows, which, (V){-1, 0}, 0);
            hold(rows, which, (V){0, 1}, 0); hold(rows, which, (V){0, -1}, 0);
        } else if (far > 0 && e->radius - far < window) hold(rows, which, scaled(away, 1 / far), e->radius - far);
        if (e->cut && dot(p, e->normal) - e->offset < window) hold(rows, which, scaled(e->normal, -1), dot(p, e->normal) - e->offset);
        double height = e->offset - dot(e->centre, e->normal), half2 = (e->radius - height) * (e->radius + height);
        V way = {-e->normal.y, e->normal.x};
        for (int side = -1; e->cut && height > 0 && side < 2; side += 2) { /* no farther aside than the corners */
            double room = (half2 > 0 ? sqrt(half2) : 0) - side * dot(away, way);
            if (room < window) hold(rows, which, scaled(way, side), room);
        }
        return rows->n - before;
    }
    for (int i = 0; i < bounds_of(e); i++) {
        V at, out = scaled(inward_of(e, i, &at), -1);
        double room = dot(sub(at, p), out);
        if (room < window && (out.x != 0 || out.y != 0)) hold(rows, which, out, room);
    }
    return rows->n - before;
}

/* The stretch of a segment that lies within `slack` of the end (a little more at its corners). */
int end_span(const End *e, V p, V q, double slack, double *first, double *last) {
    V d = sub(q, p);
    double f = 0, l = 1;
    if (e->is_disc && !disc_span(p, q, e->centre, e->radius + slack, &f, &l)) return 0;
    int sides = e->is_disc ? e->cut : bounds_of(e);
    if (!e->is_disc && e->corners == 1) return disc_span(p, q, e->corner[0], slack, first, last);
    for (int i = 0; i < sides; i++) {
        V at = scaled(e->normal, e->offset), in = e->is_disc ? e->normal : inward_of(e, i, &at);
        double d0 = dot(sub(p, at), in) + slack, rise = dot(d, in);
        if (d0 < 0 && d0 + rise < 0) return 0;
        if (d0 < 0) f = most_of(f, -d0 / rise);
        else if (d0 + rise < 0) l = least_of(l, -d0 / rise);
    }
    *first = f; *last = l;
    return f <= l;
}
