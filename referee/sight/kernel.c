/* The widest lane between two ends: critical lines propose, climbing widens, critical lines at a larger growth confirm.
 *
 * The same steps as lane.py, which is the plain path and says why; here they are quick. No state, no I/O, no allocation
 * that outlives a call. Lengths are millimetres.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

#define ROUNDING 1e-9
#define STEP 1e-5
#define NEVER 1e6
#define MAX_NEAR 10
#define MORE 3       /* how many more things are taken into account at a time */
#define LOOK 0.5     /* how much wider a lane is looked for where critical lines are incomplete */
#define FINE 1e-6    /* a climb with larger steps only looks round */
#define FINEST(s) ((s)->woody ? 1e-7 : 1e-8) /* the smallest step of a climb; woods give rounded tops */

typedef struct { double x, y; } V;

typedef struct {
    int is_disc, cut, corners, pieces;
    V centre; double radius; V normal; double offset;
    const V *corner;       /* of a polygon, already cut */
    const double *piece;   /* 8 each: start, along, length, centre, radius */
} End;

typedef struct {
    End end[2];
    int parts, things;
    const int *part_start;     /* first point of each part, one more at the end */
    const V *point;
    const double *part_radius;
    const int *part_thing, *thing_part;  /* owner of a part; first part of each thing, one more at the end */
    const double *share;       /* two each: stretch of the line that a thing can close */
    int *is_wood; /* a wood that no end can come into is 0: a plain obstacle */
    const double *wood;        /* two each: depth, whether an end counts as inside (-1: by point) */
    const int *outline_start;  /* first outline point of each thing, one more at the end */
    const V *outline;
    double (*spans)[2], (*holes)[2];
    int *active, actives; /* the things taken into account so far */
    int woody;            /* woods are there: a line may be open at one growth and closed at a smaller one */
    double level;         /* the growth from which the next flip is sought */
    int spare;            /* height to spare is asked: only lines that cross something count */
} Scene;

static V sub(V a, V b) { return (V){a.x - b.x, a.y - b.y}; }
static V along(V a, V d, double t) { return (V){a.x + t * d.x, a.y + t * d.y}; }
static double dot(V a, V b) { return a.x * b.x + a.y * b.y; }
static double cross(V a, V b) { return a.x * b.y - a.y * b.x; }
static double norm(V a) { return sqrt(a.x * a.x + a.y * a.y); }
static double clip01(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

static double to_segment(V c, V p, V q) {
    V d = sub(q, p);
    double l2 = dot(d, d), t = l2 > 0 ? clip01(dot(sub(c, p), d) / l2) : 0;
    return norm(sub(c, along(p, d, t)));
}

/* Deepest point of a segment inside a convex outline; negative when all of it stays outside. */
static double convex_depth(V p, V q, const V *c, int n) {
    double low = 0, high = 1, best, lo_at = INFINITY, lo_rise = 0, hi_at = INFINITY, hi_rise = 0, hi_end = INFINITY;
    for (int i = 0; i < n; i++) {
        V side = sub(c[(i + 1) % n], c[i]);
        double l = norm(side), a = cross(side, sub(p, c[i])) / l, b = cross(side, sub(q, c[i])) / l;
        if (a < lo_at) { lo_at = a; lo_rise = b - a; }
        if (b < hi_end) { hi_end = b; hi_at = a; hi_rise = b - a; }
    }
    best = fmax(lo_at, hi_end);
    for (int k = 0; k < 2 * n; k++) {
        double gap = lo_rise - hi_rise;
        if (!(gap > 0)) break;
        double t = (hi_at - lo_at) / gap;
        t = t < low ? low : t > high ? high : t;
        double value = INFINITY, at = 0, rise = 0;
        for (int i = 0; i < n; i++) {
            V side = sub(c[(i + 1) % n], c[i]);
            double l = norm(side), a = cross(side, sub(p, c[i])) / l, b = cross(side, sub(q, c[i])) / l;
            double v = a + t * (b - a);
            if (v < value) { value = v; at = a; rise = b - a; }
        }
        if (value > best) best = value;
        if (value >= lo_at + t * lo_rise - 1e-12) break;
        if (rise > 0) { lo_at = at; lo_rise = rise; low = t; } else { hi_at = at; hi_rise = rise; high = t; }
    }
    return best;
}

static double to_part(const Scene *s, int part, V p, V q) {
    const V *c = s->point + s->part_start[part];
    int n = s->part_start[part + 1] - s->part_start[part];
    double near = INFINITY;
    if (n == 1) return to_segment(c[0], p, q) - s->part_radius[part];
    if (n > 2) {
        double depth = convex_depth(p, q, c, n);
        if (depth >= 0) return -depth - s->part_radius[part];
    } else if (cross(sub(c[1], c[0]), sub(p, c[0])) * cross(sub(c[1], c[0]), sub(q, c[0])) <= 0 &&
               cross(sub(q, p), sub(c[0], p)) * cross(sub(q, p), sub(c[1], p)) <= 0) {
        return -s->part_radius[part];
    }
    for (int i = 0; i < n; i++) {
        near = fmin(near, to_segment(c[i], p, q));
        near = fmin(near, to_segment(p, c[i], c[(i + 1) % n]));
        near = fmin(near, to_segment(q, c[i], c[(i + 1) % n]));
    }
    return near - s->part_radius[part];
}

static double depth_at(const V *o, int n, V x) {
    double near = INFINITY;
    int inside = 0;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        near = fmin(near, to_segment(x, o[j], o[i]));
        if ((o[j].y > x.y) != (o[i].y > x.y) && x.x < (o[i].x - o[j].x) * (x.y - o[j].y) / (o[i].y - o[j].y) + o[j].x)
            inside = !inside;
    }
    return inside ? near : -near;
}

