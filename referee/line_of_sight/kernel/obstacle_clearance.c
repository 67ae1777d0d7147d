/* How far a segment stays clear of a thing: negative by how deep it passes inside. And how that changes. */
#include "scene.h"

#define MOST_LOOKS 60
#define NARROWEST 1e-13 /* share of a line inside a thing that is more than rounding */

/* Deepest point of a segment inside a convex part, by the sides that are nearest there; negative where it stays outside.
 * The depth is the least of linear functions, one a side: concave, so a rising and a falling one find its top. */
static double convex_depth(const Scene *s, int part, V p, V q) {
    const V *c = s->point + s->part_start[part], *in = s->inward + s->part_start[part];
    int n = s->part_start[part + 1] - s->part_start[part];
    double low = 0, high = 1, best, lo_at = INFINITY, lo_rise = 0, hi_at = INFINITY, hi_rise = 0, hi_end = INFINITY;
    for (int i = 0; i < n; i++) {
        double a = dot(in[i], sub(p, c[i])), b = dot(in[i], sub(q, c[i]));
        if (a < 0 && b < 0) return most_of(a, b);
        if (a < lo_at) { lo_at = a; lo_rise = b - a; }
        if (b < hi_end) { hi_end = b; hi_at = a; hi_rise = b - a; }
    }
    best = most_of(lo_at, hi_end);
    for (int k = 0; k < 2 * n && lo_rise > hi_rise; k++) {
        double t = (hi_at - lo_at) / (lo_rise - hi_rise), value = INFINITY, at = 0, rise = 0;
        t = t < low ? low : t > high ? high : t;
        for (int i = 0; i < n; i++) {
            double a = dot(in[i], sub(p, c[i])), b = dot(in[i], sub(q, c[i])), v = a + t * (b - a);
            if (v < value) { value = v; at = a; rise = b - a; }
        }
        if (value > best) best = value;
        if (value >= lo_at + t * lo_rise - 1e-13) break;
        if (rise > 0) { lo_at = at; lo_rise = rise; low = t; } else { hi_at = at; hi_rise = rise; high = t; }
    }
    return best;
}

static double far2(V c, V p, V q) { V v = sub(c, foot_on(c, p, q)); return dot(v, v); }

static int crosses(V a, V b, V p, V q) {
    V side = sub(b, a), way = sub(q, p);
    return cross(side, sub(p, a)) * cross(side, sub(q, a)) <= 0 && cross(way, sub(a, p)) * cross(way, sub(b, p)) <= 0;
}

static double part_gap(const Scene *s, int part, V p, V q) {
    const V *c = s->point + s->part_start[part];
    int n = s->part_start[part + 1] - s->part_start[part];
    double near = INFINITY;
    if (n == 1) return to_segment(c[0], p, q) - s->part_radius[part];
    if (n > 2) {
        double depth = convex_depth(s, part, p, q);
        if (depth >= 0) return -depth - s->part_radius[part];
    } else if (crosses(c[0], c[1], p, q)) return -s->part_radius[part];
    for (int i = 0; i < n; i++) {
        V next = c[i + 1 < n ? i + 1 : 0];
        near = least_of(near, far2(c[i], p, q));
        near = least_of(near, far2(p, c[i], next));
        near = least_of(near, far2(q, c[i], next));
    }
    return sqrt(near) - s->part_radius[part];
}

/* Signed distance of a point from an outline: positive inside. */
double depth_at(const V *o, int n, V x) {
    double near = INFINITY;
    int inside = 0;
    for (int i = 0, j = n - 1; i < n; j = i++) {
        near = least_of(near, far2(x, o[j], o[i]));
        if ((o[j].y > x.y) != (o[i].y > x.y) && x.x < (o[i].x - o[j].x) * (x.y - o[j].y) / (o[i].y - o[j].y) + o[j].x)
            inside = !inside;
    }
    return inside ? sqrt(near) : -sqrt(near);
}

/* Whether a line comes into a thing grown by so much, beyond doubt. */
int comes_into(const Scene *s, const Thing *t, V p, V q, double growth) { return share_inside(s, t, p, q, growth) > NARROWEST; }

/* Where a stretch that comes in and goes out equally deep would be deepest, if its sides went on as they do at its ends. */
static double ridge(const Scene *s, const Thing *t, V p, V d, double from, double to) {
    double in = -dot(outward(s, t, along(p, d, from)), d), out = -dot(outward(s, t, along(p, d, to)), d);
    double at = in > out ? (in * from - out * to) / (in - out) : (from + to) / 2;
    return at > from && at < to ? at : (from + to) / 2;
}

/* Deepest point of a segment inside an outline that is not convex: how far the outline may shrink and still be met.
 * Of every stretch that lies deeper than what was found, the middle and where its sides meet are looked at. */
