/* The critical lines: those that touch two rims at once. critical_lines.py says why one of them is open if any line is. */
#include <stdlib.h>
#include <string.h>

#include "scene.h"

#define TOO_MANY 1200 /* with more rims than these, lines are sought by exclusion alone; */
#define TOO_MUCH 3e8  /* so too when there is too much to hold so many lines against */
#define MOST_MEETING 120 /* corners of an outline whose sides are all met with each other */
#define LARGEST 250
#define ASIDE 1e-6   /* how far from their own corners two rims are sure to cross where they are smooth */
#define CROSSING 1e-4 /* and at what angle */
#define RESTING 1e-7 /* how far a line that rests on a corner may seem to run into its sides: a share of their length */

typedef struct { V at; double rim; V side[2]; } Rim; /* the sides lead on from there to the rest of the shape, if any */
typedef struct { Piece piece; int is_smooth; } Curve;
typedef struct { long n, curves, room; Rim *rim; Curve *curve; double half; } Rims;

static void add_with_sides(Rims *rims, V at, double rim, V before, V after) {
    if (rims->n < rims->room) rims->rim[rims->n++] = (Rim){at, rim, {before, after}};
}

static void add(Rims *rims, V at, double rim) { add_with_sides(rims, at, rim, (V){0, 0}, (V){0, 0}); }

/* The rim of a grown thing; `is_smooth` where it can be told on which side of it the thing lies. */
static void add_piece(Rims *rims, Piece piece, int is_smooth) {
    if (rims->curves < rims->room) rims->curve[rims->curves++] = (Curve){piece, is_smooth};
}

static void add_side(Rims *rims, V c, V next, double by, int is_smooth) {
    V side = sub(next, c);
    double l = norm(side);
    if (!(l > 0)) return;
    V u = scaled(side, 1 / l), start = {c.x + u.y * by, c.y - u.x * by};
    add_piece(rims, (Piece){start, u, l, {0, 0}, 0}, is_smooth);
}

static void add_circle(Rims *rims, V c, double r, int is_smooth) {
    add_piece(rims, (Piece){{c.x + r, c.y}, {0, 1}, TURN * r, c, r}, is_smooth);
}

/* The arc about a corner from the side before it to the side after it, or the whole circle where it has no sides. */
static void add_arc(Rims *rims, V before, V c, V next, double r) {
    V in = sub(c, before), out = sub(next, c);
    double li = norm(in), lo = norm(out);
    if (!(li > 0 && lo > 0)) { add_circle(rims, c, r, 1); return; }
    double angle = atan2(cross(in, out), dot(in, out));
    V start = {c.x + in.y / li * r, c.y - in.x / li * r};
    add_piece(rims, (Piece){start, scaled(in, 1 / li), r * (angle < 0 ? angle + TURN : angle), c, r}, 1);
}

/* The corner of what a thing leaves of an end: its sides run along both rims, where these cross and are smooth. */
static void add_left(Rims *rims, const Piece *rim, const Curve *of, V at) {
    double s = passed_mm(rim, at), far = passed_mm(&of->piece, at);
    V way = rim_way(rim, at), out = rim_outward(&of->piece, at);
    double leaving = dot(way, out), ahead = leaving < 0 ? -1 : 1;
    int is_smooth = of->is_smooth && s > ASIDE && s < rim->length - ASIDE && fabs(leaving) > CROSSING;
    if (of->piece.radius <= 0) is_smooth &= far > ASIDE && far < of->piece.length - ASIDE; /* it may have a corner there */
    if (!is_smooth) add(rims, at, 0);
    else add_with_sides(rims, at, 0, scaled(way, ahead), (V){-ahead * out.y, ahead * out.x});
}

/* Corners where the rim of a grown thing crosses the rim of an end. */
static void add_cuts(Rims *rims, const End *e) {
    V found[2];
    for (long i = 0; i < rims->curves; i++)
        for (int k = 0; k < e->pieces; k++)
            for (int g = crossings(e->piece + k, &rims->curve[i].piece, found); g > 0; g--)
                add_left(rims, e->piece + k, rims->curve + i, found[g - 1]);
}