/* ---- woods ---- */

static int planes_span(V p, V q, const V *at, const V *inward, const double *slack, int n, double *first, double *last) {
    double f = 0, l = 1;
    for (int i = 0; i < n; i++) {
        double d0 = dot(sub(p, at[i]), inward[i]) + slack[i], d1 = dot(sub(q, at[i]), inward[i]) + slack[i];
        if (d0 <= 0 && d1 <= 0) return 0;
        if (d0 < 0) f = fmax(f, d0 / (d0 - d1));
        if (d1 < 0) l = fmin(l, d0 / (d0 - d1));
    }
    *first = f; *last = l;
    return f < l;
}

static int disc_span(V p, V q, V c, double r, double *first, double *last) {
    V d = sub(q, p);
    double l2 = dot(d, d), m, half2;
    if (l2 <= 0 || r <= 0) return 0;
    m = dot(sub(c, p), d) / l2;
    V foot = along(p, d, m);
    half2 = (r * r - dot(sub(c, foot), sub(c, foot))) / l2;
    if (half2 <= 0) return 0;
    *first = clip01(m - sqrt(half2)); *last = clip01(m + sqrt(half2));
    return *first < *last;
}

static int strip_span(V p, V q, V a, V b, double r, double *first, double *last) {
    V d = sub(b, a);
    double length = norm(d);
    if (length <= 0) return 0;
    V u = {d.x / length, d.y / length}, at[4] = {a, b, a, a};
    V in[4] = {u, {-u.x, -u.y}, {-u.y, u.x}, {u.y, -u.x}};
    double slack[4] = {0, 0, r, r};
    return planes_span(p, q, at, in, slack, 4, first, last);
}

static int stadium_span(V p, V q, V a, V b, double r, double *first, double *last) {
    double f, l, lo = INFINITY, hi = -INFINITY;
    if (disc_span(p, q, a, r, &f, &l)) { lo = fmin(lo, f); hi = fmax(hi, l); }
    if (disc_span(p, q, b, r, &f, &l)) { lo = fmin(lo, f); hi = fmax(hi, l); }
    if (strip_span(p, q, a, b, r, &f, &l)) { lo = fmin(lo, f); hi = fmax(hi, l); }
    *first = lo; *last = hi;
    return lo < hi;
}

static int core_span(V p, V q, const V *c, int n, double *first, double *last) {
    double f = 0, l = 1;
    for (int i = 0; i < n; i++) {
        V side = sub(c[(i + 1) % n], c[i]);
        double d0 = cross(side, sub(p, c[i])), d1 = cross(side, sub(q, c[i]));
        if (d0 <= 0 && d1 <= 0) return 0;
        if (d0 < 0) f = fmax(f, d0 / (d0 - d1));
        if (d1 < 0) l = fmin(l, d0 / (d0 - d1));
    }
    *first = f; *last = l;
    return f < l;
}

static int by_first(const void *a, const void *b) {
    double d = ((const double *)a)[0] - ((const double *)b)[0];
    return (d > 0) - (d < 0);
}

static int joined(double (*s)[2], int n) {
    int m = 0;
    qsort(s, n, sizeof *s, by_first);
    for (int i = 0; i < n; i++) {
        if (m && s[i][0] <= s[m - 1][1]) s[m - 1][1] = fmax(s[m - 1][1], s[i][1]);
        else { s[m][0] = s[i][0]; s[m][1] = s[i][1]; m++; }
    }
    return m;
}

/* The share of a segment inside the thing grown (or shrunk) by `growth`. */
static double share_inside(const Scene *s, int thing, V p, V q, double growth) {
    int n = 0, holes = 0;
    double total = 0;
    for (int part = s->thing_part[thing]; part < s->thing_part[thing + 1]; part++) {
        const V *c = s->point + s->part_start[part];
        int k = s->part_start[part + 1] - s->part_start[part];
        double r = s->part_radius[part] + (growth > 0 || k == 1 ? growth : 0), f, l, lo = INFINITY, hi = -INFINITY;
        if (k > 2 && core_span(p, q, c, k, &f, &l)) { lo = f; hi = l; }
        if (k == 1 && disc_span(p, q, c[0], r, &f, &l)) { lo = f; hi = l; }
        if (k > 1 && r > 0)
            for (int i = 0; i < k; i++) {
                if (disc_span(p, q, c[i], r, &f, &l)) { lo = fmin(lo, f); hi = fmax(hi, l); }
                if (strip_span(p, q, c[i], c[(i + 1) % k], r, &f, &l)) { lo = fmin(lo, f); hi = fmax(hi, l); }
            }
        if (lo < hi) { s->spans[n][0] = lo; s->spans[n++][1] = hi; }
    }
    n = joined(s->spans, n);
    int from = s->outline_start[thing], to = s->outline_start[thing + 1];
    if (growth < 0)
        for (int i = from, j = to - 1; i < to; j = i++) {
            double f, l;
            if (stadium_span(p, q, s->outline[j], s->outline[i], -growth, &f, &l)) {
                s->holes[holes][0] = f; s->holes[holes++][1] = l;
            }
        }
    holes = joined(s->holes, holes);
    for (int i = 0; i < n; i++) {
        total += s->spans[i][1] - s->spans[i][0];
        for (int h = 0; h < holes; h++)
            total -= fmax(0, fmin(s->spans[i][1], s->holes[h][1]) - fmax(s->spans[i][0], s->holes[h][0]));
    }
    return total;
}