static double nested_depth(const Scene *s, const Thing *t, V p, V q) {
    const V *o = s->outline + t->first_outline;
    double (*span)[2] = s->spans + 3 * (t->parts + t->outline + 1);
    double deepest = most_of(0, most_of(depth_at(o, t->outline, p), depth_at(o, t->outline, q)));
    V d = sub(q, p);
    for (int k = 0; k < MOST_LOOKS && norm(d) > 1e-12; k++) {
        double before = deepest, share = 0;
        int n = spans_of(s, t, p, q, -before, span);
        for (int i = 0; i < n; i++) {
            double from = span[i][0], to = span[i][1];
            share += to - from;
            deepest = most_of(deepest, depth_at(o, t->outline, along(p, d, (from + to) / 2)));
            deepest = most_of(deepest, depth_at(o, t->outline, along(p, d, ridge(s, t, p, d, from, to))));
        }
        if (share <= NARROWEST || deepest <= before + 1e-12) break;
    }
    return deepest;
}

int is_nested(const Thing *t) { return t->parts > 1 && t->outline > 2; }

/* The gap, or anything at most `enough` as soon as it is known to be no more: how deep a line passes takes long to find. */
double gap_above(const Scene *s, const Thing *t, V p, V q, double enough) {
    double near = INFINITY;
    for (int part = t->first_part; part < t->first_part + t->parts; part++) near = least_of(near, part_gap(s, part, p, q));
    if (near > 0 || !is_nested(t)) return near;
    if (enough >= 0 || (enough > -NEVER && comes_into(s, t, p, q, enough))) return least_of(near, enough);
    return -nested_depth(s, t, p, q);
}

double thing_gap(const Scene *s, const Thing *t, V p, V q) { return gap_above(s, t, p, q, -INFINITY); }

double point_gap(const Scene *s, const Thing *t, V x) { return thing_gap(s, t, x, x); }

/* Away from a thing, at a point on the rim of it grown or shrunk by anything. */
V outward(const Scene *s, const Thing *t, V x) {
    const V *o = t->outline ? s->outline + t->first_outline : s->point + s->part_start[t->first_part];
    int n = t->outline ? t->outline : s->part_start[t->first_part + 1] - s->part_start[t->first_part];
    double near = INFINITY, nearest = INFINITY;
    V away = {1, 0};
    for (int part = t->first_part + 1; !t->outline && part < t->first_part + t->parts; part++) {
        double gap = part_gap(s, part, x, x);
        if (gap < least_of(nearest, part_gap(s, t->first_part, x, x))) {
            nearest = gap; o = s->point + s->part_start[part]; n = s->part_start[part + 1] - s->part_start[part];
        }
    }
    for (int i = 0, j = n - 1; i < n; j = i++) {
        V v = sub(x, foot_on(x, o[j], o[i])), side = sub(o[i], o[j]);
        double far = norm(v);
        if (far >= near) continue;
        near = far;
        if (far > 1e-6) away = scaled(v, (n > 2 && depth_at(o, n, x) > 0 ? -1 : 1) / far);
        else if (n > 1) away = scaled((V){side.y, -side.x}, 1 / norm(side));
    }
    return away;
}

/* ---- how a gap changes ---- */

/* A condition held by the point at `share` of the line, which opens when that point moves along n. */
void add_row(Rows *rows, double f, double share, V n) {
    int at = rows->n;
    if (at == MAX_ROWS) { /* full: the one farthest from deciding makes room */
        at = 0;
        for (int i = 1; i < MAX_ROWS; i++) if (rows->row[i].f > rows->row[at].f) at = i;
        if (rows->row[at].f <= f) return;
    } else rows->n++;
    rows->row[at] = (Row){f, {(1 - share) * n.x, (1 - share) * n.y, share * n.x, share * n.y}, 0};
}

static void row_of_corner(V c, V p, V q, double radius, double from, double to, double most, Rows *rows) {
    double t = foot_share(c, p, q);
    V d = sub(q, p), v = sub(along(p, d, t), c);
    double far = norm(v), l = norm(d);
    if (far - radius > most) return;
    if (far > 0) v = scaled(v, 1 / far);
    else v = l > 0 ? (V){-d.y / l, d.x / l} : (V){1, 0};
    add_row(rows, far - radius, from + t * (to - from), v);
}

static void row_of_end(V x, V a, V b, double share, double radius, double most, Rows *rows) {
    V v = sub(x, foot_on(x, a, b));
    double far = norm(v);
    if (far - radius <= most && far > 0) add_row(rows, far - radius, share, scaled(v, 1 / far));
}

