/* Which stretches of a segment lie inside a thing that has grown or shrunk. */
#include <stdlib.h>

#include "scene.h"

int disc_span(V p, V q, V c, double r, double *first, double *last) {
    V d = sub(q, p);
    double l2 = dot(d, d), m, half2, half;
    if (l2 <= 0 || r <= 0) return 0;
    m = dot(sub(c, p), d) / l2;
    V foot = along(p, d, m);
    half2 = (r * r - dot(sub(c, foot), sub(c, foot))) / l2;
    if (half2 <= 0) return 0;
    half = sqrt(half2);
    *first = clip01(m - half); *last = clip01(m + half);
    return *first < *last;
}

static int narrowed(double d0, double d1, double *first, double *last) {
    if (d0 <= 0 && d1 <= 0) return 0;
    if (d0 < 0) *first = most_of(*first, d0 / (d0 - d1));
    if (d1 < 0) *last = least_of(*last, d0 / (d0 - d1));
    return 1;
}

static int strip_span(V p, V q, V a, V b, double r, double *first, double *last) {
    V d = sub(b, a);
    double length = norm(d);
    if (length <= 0) return 0;
    V u = scaled(d, 1 / length), pa = sub(p, a), qa = sub(q, a);
    double f = 0, l = 1, p0 = dot(pa, u), q0 = dot(qa, u), p1 = cross(u, pa), q1 = cross(u, qa);
    if (!narrowed(p0, q0, &f, &l) || !narrowed(length - p0, length - q0, &f, &l)) return 0;
    if (!narrowed(r + p1, r + q1, &f, &l) || !narrowed(r - p1, r - q1, &f, &l)) return 0;
    *first = f; *last = l;
    return f < l;
}

/* Inside the sides of one convex part, each moved outward by `slack`; its rim is left out. */
int core_span(const Scene *s, int part, V p, V q, double slack, double *first, double *last) {
    double f = 0, l = 1;
    for (int i = s->part_start[part]; i < s->part_start[part + 1]; i++) {
        double d0 = dot(sub(p, s->point[i]), s->inward[i]) + slack, d1 = dot(sub(q, s->point[i]), s->inward[i]) + slack;
        if (!narrowed(d0, d1, &f, &l)) return 0;
    }
    *first = f; *last = l;
    return f < l;
}

static int part_span(const Scene *s, int part, V p, V q, double growth, double *first, double *last) {
    const V *c = s->point + s->part_start[part];
    int k = s->part_start[part + 1] - s->part_start[part];
    double r = s->part_radius[part] + growth, f, l, lo = INFINITY, hi = -INFINITY;
    if (k == 1) return disc_span(p, q, c[0], r, first, last);
    if (k > 2 && core_span(s, part, p, q, least_of(r, 0), &f, &l)) { lo = f; hi = l; }
    for (int i = 0; r > 0 && i < k; i++) {
        if (disc_span(p, q, c[i], r, &f, &l)) { lo = least_of(lo, f); hi = most_of(hi, l); }
        if (strip_span(p, q, c[i], c[(i + 1) % k], r, &f, &l)) { lo = least_of(lo, f); hi = most_of(hi, l); }
    }
    *first = lo; *last = hi;
    return lo < hi;
}

static int by_first(const void *a, const void *b) {
    double d = ((const double *)a)[0] - ((const double *)b)[0];
    return (d > 0) - (d < 0);
}

static int joined(double (*s)[2], int n) {
    int m = 0;
    if (n > 1) qsort(s, n, sizeof *s, by_first);
    for (int i = 0; i < n; i++) {
        if (m && s[i][0] <= s[m - 1][1]) s[m - 1][1] = most_of(s[m - 1][1], s[i][1]);
        else { s[m][0] = s[i][0]; s[m][1] = s[i][1]; m++; }
    }
    return m;
}

/* What lies within `depth` of the outline. */
static int rim_spans(const Scene *s, const Thing *t, V p, V q, double depth) {
    const V *o = s->outline + t->first_outline;
    int n = 0;
    for (int i = 0, j = t->outline - 1; i < t->outline; j = i++) {
        double f, l, lo = INFINITY, hi = -INFINITY;
        if (disc_span(p, q, o[j], depth, &f, &l)) { lo = least_of(lo, f); hi = most_of(hi, l); }
        if (disc_span(p, q, o[i], depth, &f, &l)) { lo = least_of(lo, f); hi = most_of(hi, l); }
        if (strip_span(p, q, o[j], o[i], depth, &f, &l)) { lo = least_of(lo, f); hi = most_of(hi, l); }
        if (lo < hi) { s->holes[n][0] = lo; s->holes[n++][1] = hi; }
    }
    return joined(s->holes, n);
}

static int without(double (*spans)[2], int n, double (*holes)[2], int m, double (*into)[2]) {
    int made = 0;
    for (int i = 0; i < n; i++) {
        double from = spans[i][0], to = spans[i][1];
        for (int h = 0; h < m && from < to; h++) {
            if (holes[h][1] <= from || holes[h][0] >= to) continue;
            if (holes[h][0] > from) { into[made][0] = from; into[made++][1] = holes[h][0]; }
            from = holes[h][1];
        }
        if (from < to) { into[made][0] = from; into[made++][1] = to; }
    }
    return made;
}

/* The stretches of p to q inside the thing grown by `growth`, in order and apart. `into` has room for all sides. */
int spans_of(const Scene *s, const Thing *t, V p, V q, double growth, double (*into)[2]) {
    int n = 0, shrunk = growth < 0 && t->outline > 0 && t->parts > 1; /* pieces of one outline shrink together */
    double (*spans)[2] = shrunk ? s->spans : into;
    for (int part = t->first_part; part < t->first_part + t->parts; part++)
        if (part_span(s, part, p, q, shrunk ? 0 : growth, &spans[n][0], &spans[n][1])) n++;
    n = joined(spans, n);
    return shrunk && n ? without(spans, n, s->holes, rim_spans(s, t, p, q, -growth), into) : n;
}

/* What all segments from p[0] .. p[1] to q[0] .. q[1] have in common in each part of the thing grown by `growth`: where
 * the last of them comes in, and where the first of them goes out, which may be before that. Those segments from one
 * point that come in before a share of their length, or go out after it, hold an interval of such segments: so it is
 * enough to look at the four outermost. */
int common_spans(const Scene *s, const Thing *t, const V *p, const V *q, double growth, double (*into)[2]) {
    int n = 0;
    for (int part = t->first_part; part < t->first_part + t->parts; part++) {
        double first = 0, last = 1, f, l;
        int k = 0;
        for (; k < 4 && part_span(s, part, p[k & 1], q[k >> 1], growth, &f, &l); k++) { first = most_of(first, f); last = least_of(last, l); }
        if (k == 4 && (first < last || t->kind == SOLID)) { into[n][0] = first; into[n++][1] = last; }
    }
    return t->kind == SOLID ? n : joined(into, n);
}

/* The share of a segment inside the thing grown by `growth`. */
double share_inside(const Scene *s, const Thing *t, V p, V q, double growth) {
    double (*into)[2] = s->spans + 3 * (t->parts + t->outline + 1), total = 0;
    int n = spans_of(s, t, p, q, growth, into);
    for (int i = 0; i < n; i++) total += into[i][1] - into[i][0];
    return total;
}