/* Only what reaches the hull of both ends can hold a line. */
static int reaches(const Scene *s, const Rims *rims, V c, V next, double r) {
    double near = to_segment(c, s->end[0].centre, s->end[1].centre);
    for (int e = 0; e < 2; e++) near = least_of(near, to_segment(s->end[e].centre, c, next));
    return near <= rims->half + r + 1e-6;
}

static void add_corner(const Scene *s, Rims *rims, V before, V c, V next, double r) {
    if (!reaches(s, rims, c, next, r)) return;
    add_with_sides(rims, c, r, sub(before, c), sub(next, c));
    if (r > 0) add_with_sides(rims, c, -r, sub(before, c), sub(next, c));
    add_side(rims, c, next, r, 1);
    if (r > 0) add_arc(rims, before, c, next, r);
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
    for (int i = 0; i < k; i++) add_corner(s, rims, c[(i + k - 1) % k], c[i], c[(i + 1) % k], r);
}

/* An outline that is not convex and grows: only corners that point outward can hold a line. */
static void add_grown(const Scene *s, Rims *rims, const Thing *t, double growth) {
    const V *o = s->outline + t->first_outline;
    for (int i = 0, k = t->outline; i < k; i++) {
        V before = o[(i + k - 1) % k], next = o[(i + 1) % k];
        if (!reaches(s, rims, o[i], next, growth)) continue;
        if (cross(sub(o[i], before), sub(next, o[i])) > 0) add_corner(s, rims, before, o[i], next, growth);
        else add_side(rims, o[i], next, growth, 1);
    }
}

/* An outline that is not convex and shrinks: it has a corner wherever two sides moved inward, or circles about corners
 * that point inward, meet with nothing of the outline nearer. */
static void add_shrunk(const Scene *s, Rims *rims, const Thing *t, double by) {
    const V *o = s->outline + t->first_outline;
    V found[2];
    long first = rims->curves;
    for (int i = 0, k = t->outline; i < k; i++) {
        V before = o[(i + k - 1) % k], next = o[(i + 1) % k];
        add_side(rims, o[i], next, -by, 0);
        if (cross(sub(o[i], before), sub(next, o[i])) < 0) add_circle(rims, o[i], by, 0);
    }
    for (long i = first; i < rims->curves; i++)
        for (long j = i + 1; j < rims->curves; j++)
            for (int g = crossings(&rims->curve[i].piece, &rims->curve[j].piece, found); g > 0; g--)
                if (depth_at(o, t->outline, found[g - 1]) > by - 1e-7) add(rims, found[g - 1], 0);
}

static void add_end(Rims *rims, const End *e) {
    if (e->is_disc) { add(rims, e->centre, e->radius); add(rims, e->centre, -e->radius); }
    for (int k = 0; k < e->pieces && (!e->is_disc || e->pieces > 1 || e->piece->radius <= 0); k++) {
        const Piece *after = e->piece + k, *before = e->piece + (k + e->pieces - 1) % e->pieces;
        V at = after->start;
        if (e->pieces == 1) add(rims, at, 0);
        else add_with_sides(rims, at, 0, scaled(rim_way(before, at), -1), rim_way(after, at));
    }
}

/* Whether both sides of what a line touches lie on the one side of it that its rim tells, or on either. critical_lines.py
 * says why no other line bounds a region where nothing can be climbed over and no length is measured. */