/* Deepest point of a segment inside an outline that is not convex: how far the outline may shrink and still be met. */
static double nested_depth(const Scene *s, int thing, V p, V q) {
    int from = s->outline_start[thing], n = s->outline_start[thing + 1] - from;
    double low = fmax(0, fmax(depth_at(s->outline + from, n, p), depth_at(s->outline + from, n, q))), high = low + 1;
    if (norm(sub(q, p)) < 1e-12) return low;
    while (high < NEVER && share_inside(s, thing, p, q, -high) > 1e-13) { low = high; high *= 2; }
    for (int k = 0; k < 60 && high - low > 1e-11; k++) {
        double m = (low + high) / 2;
        if (share_inside(s, thing, p, q, -m) > 1e-13) low = m; else high = m;
    }
    return low;
}

static double thing_gap(const Scene *s, int thing, V p, V q) {
    double near = INFINITY;
    for (int part = s->thing_part[thing]; part < s->thing_part[thing + 1]; part++) near = fmin(near, to_part(s, part, p, q));
    int from = s->outline_start[thing], n = s->outline_start[thing + 1] - from;
    if (near < 0 && s->thing_part[thing + 1] - s->thing_part[thing] > 1 && n > 2) {
        return -nested_depth(s, thing, p, q);
    }
    return near;
}

/* A line passes a wood that is grown less than `around`, and one grown by `inside` to `filled`. The end of the stretch
 * that `level` lies in; the nearest stretch below it where it lies in none. */
static double wood_growth(const Scene *s, int thing, V p, V q, double level, double enough) {
    double depth = s->wood[2 * thing], told = s->wood[2 * thing + 1], length = norm(sub(q, p));
    double around = thing_gap(s, thing, p, q), inside, filled;
    if (told >= 0) inside = told > 0 ? -NEVER : NEVER;
    else inside = fmin(thing_gap(s, thing, p, p), thing_gap(s, thing, q, q)) - ROUNDING;
    if (level < around && inside > around) return around;
    if (length <= depth) filled = NEVER;
    else if (around + depth <= enough) return enough; /* it cannot be better: no need to know by how much */
    else if (enough > around && length * share_inside(s, thing, p, q, enough) > depth) return enough;
    else {
        double low = around, high = around + depth, fl = -depth, fh = length * share_inside(s, thing, p, q, high) - depth;
        int side = 0;
        double guess = fmax(level, around);
        guess += depth - length * share_inside(s, thing, p, q, guess); /* an end inside: the wood grows from one side */
        for (int k = 0; k < 60 && high - low > 1e-12; k++) {
            double m = k == 0 ? guess : fh > fl ? low - fl * (high - low) / (fh - fl) : (low + high) / 2;
            if (!(m > low && m < high) || k % 8 == 7) m = (low + high) / 2;
            double f = length * share_inside(s, thing, p, q, m) - depth;
            if (f > 0) { high = m; fh = f; if (side > 0) fl /= 2; side = 1; }
            else { low = m; fl = f; if (side < 0) fh /= 2; side = -1; }
            if (fabs(f) < 1e-10) { low = m; break; }
        }
        filled = low;
    }
    if (inside <= fmax(around, level) && filled >= level) return fmax(filled, around);
    if (level < around || filled > level || inside > filled) return around;
    return fmax(filled, around);
}

/* By how much a line from top to top passes over a solid; NEVER where it does not cross it. */
static double over(const Scene *s, int thing, V p, V q) {
    double first = INFINITY, last = -INFINITY, f, l;
    for (int part = s->thing_part[thing]; part < s->thing_part[thing + 1]; part++) {
        const V *c = s->point + s->part_start[part];
        int n = s->part_start[part + 1] - s->part_start[part];
        if (n == 1 ? disc_span(p, q, c[0], s->part_radius[part], &f, &l) : core_span(p, q, c, n, &f, &l)) {
            first = fmin(first, f); last = fmax(last, l);
        }
    }
    double from = s->share[2 * thing], to = s->share[2 * thing + 1];
    return first < last ? from + (to > from ? first : last) * (to - from) - s->wood[2 * thing] : NEVER;
}

