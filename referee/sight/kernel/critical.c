/* The critical lines: those that touch two rims at once. critical.py says why one of them is open if any line is. */
#include <stdlib.h>
#include <string.h>

#include "scene.h"

#define TOO_MANY 1200 /* with more rims than these, lines are sought by exclusion alone; */
#define TOO_MUCH 3e8  /* so too when there is too much to hold so many lines against */
#define MOST_MEETING 120 /* corners of an outline whose sides are all met with each other */
#define LARGEST 250

typedef struct { V at; double rim; } Rim;
typedef struct { long n, room; Rim *rim; double half; } Rims;

static void add(Rims *rims, V at, double rim) {
    if (rims->n < rims->room) rims->rim[rims->n++] = (Rim){at, rim};
}

static int line_circle(V start, V way, double length, V c, double r, V *out) {
    double m = dot(sub(c, start), way);
    V foot = along(start, way, m);
    double half2 = r * r - dot(sub(c, foot), sub(c, foot)), half;
    int n = 0;
    if (half2 < 0) return 0;
    half = sqrt(half2);
    if (m - half >= 0 && m - half <= length) out[n++] = along(start, way, m - half);
    if (m + half >= 0 && m + half <= length) out[n++] = along(start, way, m + half);
    return n;
}

static int circle_circle(V a, double r, V b, double s, V *out) {
    V d = sub(b, a);
    double l = norm(d), x, y2, y;
    if (l < ROUNDING || l > r + s || l < fabs(r - s)) return 0;
    x = (l * l + r * r - s * s) / (2 * l);
    y2 = r * r - x * x; y = y2 > 0 ? sqrt(y2) : 0;
    V u = scaled(d, 1 / l);
    out[0] = (V){a.x + x * u.x - y * u.y, a.y + x * u.y + y * u.x};
    out[1] = (V){a.x + x * u.x + y * u.y, a.y + x * u.y - y * u.x};
    return 2;
}

static int line_line(V a, V u, double la, V b, V v, double lb, V *out) {
    double c = cross(u, v), s, t;
    if (fabs(c) < 1e-14) return 0;
    s = cross(sub(b, a), v) / c; t = cross(sub(b, a), u) / c;
    if (s < 0 || s > la || t < 0 || t > lb) return 0;
    out[0] = along(a, u, s);
    return 1;
}

/* Corners where the circle about c, or the side from c moved outward by `beside`, crosses the rim of an end. */
static void add_cuts(Rims *rims, const End *e, V c, V next, double beside, double about) {
    V found[4], side = sub(next, c), base = c, u = {0, 0};
    double l = norm(side);
    if (l > 0) { u = scaled(side, 1 / l); base = (V){c.x + u.y * beside, c.y - u.x * beside}; }
    for (int k = 0; k < e->pieces; k++) {
        const double *d = e->piece + 8 * k;
        V start = {d[0], d[1]}, way = {d[2], d[3]}, centre = {d[5], d[6]};
        int got = 0;
        if (about > 0) got = d[7] > 0 ? circle_circle(centre, d[7], c, about, found) : line_circle(start, way, d[4], c, about, found);
        if (l > 0) got += d[7] > 0 ? line_circle(base, u, l, centre, d[7], found + got) : line_line(start, way, d[4], base, u, l, found + got);
        for (int g = 0; g < got; g++) add(rims, found[g], 0);
    }
}

/* Only what reaches the hull of both ends can hold a line. */
static int reaches(const Scene *s, const Rims *rims, V c, V next, double r) {
    double near = to_segment(c, s->end[0].centre, s->end[1].centre);
    for (int e = 0; e < 2; e++) near = least_of(near, to_segment(s->end[e].centre, c, next));
    return near <= rims->half + r + 1e-6;
}

static void add_corner(const Scene *s, Rims *rims, V c, V next, double r) {
    if (!reaches(s, rims, c, next, r)) return;
    add(rims, c, r);
    if (r > 0) add(rims, c, -r);
    for (int e = 0; e < 2; e++) add_cuts(rims, &s->end[e], c, next, r, r);
}

