/* Rims as arcs and straight pieces, and where they cross. rim_intersections.py is the same in Python. */
#include "scene.h"

#define ON_RIM 1e-6 /* how far a point of an arc may seem to lie past its ends */

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

double passed_mm(const Piece *piece, V at) {
    if (piece->radius <= 0) return dot(sub(at, piece->start), piece->way);
    V from = sub(piece->start, piece->centre), to = sub(at, piece->centre);
    double angle = atan2(cross(from, to), dot(from, to));
    return piece->radius * (angle < 0 ? angle + TURN : angle);
}

static int is_on(const Piece *piece, V at) {
    if (piece->radius <= 0) return 1; /* it was not sought beyond */
    double s = passed_mm(piece, at);
    return s <= piece->length + ON_RIM || s >= TURN * piece->radius - ON_RIM;
}

int crossings(const Piece *a, const Piece *b, V *out) {
    V found[2];
    int got, n = 0;
    if (a->radius > 0 && b->radius > 0) got = circle_circle(a->centre, a->radius, b->centre, b->radius, found);
    else if (a->radius > 0) got = line_circle(b->start, b->way, b->length, a->centre, a->radius, found);
    else if (b->radius > 0) got = line_circle(a->start, a->way, a->length, b->centre, b->radius, found);
    else got = line_line(a->start, a->way, a->length, b->start, b->way, b->length, found);
    for (int g = 0; g < got; g++) if (is_on(a, found[g]) && is_on(b, found[g])) out[n++] = found[g];
    return n;
}

/* The point this far along a piece of rim. */
V rim_at(const Piece *piece, double s) {
    if (piece->radius <= 0) return along(piece->start, piece->way, s);
    double angle = s / piece->radius, c = cos(angle), w = sin(angle);
    V from = sub(piece->start, piece->centre);
    return (V){piece->centre.x + c * from.x - w * from.y, piece->centre.y + w * from.x + c * from.y};
}

V rim_outward(const Piece *piece, V at) {
    if (piece->radius <= 0) return (V){piece->way.y, -piece->way.x};
    return scaled(sub(at, piece->centre), 1 / piece->radius);
}

V rim_way(const Piece *piece, V at) {
    V out = rim_outward(piece, at);
    return (V){-out.y, out.x};
}