static double counted(const Scene *s, double value) { return s->spare && value >= NEVER / 2 ? -INFINITY : value; }

static double slack_of(const Scene *s, int thing, V p, V q, double level, double enough) {
    double a = s->share[2 * thing], b = s->share[2 * thing + 1];
    if (s->is_wood[thing] == 3) return over(s, thing, p, q);
    if (s->is_wood[thing] == 2) return -norm(sub(q, p)) * share_inside(s, thing, p, q, 0);
    if (s->is_wood[thing]) return wood_growth(s, thing, p, q, level, enough);
    V d = sub(q, p);
    return thing_gap(s, thing, a > 0 ? along(p, d, a) : p, b < 1 ? along(p, d, b) : q);
}

static double least_at(const Scene *s, V p, V q, double enough, double level) {
    double best = INFINITY;
    for (int wood = 0; wood < 2; wood++) /* the quick ones first */
        for (int i = 0; i < s->actives && best > enough; i++)
            if (s->is_wood[s->active[i]] == 1 ? wood : !wood) best = fmin(best, slack_of(s, s->active[i], p, q, level, enough));
    return counted(s, best);
}

/* The least slack, or anything at most `enough` as soon as it is known to be no better. A line that is closed at the
 * level is as good as the nearest growth below at which all let it pass. */
static double least(const Scene *s, V p, V q, double enough) {
    double level = s->level, best = least_at(s, p, q, enough, level);
    for (int k = 0; s->woody && k < 8 && best < level && best > enough; k++) {
        double lower = least_at(s, p, q, enough, best);
        if (lower >= best) break;
        level = best; best = lower;
    }
    return best;
}

/* ---- critical lines ---- */

typedef struct { V at; double rim; } Rim;

static int cut_polygon(const V *in, int n, V normal, double offset, V *out) {
    int m = 0;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        double h0 = dot(in[j], normal) - offset, h1 = dot(in[i], normal) - offset;
        if (h0 * h1 < 0) out[m++] = along(in[j], sub(in[i], in[j]), h0 / (h0 - h1));
        if (h1 >= 0) out[m++] = in[i];
    }
    return m;
}