static int rests(const Rim *r, V normal) {
    int below = r->rim >= 0, above = r->rim <= 0;
    for (int k = 0; k < 2; k++) {
        V d = r->side[k];
        double height = dot(d, normal), hair = RESTING * (fabs(d.x) + fabs(d.y));
        below &= height <= hair; above &= height >= -hair;
    }
    return below || above;
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

static void offer_touching(Scene *s, Line *best, const Rim *a, const Rim *b) {
    V between = sub(a->at, b->at);
    double apart = norm(between), difference = b->rim - a->rim;
    if (apart <= ROUNDING || fabs(difference) > apart) return;
    double cosine = difference / apart, sine = sqrt(most_of(0, 1 - cosine * cosine));
    V u = scaled(between, 1 / apart);
    for (int side = -1; side <= 1; side += 2) {
        V normal = {u.x * cosine - side * u.y * sine, u.y * cosine + side * u.x * sine};
        if (s->heights || s->woody || (rests(a, normal) && rests(b, normal)))
            offer_line(s, best, normal, dot(a->at, normal) + a->rim);
    }
}

static int is_in(const End *e, V p) { return norm(sub(into_end(e, p), p)) < ROUNDING; }

static void offer_point(Scene *s, Line *best, V p) {
    if (is_in(&s->end[0], p) && is_in(&s->end[1], p)) offer(s, best, p, p);
}

/* Where both ends overlap, a line may be as short as a point: the corners of what all leave of what they share. */
static void offer_points(Scene *s, Line *best, Rims *rims) {
    V found[2];
    if (norm(sub(s->end[0].centre, s->end[1].centre)) > s->end[0].reach + s->end[1].reach) return;
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < s->end[e].pieces; k++) add_piece(rims, s->end[e].piece[k], 1);
    for (long i = 0; i < rims->curves; i++) {
        offer_point(s, best, rims->curve[i].piece.start);
        for (long j = i + 1; j < rims->curves; j++)
            for (int g = crossings(&rims->curve[i].piece, &rims->curve[j].piece, found); g > 0; g--)
                offer_point(s, best, found[g - 1]);
    }
}

static long room_for(const Scene *s) {
    long room = 16;
    for (int e = 0; e < 2; e++) room += 2 + 2 * s->end[e].pieces;
    for (int i = 0; i < s->actives; i++) {
        const Thing *t = s->thing + s->active[i];
        int corners = t->outline;
        for (int part = t->first_part; part < t->first_part + t->parts; part++) corners += s->part_start[part + 1] - s->part_start[part];
        if (is_nested(t) && t->outline <= MOST_MEETING) room += 8 * t->outline * t->outline;
        room += 2 * corners * (2 + 4 * (s->end[0].pieces + s->end[1].pieces));
    }
    return room;
}

/* Their rims at this growth; whether all of them were looked at. */
static int gather(const Scene *s, Rims *rims, double growth, int *sides) {
    int all = 1;
    for (int e = 0; e < 2; e++) add_end(rims, &s->end[e]);
    for (int i = 0; i < s->actives; i++) {
        const Thing *t = s->thing + s->active[i];
        *sides += t->parts + t->outline + 1;
        if (is_nested(t) && growth < 0 && t->outline > MOST_MEETING) all = 0;
        else if (is_nested(t) && growth < 0) add_shrunk(s, rims, t, -growth);
        else if (is_nested(t)) add_grown(s, rims, t, growth);
        else for (int part = t->first_part; part < t->first_part + t->parts; part++) add_part(s, rims, part, growth);
    }
    for (int e = 0; e < 2; e++) add_cuts(rims, &s->end[e]);
    return all;
}

/* The best of all critical segments at this growth, if it beats `best`; whether all of them were looked at. */
int propose(Scene *s, double growth, Line *best) {
    Rims rims = {.room = room_for(s), .half = most_of(s->end[0].reach, s->end[1].reach)};
    int all = 0, sides = 0, few = 0;
    rims.rim = malloc(rims.room * sizeof *rims.rim);
    rims.curve = malloc(rims.room * sizeof *rims.curve);
    if (rims.rim && rims.curve) {
        all = gather(s, &rims, growth, &sides);
        few = rims.n <= TOO_MANY && (double)rims.n * rims.n * sides <= TOO_MUCH;
        for (int i = 0; i < rims.n && few; i++)
            for (int j = i + 1; j < rims.n; j++) offer_touching(s, best, rims.rim + i, rims.rim + j);
        if (few && !s->heights && !s->woody) offer_points(s, best, &rims);
    }
    free(rims.rim); free(rims.curve);
    return all && few;
}