static int cut_polygon(const V *in, int n, V normal, double offset, V *out) {
    int m = 0;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        double h0 = dot(in[j], normal) - offset, h1 = dot(in[i], normal) - offset;
        if (h0 * h1 < 0) out[m++] = along(in[j], sub(in[i], in[j]), h0 / (h0 - h1));
        if (h1 >= 0) out[m++] = in[i];
    }
    return m;
}

/* A convex part whose sides moved inward. */
static int shrunk(const V *c, int k, const V *inward, double by, V buffer[2][2 * LARGEST], const V **left) {
    int m = k, from = 0;
    memcpy(buffer[0], c, k * sizeof(V));
    for (int i = 0; i < k && m; i++) {
        m = cut_polygon(buffer[from], m, inward[i], dot(c[i], inward[i]) + by, buffer[1 - from]);
        from = 1 - from;
    }
    *left = buffer[from];
    return m;
}

static void add_part(const Scene *s, Rims *rims, int part, double growth) {
    V buffer[2][2 * LARGEST];
    const V *c = s->point + s->part_start[part];
    int k = s->part_start[part + 1] - s->part_start[part];
    double r = s->part_radius[part] + growth;
    if (r < 0 && (k < 3 || k > LARGEST)) return;
    if (r < 0) { k = shrunk(c, k, s->inward + s->part_start[part], -r, buffer, &c); r = 0; }
    for (int i = 0; i < k; i++) add_corner(s, rims, c[i], c[(i + 1) % k], r);
}

/* An outline that is not convex and grows: only corners that point outward can hold a line. */
static void add_grown(const Scene *s, Rims *rims, const Thing *t, double growth) {
    const V *o = s->outline + t->first_outline;
    for (int i = 0, k = t->outline; i < k; i++) {
        V next = o[(i + 1) % k];
        if (!reaches(s, rims, o[i], next, growth)) continue;
        if (cross(sub(o[i], o[(i + k - 1) % k]), sub(next, o[i])) > 0) add_corner(s, rims, o[i], next, growth);
        else for (int e = 0; e < 2; e++) add_cuts(rims, &s->end[e], o[i], next, growth, growth);
    }
}

typedef struct { V from, way, about; double length; int is_reflex; } Side; /* moved inward; the corner it begins at */

static Side moved_in(const V *o, int k, int i, double by) {
    V next = o[(i + 1) % k], d = sub(next, o[i]);
    double l = norm(d);
    V u = scaled(d, 1 / l);
    return (Side){(V){o[i].x - u.y * by, o[i].y + u.x * by}, u, o[i], l, cross(sub(o[i], o[(i + k - 1) % k]), d) < 0};
}

static int meetings(Side a, Side b, double by, V *found) {
    int got = line_line(a.from, a.way, a.length, b.from, b.way, b.length, found);
    if (b.is_reflex) got += line_circle(a.from, a.way, a.length, b.about, by, found + got);
    if (a.is_reflex) got += line_circle(b.from, b.way, b.length, a.about, by, found + got);
    if (a.is_reflex && b.is_reflex) got += circle_circle(a.about, by, b.about, by, found + got);
    return got;
}

/* An outline that is not convex and shrinks: it has a corner wherever two sides moved inward, or circles about corners
 * that point inward, meet with nothing of the outline nearer. */
static void add_shrunk(const Scene *s, Rims *rims, const Thing *t, double by) {
    const V *o = s->outline + t->first_outline;
    V found[8];
    for (int i = 0, k = t->outline; i < k; i++) {
        Side a = moved_in(o, k, i, by);
        for (int e = 0; e < 2; e++) add_cuts(rims, &s->end[e], o[i], o[(i + 1) % k], -by, a.is_reflex ? by : 0);
        for (int j = i + 1; j < k; j++) {
            int got = meetings(a, moved_in(o, k, j, by), by, found);
            for (int g = 0; g < got; g++)
                if (depth_at(o, k, found[g]) > by - 1e-7) add(rims, found[g], 0);
        }
    }
}