/* Every point where the side that is nearest changes, and both ends: each is as deep as its sides say. */
static void rows_of_inside(const Scene *s, int part, V p, V q, double from, double to, double most, Rows *rows) {
    const V *c = s->point + s->part_start[part], *in = s->inward + s->part_start[part];
    int n = s->part_start[part + 1] - s->part_start[part];
    double r = s->part_radius[part], t = 0;
    for (int turns = 0, side = -1; turns <= 2 * n; turns++) {
        double depth = INFINITY, rise = 0, until = 1;
        if (side < 0)
            for (int i = 0; i < n; i++) {
                double a = dot(in[i], sub(p, c[i])), b = dot(in[i], sub(q, c[i]));
                if (a < depth || (a == depth && b - a < rise)) { depth = a; rise = b - a; side = i; }
            }
        if (t == 0 && -depth - r <= most) add_row(rows, -depth - r, from, scaled(in[side], -1));
        double a0 = dot(in[side], sub(p, c[side])), rise0 = dot(in[side], sub(q, p)), rise1 = 0;
        int next = -1;
        for (int i = 0; i < n; i++) { /* the next side to be nearest */
            double a = dot(in[i], sub(p, c[i])), b = dot(in[i], sub(q, p));
            if (b >= rise0 - 1e-15) continue;
            double at = (a - a0) / (rise0 - b);
            if (at > t && at < until) { until = at; next = i; rise1 = b; }
        }
        double value = -(a0 + until * rise0) - r;
        if (next < 0) {
            if (value <= most) add_row(rows, value, to, scaled(in[side], -1));
            return;
        }
        if (value <= most) {
            double w = -rise1 / (rise0 - rise1);
            w = w < 0 ? 0 : w > 1 ? 1 : w;
            add_row(rows, value, from + until * (to - from), (V){-(w * in[side].x + (1 - w) * in[next].x), -(w * in[side].y + (1 - w) * in[next].y)});
        }
        t = until; side = next;
    }
}

static void rows_of_part(const Scene *s, int part, V p, V q, double from, double to, double most, Rows *rows) {
    const V *c = s->point + s->part_start[part];
    int n = s->part_start[part + 1] - s->part_start[part];
    double r = s->part_radius[part];
    if (n > 2 && convex_depth(s, part, p, q) >= 0) {
        rows_of_inside(s, part, p, q, from, to, most, rows);
        return;
    }
    if (n == 2 && crosses(c[0], c[1], p, q)) {
        V side = sub(c[1], c[0]), way = sub(q, p);
        double across = cross(side, way), t = across != 0 ? clip01(cross(side, sub(c[0], p)) / across) : 0, l = norm(side);
        add_row(rows, -r, from + t * (to - from), (V){side.y / l, -side.x / l});
        return;
    }
    for (int i = 0; i < n; i++) {
        row_of_corner(c[i], p, q, r, from, to, most, rows);
        if (n < 2) continue;
        V next = c[i + 1 < n ? i + 1 : 0];
        row_of_end(p, c[i], next, from, r, most, rows);
        row_of_end(q, c[i], next, to, r, most, rows);
    }
}

static V slope_of_depth(const Scene *s, const Thing *t, V p, V q, int stop, double h) {
    double x = h / 2, dx, dy;
    V px = {x, 0}, py = {0, x};
    if (stop) {
        dx = nested_depth(s, t, p, along(q, px, 1)) - nested_depth(s, t, p, along(q, px, -1));
        dy = nested_depth(s, t, p, along(q, py, 1)) - nested_depth(s, t, p, along(q, py, -1));
    } else {
        dx = nested_depth(s, t, along(p, px, 1), q) - nested_depth(s, t, along(p, px, -1), q);
        dy = nested_depth(s, t, along(p, py, 1), q) - nested_depth(s, t, along(p, py, -1), q);
    }
    return (V){-dx / h, -dy / h};
}

/* The conditions under which the stretch of p to q keeps as clear of the thing as it does, and a little more. */
void rows_of_gap(const Scene *s, const Thing *t, V p, V q, double window, Rows *rows) {
    V d = sub(q, p), a = t->from > 0 ? along(p, d, t->from) : p, b = t->to < 1 ? along(p, d, t->to) : q;
    double gap = thing_gap(s, t, a, b);
    if (is_nested(t) && gap <= 0 && rows->n < MAX_ROWS) { /* the deepest point moves with the line: its slopes are measured */
        V da = slope_of_depth(s, t, a, b, 0, 1e-5), db = slope_of_depth(s, t, a, b, 1, 1e-5);
        V gp = along(scaled(da, 1 - t->from), db, 1 - t->to), gq = along(scaled(da, t->from), db, t->to);
        rows->row[rows->n++] = (Row){gap, {gp.x, gp.y, gq.x, gq.y}, 0};
        return;
    }
    for (int part = t->first_part; part < t->first_part + t->parts; part++)
        rows_of_part(s, part, a, b, t->from, t->to, gap + window, rows);
}