static void piece_of(const double *d, V *start, V *way, double *length, V *centre, double *radius) {
    *start = (V){d[0], d[1]}; *way = (V){d[2], d[3]}; *length = d[4]; *centre = (V){d[5], d[6]}; *radius = d[7];
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
    V u = {d.x / l, d.y / l};
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

/* Corners where the rim of a grown convex part crosses the rim of an end. */
static int cuts(const End *e, const V *c, int n, double r, Rim *out, int room) {
    int made = 0;
    V found[4];
    for (int k = 0; k < e->pieces; k++) {
        V start, way, centre; double length, radius;
        piece_of(e->piece + 8 * k, &start, &way, &length, &centre, &radius);
        for (int i = 0; i < n && made + 6 < room; i++) {
            int got = 0;
            if (r > 0) got = radius > 0 ? circle_circle(centre, radius, c[i], r, found) : line_circle(start, way, length, c[i], r, found);
            for (int g = 0; g < got; g++) out[made++] = (Rim){found[g], 0};
            if (n < 2) continue;
            V side = sub(c[(i + 1) % n], c[i]);
            double l = norm(side);
            if (l <= 0) continue;
            V u = {side.x / l, side.y / l}, base = {c[i].x + u.y * r, c[i].y - u.x * r};
            got = radius > 0 ? line_circle(base, u, l, centre, radius, found) : line_line(start, way, length, base, u, l, found);
            for (int g = 0; g < got; g++) out[made++] = (Rim){found[g], 0};
        }
    }
    return made;
}

static double far_from_axis(const Scene *s, const V *c, int n) {
    double near = INFINITY;
    for (int i = 0; i < n; i++) near = fmin(near, to_segment(c[i], s->end[0].centre, s->end[1].centre));
    if (n > 1)
        for (int i = 0; i < n; i++)
            for (int e = 0; e < 2; e++) near = fmin(near, to_segment(s->end[e].centre, c[i], c[(i + 1) % n]));
    return near;
}

static double reach_of(const End *e) {
    double far = e->radius;
    for (int i = 0; !e->is_disc && i < e->corners; i++) far = fmax(far, norm(sub(e->corner[i], e->centre)));
    return far;
}

static int rims(const Scene *s, double growth, Rim *out, int room) {
    int n = 0, first_part;
    V buffer[2][512];
    for (int e = 0; e < 2; e++) {
        const End *end = &s->end[e];
        if (end->is_disc) {
            out[n++] = (Rim){end->centre, end->radius};
            out[n++] = (Rim){end->centre, -end->radius};
        }
        for (int k = 0; k < end->pieces && (!end->is_disc || end->pieces > 1 || end->piece[7] == 0); k++)
            out[n++] = (Rim){{end->piece[8 * k], end->piece[8 * k + 1]}, 0};
    }
    double half = fmax(reach_of(&s->end[0]), reach_of(&s->end[1]));
    for (int a = 0; a < s->actives; a++) {
        int thing = s->active[a];
        int convex = s->thing_part[thing + 1] - s->thing_part[thing] == 1;
        first_part = s->thing_part[thing];
        for (int part = first_part; part < s->thing_part[thing + 1]; part++) {
            const V *c = s->point + s->part_start[part];
            int k = s->part_start[part + 1] - s->part_start[part];
            double r = s->part_radius[part] + growth;
            if (r < 0 && k < 3) continue;
            if (k > 2 && r < 0 && convex && k < 250) {
                int m = k, from = 0;
                memcpy(buffer[0], c, k * sizeof(V));
                for (int i = 0; i < k && m; i++) {
                    V side = sub(c[(i + 1) % k], c[i]);
                    double l = norm(side);
                    V in = {-side.y / l, side.x / l};
                    m = cut_polygon(buffer[from], m, in, dot(c[i], in) - r, buffer[1 - from]);
                    from = 1 - from;
                }
                c = buffer[from]; k = m; r = 0;
                if (!k) continue;
            }
            r = fabs(r);
            if (far_from_axis(s, c, k) > half + r + 1e-6 && !s->is_wood[thing] && k < 3) continue;
            for (int i = 0; i < k && n + 8 < room; i++) {
                out[n++] = (Rim){c[i], r};
                if (r > 0) out[n++] = (Rim){c[i], -r};
            }
            for (int e = 0; e < 2; e++) n += cuts(&s->end[e], c, k, r, out + n, room - n);
        }
        if (!convex && growth < 0) { /* corners of what is left of a nested outline */
            const V *o = s->outline + s->outline_start[thing];
            int k = s->outline_start[thing + 1] - s->outline_start[thing];
            for (int i = 0; i < k && n + 4 < room; i++) {
                V a = sub(o[i], o[(i + k - 1) % k]), b = sub(o[(i + 1) % k], o[i]);
                double la = norm(a), lb = norm(b), sine = cross(a, b) / (la * lb), bend = 1 + dot(a, b) / (la * lb);
                if (sine <= 0 || bend < 1e-9) continue;
                V in = {-(a.y / la + b.y / lb), a.x / la + b.x / lb};
                out[n++] = (Rim){along(o[i], in, -growth / bend), 0};
            }
        }
    }
    return n;
}

static int chord(const End *e, V normal, double offset, double *first, double *last) {
    V way = {normal.y, -normal.x}, foot = {normal.x * offset, normal.y * offset};
    if (e->is_disc) {
        double away = offset - dot(e->centre, normal), half2 = e->radius * e->radius - away * away, half, m;
        if (fabs(away) > e->radius + ROUNDING) return 0;
        half = half2 > 0 ? sqrt(half2) : 0; m = dot(e->centre, way);
        *first = m - half; *last = m + half;
        if (e->cut) {
            double depth = dot(foot, e->normal) - e->offset, slope = dot(way, e->normal);
            if (slope > 1e-14) *first = fmax(*first, -depth / slope);
            else if (slope < -1e-14) *last = fmin(*last, -depth / slope);
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
        if (slope > 1e-14) *first = fmax(*first, -depth / slope);
        else if (slope < -1e-14) *last = fmin(*last, -depth / slope);
        else if (depth < -ROUNDING) return 0;
    }
    return *first <= *last + ROUNDING;
}

typedef struct { double value; V p, q; } Best;

#define POOL 12 /* starts of climbs where woods and heights make the critical lines incomplete */
typedef struct { int n, most; Best best[POOL]; } Pool;

/* Keep the best few that lie apart. */
static void keep(Pool *pool, Best new) {
    int worst = 0;
    for (int i = 0; i < pool->n; i++) {
        Best *b = pool->best + i;
        if (norm(sub(b->p, new.p)) + norm(sub(b->q, new.q)) < 4) {
            if (new.value > b->value) *b = new;
            return;
        }
        if (b->value < pool->best[worst].value) worst = i;
    }
    if (pool->n < pool->most) pool->best[pool->n++] = new;
    else if (new.value > pool->best[worst].value) pool->best[worst] = new;
}

static void offer(const Scene *s, Best *best, V p, V q, Pool *pool) {
    double value = least(s, p, q, pool ? best->value - 10 : best->value);
    if (pool) keep(pool, (Best){value, p, q});
    if (value > best->value) *best = (Best){value, p, q};
}

static int offer_line(const Scene *s, Best *best, V normal, double offset, int sloped, Pool *pool) {
    double a0, a1, b0, b1;
    if (!chord(&s->end[0], normal, offset, &a0, &a1) || !chord(&s->end[1], normal, offset, &b0, &b1)) return 0;
    V way = {normal.y, -normal.x}, foot = {normal.x * offset, normal.y * offset};
    int ahead = b0 + b1 >= a0 + a1;
    double leave = ahead ? a1 : a0, enter = ahead ? b0 : b1;
    if (fmin(a1, b1) > fmax(a0, b0)) leave = enter = (fmin(a1, b1) + fmax(a0, b0)) / 2;
    V p = along(foot, way, leave), q = along(foot, way, enter);
    offer(s, best, p, q, pool);
    if (sloped) {
        offer(s, best, p, along(foot, way, ahead ? b1 : b0), pool);
        offer(s, best, along(foot, way, ahead ? a0 : a1), q, pool);
    }
    return 1;
}

/* The best of all critical segments at this growth, if it beats `best`. */
static void propose(const Scene *s, double growth, int sloped, Rim *rim, int room, Best *best, Pool *pool) {
    int n = rims(s, growth, rim, room);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            V between = sub(rim[i].at, rim[j].at);
            double apart = norm(between), difference = rim[j].rim - rim[i].rim;
            if (apart <= ROUNDING || fabs(difference) > apart) continue;
            double cosine = difference / apart, sine = sqrt(fmax(0, 1 - cosine * cosine));
            V u = {between.x / apart, between.y / apart};
            for (int side = -1; side <= 1; side += 2) {
                V normal = {u.x * cosine - side * u.y * sine, u.y * cosine + side * u.x * sine};
                offer_line(s, best, normal, dot(rim[i].at, normal) + rim[i].rim, sloped, pool);
            }
        }
}

/* ---- climbing ---- */

static V piece_at(const double *d, double s) {
    if (d[7] == 0) return (V){d[0] + d[2] * s, d[1] + d[3] * s};
    double angle = s / d[7], c = cos(angle), w = sin(angle), x = d[0] - d[5], y = d[1] - d[6];
    return (V){d[5] + c * x - w * y, d[6] + w * x + c * y};
}

static double piece_nearest(const double *d, V p) {
    if (d[7] == 0) return fmin(d[4], fmax(0, dot(sub(p, (V){d[0], d[1]}), (V){d[2], d[3]})));
    V a = {d[0] - d[5], d[1] - d[6]}, b = {p.x - d[5], p.y - d[6]};
    double angle = atan2(cross(a, b), dot(a, b)), s;
    if (angle < 0) angle += TURN;
    s = angle * d[7];
    if (s <= d[4]) return s;
    return s - d[4] < TURN * d[7] - s ? d[4] : 0;
}

typedef struct { double f, s, t; } Term;

static void row(const Scene *s, const double *a, const double *b, double u, double v, double *out) {
    V p = piece_at(a, u), q = piece_at(b, v);
    double level = s->level, low = INFINITY;
    for (int i = 0; i < s->actives; i++) {
        out[i] = slack_of(s, s->active[i], p, q, level, -INFINITY);
        low = fmin(low, out[i]);
    }
    if (!s->woody || low >= level) return;
    level = least(s, p, q, -INFINITY);
    for (int i = 0; i < s->actives; i++)
        if (s->is_wood[s->active[i]] == 1) out[i] = slack_of(s, s->active[i], p, q, level, -INFINITY);
}

static double least_of(const double *f, int n) {
    double best = INFINITY;
    for (int i = 0; i < n; i++) best = fmin(best, f[i]);
    return best;
}

static void box_of(const double *d, double s, double trust, double *low, double *high) {
    int whole = d[7] > 0 && fabs(d[4] - TURN * d[7]) < 1e-9 * d[7];
    *low = whole ? -trust : fmax(-trust, -s);
    *high = whole ? trust : fmin(trust, d[4] - s);
}

static void try_step(const Term *m, int n, double ds, double dt, const double *box, double *best, double *at) {
    if (ds < box[0] || ds > box[1] || dt < box[2] || dt > box[3]) return;
    double value = INFINITY;
    for (int i = 0; i < n; i++) value = fmin(value, m[i].f + m[i].s * ds + m[i].t * dt);
    if (value > *best) { *best = value; at[0] = ds; at[1] = dt; }
}

/* The step in the box that raises the least of the linear terms the most: the best vertex of a small linear program. */
static void uphill(const Term *m, int n, const double *box, double *at) {
    double best = -INFINITY;
    at[0] = at[1] = 0;
    for (int i = 0; i < 4; i++) try_step(m, n, box[i & 1], box[2 + (i >> 1)], box, &best, at);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double df = m[i].f - m[j].f, ds = m[i].s - m[j].s, dt = m[i].t - m[j].t;
            for (int k = 0; k < 2; k++) {
                if (fabs(dt) > 1e-15) try_step(m, n, box[k], -(df + ds * box[k]) / dt, box, &best, at);
                if (fabs(ds) > 1e-15) try_step(m, n, -(df + dt * box[2 + k]) / ds, box[2 + k], box, &best, at);
            }
            for (int k = j + 1; k < n; k++) {
                double c = -df, d = m[i].s - m[k].s, e = m[i].t - m[k].t, g = m[k].f - m[i].f, det = ds * e - dt * d;
                if (fabs(det) < 1e-18) continue;
                try_step(m, n, (c * e - dt * g) / det, (ds * g - c * d) / det, box, &best, at);
            }
        }
}