static void add_end(Rims *rims, const End *e) {
    if (e->is_disc) { add(rims, e->centre, e->radius); add(rims, e->centre, -e->radius); }
    for (int k = 0; k < e->pieces && (!e->is_disc || e->pieces > 1 || e->piece[7] == 0); k++)
        add(rims, (V){e->piece[8 * k], e->piece[8 * k + 1]}, 0);
}

static void offer(Scene *s, Line *best, V p, V q) {
    p = into_end(&s->end[0], p); q = into_end(&s->end[1], q);
    double value = least(s, p, q, best->value, NULL);
    if (value > best->value) *best = (Line){value, p, q};
}

static void offer_line(Scene *s, Line *best, V normal, double offset) {
    double a0, a1, b0, b1;
    if (!chord(&s->end[0], normal, offset, &a0, &a1) || !chord(&s->end[1], normal, offset, &b0, &b1)) return;
    V way = {normal.y, -normal.x}, foot = scaled(normal, offset);
    int ahead = b0 + b1 >= a0 + a1;
    double leave = ahead ? a1 : a0, enter = ahead ? b0 : b1;
    if (least_of(a1, b1) > most_of(a0, b0)) leave = enter = (least_of(a1, b1) + most_of(a0, b0)) / 2;
    V p = along(foot, way, leave), q = along(foot, way, enter);
    offer(s, best, p, q);
    if (!s->heights && !s->woody) return;
    offer(s, best, p, along(foot, way, ahead ? b1 : b0));
    offer(s, best, along(foot, way, ahead ? a0 : a1), q);
}

static void offer_touching(Scene *s, Line *best, Rim a, Rim b) {
    V between = sub(a.at, b.at);
    double apart = norm(between), difference = b.rim - a.rim;
    if (apart <= ROUNDING || fabs(difference) > apart) return;
    double cosine = difference / apart, sine = sqrt(most_of(0, 1 - cosine * cosine));
    V u = scaled(between, 1 / apart);
    for (int side = -1; side <= 1; side += 2) {
        V normal = {u.x * cosine - side * u.y * sine, u.y * cosine + side * u.x * sine};
        offer_line(s, best, normal, dot(a.at, normal) + a.rim);
    }
}

static long room_for(const Scene *s) {
    long room = 16;
    for (int e = 0; e < 2; e++) room += 2 + s->end[e].pieces;
    for (int i = 0; i < s->actives; i++) {
        const Thing *t = s->thing + s->active[i];
        int corners = t->outline;
        for (int part = t->first_part; part < t->first_part + t->parts; part++) corners += s->part_start[part + 1] - s->part_start[part];
        if (is_nested(t) && t->outline <= MOST_MEETING) room += 8 * t->outline * t->outline;
        room += 2 * corners * (2 + 4 * (s->end[0].pieces + s->end[1].pieces));
    }
    return room;
}

/* The best of all critical segments at this growth, if it beats `best`; whether all of them were looked at. */
int propose(Scene *s, double growth, Line *best) {
    Rims rims = {.room = room_for(s), .half = most_of(s->end[0].reach, s->end[1].reach)};
    int all = 1, sides = 0;
    if (!(rims.rim = malloc(rims.room * sizeof *rims.rim))) return 0;
    for (int e = 0; e < 2; e++) add_end(&rims, &s->end[e]);
    for (int i = 0; i < s->actives; i++) {
        const Thing *t = s->thing + s->active[i];
        sides += t->parts + t->outline + 1;
        if (is_nested(t) && growth < 0 && t->outline > MOST_MEETING) all = 0;
        else if (is_nested(t) && growth < 0) add_shrunk(s, &rims, t, -growth);
        else if (is_nested(t)) add_grown(s, &rims, t, growth);
        else for (int part = t->first_part; part < t->first_part + t->parts; part++) add_part(s, &rims, part, growth);
    }
    int few = rims.n <= TOO_MANY && (double)rims.n * rims.n * sides <= TOO_MUCH;
    for (int i = 0; i < rims.n && few; i++)
        for (int j = i + 1; j < rims.n; j++) offer_touching(s, best, rims.rim[i], rims.rim[j]);
    free(rims.rim);
    return all && few;
}