static int by_f(const void *a, const void *b) {
    double d = ((const Term *)a)->f - ((const Term *)b)->f;
    return (d > 0) - (d < 0);
}

static void slide(const Scene *s, const double *a, const double *b, Best *best, double *rows, Term *terms, double finest) {
    int n = s->actives;
    double *here = rows, *up = rows + n, *down = rows + 2 * n, *right = rows + 3 * n, *left = rows + 4 * n, *new = rows + 5 * n;
    double u = piece_nearest(a, best->p), v = piece_nearest(b, best->q), trust, h = 1e-6;
    row(s, a, b, u, v, here);
    double now = counted(s, least_of(here, n));
    trust = fmax(1.0, 0.25 * (a[4] + b[4]));
    for (int k = 0; k < (finest > FINE ? 16 : 80) && trust > finest; k++) {
        double box[4], at[2], reach = 0;
        row(s, a, b, u + h, v, up); row(s, a, b, u - h, v, down);
        row(s, a, b, u, v + h, right); row(s, a, b, u, v - h, left);
        for (;;) {
            int m = 0;
            box_of(a, u, trust, box, box + 1); box_of(b, v, trust, box + 2, box + 3);
            for (int i = 0; i < n; i++) {
                Term t = {here[i], (up[i] - down[i]) / (2 * h), (right[i] - left[i]) / (2 * h)};
                double r = fabs(t.s) * fmax(-box[0], box[1]) + fabs(t.t) * fmax(-box[2], box[3]);
                if (i == 0 || r > reach) reach = r;
                terms[i] = t;
            }
            for (int i = 0; i < n; i++)
                if (terms[i].f <= now + 2 * reach + 1e-9) terms[m++] = terms[i];
            if (m > MAX_NEAR) { qsort(terms, m, sizeof *terms, by_f); m = MAX_NEAR; }
            uphill(terms, m, box, at);
            row(s, a, b, u + at[0], v + at[1], new);
            double value = counted(s, least_of(new, n));
            if (value > now) {
                trust = value - now > (s->woody ? 1e-7 : 1e-10) ? trust * 2 : trust / 4;
                u += at[0]; v += at[1]; now = value;
                memcpy(here, new, n * sizeof *here);
                break;
            }
            trust = fmin(trust, hypot(at[0], at[1])) / 4;
            if (!(trust > finest)) break;
        }
    }
    if (now > best->value) *best = (Best){now, piece_at(a, u), piece_at(b, v)};
}

static void climb(const Scene *s, Best *best, double *rows, Term *terms, double finest) {
    for (int k = 0; k < (finest > FINE ? 1 : 4); k++) {
        double before = best->value;
        for (int i = 0; i < s->end[0].pieces; i++)
            for (int j = 0; j < s->end[1].pieces; j++) {
                const double *a = s->end[0].piece + 8 * i, *b = s->end[1].piece + 8 * j;
                V p = piece_at(a, piece_nearest(a, best->p)), q = piece_at(b, piece_nearest(b, best->q));
                if (norm(sub(p, best->p)) < 1e-6 && norm(sub(q, best->q)) < 1e-6) slide(s, a, b, best, rows, terms, finest);
            }
        if (best->value - before < (s->woody ? 1e-6 : 1e-9)) break;
    }
}

/* At most the distance from a thing to the nearer end. */
static double end_gap(const Scene *s, int thing) {
    double near = INFINITY;
    for (int e = 0; e < 2; e++) near = fmin(near, thing_gap(s, thing, s->end[e].centre, s->end[e].centre) - reach_of(&s->end[e]));
    return near;
}

/* The widest lane among the active things. */
static Best widest_now(Scene *s, Rim *rim, int room, double *rows, Term *terms, int *rounds) {
    Best best = {-INFINITY, s->end[0].centre, s->end[1].centre};
    for (int i = 0; i < s->end[0].pieces; i++)
        for (int j = 0; j < s->end[1].pieces; j++) {
            const double *a = s->end[0].piece + 8 * i, *b = s->end[1].piece + 8 * j;
            offer(s, &best, piece_at(a, piece_nearest(a, s->end[1].centre)), piece_at(b, piece_nearest(b, s->end[0].centre)), NULL);
        }
    int sloped = 0, heights = 0;
    s->level = 0; s->woody = 0;
    for (int i = 0; i < s->actives; i++) {
        int thing = s->active[i];
        s->woody |= s->is_wood[thing] == 1;
        heights |= s->is_wood[thing] == 0 && (s->share[2 * thing] > 0 || s->share[2 * thing + 1] < 1);
        sloped |= s->is_wood[thing] > 0 || heights;
    }
    if (!s->actives) return best;
    Best plain = best;
    best.value = -INFINITY;
    Pool pool = {.most = heights ? POOL : POOL / 2};
    propose(s, 0, sloped, rim, room, &best, s->woody || sloped ? &pool : NULL);
    double coarse = s->woody || sloped ? 1e-3 : FINEST(s);
    climb(s, &plain, rows, terms, coarse);
    if (best.value > -INFINITY) climb(s, &best, rows, terms, coarse);
    if (plain.value > best.value) best = plain;
    for (int i = 0; i < pool.n; i++) {
        climb(s, pool.best + i, rows, terms, 1e-3);
        if (pool.best[i].value > best.value) best = pool.best[i];
    }
    if (pool.n) climb(s, &best, rows, terms, FINEST(s));
    for (int k = 0; k < 40; k++, (*rounds)++) {
        if (best.value >= 0) s->level = best.value + STEP;
        Best wider = {best.value + STEP - 1e-8, best.p, best.q};
        double bar = wider.value;
        propose(s, best.value + STEP, sloped, rim, room, &wider, NULL);
        if (heights && !(wider.value > bar)) { /* no critical line is wider: look round once more from where few are left */
            Pool again = {.most = POOL};
            Best none = {best.value - 5, best.p, best.q};
            propose(s, best.value + LOOK, sloped, rim, room, &none, &again);
            for (int i = 0; i < again.n; i++) {
                climb(s, again.best + i, rows, terms, 1e-3);
                if (again.best[i].value > bar && again.best[i].value > wider.value) wider = again.best[i];
            }
        }
        if (!(wider.value > bar)) break;
        climb(s, &wider, rows, terms, FINEST(s));
        best = wider;
    }
    s->level = fmin(best.value, fmax(0, best.value));
    return best;
}

/* ends: 8 each (is_disc, centre, radius, cut, normal, offset). Result: margin, p, q, rounds; then the slack of each thing. */
int widest_lane(
    const double *ends, const int *end_counts, const double *end_corners, const double *end_pieces,
    int parts, const int *part_start, const double *points, const double *part_radius, const int *part_thing,
    int things, const int *thing_part, const double *share, const int *is_wood, const double *wood,
    const int *outline_start, const double *outline, double *result)
{
    Scene s;
    int corner = 0, piece = 0, total = part_start[parts], edges = outline_start[things];
    for (int e = 0; e < 2; e++) {
        const double *d = ends + 8 * e;
        End *end = &s.end[e];
        end->is_disc = d[0] != 0; end->centre = (V){d[1], d[2]}; end->radius = d[3];
        end->cut = d[4] != 0; end->normal = (V){d[5], d[6]}; end->offset = d[7];
        end->corners = end_counts[2 * e]; end->pieces = end_counts[2 * e + 1];
        end->corner = (const V *)end_corners + corner; end->piece = end_pieces + 8 * piece;
        corner += end->corners; piece += end->pieces;
    }
    s.parts = parts; s.things = things; s.part_start = part_start; s.point = (const V *)points;
    s.part_radius = part_radius; s.part_thing = part_thing; s.thing_part = thing_part; s.share = share;
    s.wood = wood; s.outline_start = outline_start; s.outline = (const V *)outline;
    int room = 64 + corner + 4 * piece + 24 * (total + edges) + 8 * (corner + piece);
    Rim *rim = malloc(room * sizeof *rim);
    double *rows = malloc(6 * (things + 1) * sizeof *rows);
    Term *terms = malloc((things + 1) * sizeof *terms);
    s.spans = malloc((parts + 1) * sizeof *s.spans);
    s.holes = malloc((edges + 1) * sizeof *s.holes);
    s.active = malloc((things + 1) * sizeof *s.active);
    s.is_wood = malloc((things + 1) * sizeof *s.is_wood);
    s.actives = 0; s.level = 0; s.woody = 0;
    s.spare = things > 0 && is_wood[0] == 3;
    for (int i = 0; s.spare && i < things; i++) s.active[s.actives++] = i;
    int ok = rim && rows && terms && s.spans && s.holes && s.active && s.is_wood, rounds = 0;
    if (ok) {
        for (int i = 0; i < things; i++) s.is_wood[i] = is_wood[i] == 1 && end_gap(&s, i) > 0 ? 0 : is_wood[i];
    again:
        if (!s.spare) s.actives = 0;
        Best best = widest_now(&s, rim, room, rows, terms, &rounds);
        /* A lane that is widest among some things and comes no nearer to any other is widest among all. */
        while (s.actives < things) {
            int added = 0;
            for (int i = 0; i < things; i++) result[6 + i] = slack_of(&s, i, best.p, best.q, s.level, -INFINITY);
            while (added < MORE) {
                int nearest = -1;
                for (int i = 0; i < things; i++)
                    if (result[6 + i] < best.value - STEP / 10 && (nearest < 0 || result[6 + i] < result[6 + nearest])) nearest = i;
                if (nearest < 0) break;
                result[6 + nearest] = INFINITY;
                s.active[s.actives++] = nearest;
                added++;
            }
            if (!added) break;
            best = widest_now(&s, rim, room, rows, terms, &rounds);
        }
        int let_in = 0; /* woods that grow to hold an end before the lane closes */
        for (int i = 0; i < things; i++)
            if (is_wood[i] == 1 && !s.is_wood[i] && end_gap(&s, i) <= best.value + 1) let_in = s.is_wood[i] = 1;
        if (let_in) goto again;
        result[0] = s.actives ? best.value : INFINITY;
        result[1] = best.p.x; result[2] = best.p.y; result[3] = best.q.x; result[4] = best.q.y; result[5] = rounds;
        for (int i = 0; i < things; i++) result[6 + i] = slack_of(&s, i, best.p, best.q, fmin(s.level, best.value), -INFINITY);
    }
    free(s.active); free(s.is_wood);
    free(rim); free(rows); free(terms); free(s.spans); free(s.holes);
    return ok ? 0 : 1;
}
