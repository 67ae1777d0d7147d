/* Woods: a line passes one that is grown less than to touch it, and one that holds an end of it and not too much of it.
 *
 * So along its growth a wood lets a line pass up to `around`, and again from `inside` to `filled`. */
#include "scene.h"

#define MOST_SLIDES 8
#define STEEPEST 1000.0 /* ends that slide this much farther than a line gets shorter are left where they are */

static double deeper_end(const Scene *s, const Thing *t, V p, V q, int *stop) {
    double at_p = point_gap(s, t, p), at_q = point_gap(s, t, q);
    *stop = at_q < at_p;
    return least_of(at_p, at_q);
}

static double inside_from(const Scene *s, const Thing *t, V p, V q) {
    int stop;
    if (t->told >= 0) return t->told > 0 ? -NEVER : NEVER;
    return deeper_end(s, t, p, q, &stop) - ROUNDING;
}

static double too_much(const Scene *s, const Thing *t, V p, V q, double growth) {
    return norm(sub(q, p)) * share_inside(s, t, p, q, growth) - t->depth;
}

/* The growth at which the full depth is inside: at most that depth after the first touch. */
static double filled_at(const Scene *s, const Thing *t, V p, V q, double around, double level) {
    double low = around, high = around + t->depth, fl = -t->depth, fh = too_much(s, t, p, q, high);
    double guess = most_of(level, around);
    int side = 0;
    guess -= too_much(s, t, p, q, guess); /* an end inside: the wood grows from one side */
    for (int k = 0; k < 80 && high - low > 1e-13; k++) {
        double m = k == 0 ? guess : fh > fl ? low - fl * (high - low) / (fh - fl) : (low + high) / 2;
        if (!(m > low && m < high) || k % 8 == 7) m = (low + high) / 2;
        double f = too_much(s, t, p, q, m);
        if (fabs(f) < 1e-12) return m;
        if (f > 0) { high = m; fh = f; if (side > 0) fl /= 2; side = 1; }
        else { low = m; fl = f; if (side < 0) fh /= 2; side = -1; }
    }
    return low;
}

/* The end of the stretch of growths that `level` lies in; the nearest stretch below it where it lies in none. */
double wood_growth(const Scene *s, const Thing *t, V p, V q, double level, double enough, int *how) {
    *how = UNTOUCHED;
    int is_long = norm(sub(q, p)) > t->depth; /* it cannot be better: no need to know by how much */
    if (is_long && enough > -NEVER && too_much(s, t, p, q, enough) > 0) return enough;
    double around = thing_gap(s, t, p, q), inside = inside_from(s, t, p, q), filled;
    if (level < around && inside > around) return around;
    if (!is_long) filled = NEVER;
    else if (around + t->depth <= enough) return enough;
    else filled = filled_at(s, t, p, q, around, level);
    if (inside > most_of(around, level) || filled < level)
        if (level < around || filled > level || inside > filled) return around;
    *how = filled >= NEVER ? SHORT : filled > around ? BY_DEPTH : UNTOUCHED;
    return most_of(filled, around);
}

static int is_within(double x) { return x > 1e-12 && x < 1 - 1e-12; }

/* How the growth changes at which a line has its full depth inside: each end of a stretch moves with line and rim. */
static void row_of_depth(const Scene *s, const Thing *t, V p, V q, double growth, Rows *rows) {
    double (*span)[2] = s->spans + 3 * (t->parts + t->outline + 1), rise = 0, g[4] = {0, 0, 0, 0};
    int n = spans_of(s, t, p, q, growth, span);
    V d = sub(q, p), w = scaled(d, 1 / norm(d));
    for (int i = 0; i < 2 * n; i++) {
        double share = span[i / 2][i % 2], way = i % 2 ? 1 : -1, turn = 0;
        V push = w; /* how the end of the stretch goes along the line when that point of the line moves */
        if (is_within(share)) {
            V out = outward(s, t, along(p, d, share));
            turn = dot(out, w);
            if (fabs(turn) < 1e-9) turn = way * 1e-9;
            push = along(w, out, -1 / turn);
            rise += way / turn;
        }
        g[0] += way * (1 - share) * push.x; g[1] += way * (1 - share) * push.y;
        g[2] += way * share * push.x; g[3] += way * share * push.y;
    }
    if (!(rise > 0) || rows->n == MAX_ROWS) return;
    rows->row[rows->n++] = (Row){growth, {-g[0] / rise, -g[1] / rise, -g[2] / rise, -g[3] / rise}, 0};
}

/* What must go on holding for a wood to let a line pass as it does: no more than the depth is inside (or no more than
 * that is all of the line), and an end stays inside. */
void rows_of_depth(const Scene *s, const Thing *t, V p, V q, double growth, double level, double now, Rows *rows, Rows *held) {
    int stop;
    double length = norm(sub(q, p));
    if (growth < NEVER) row_of_depth(s, t, p, q, growth, rows);
    else if (held->n < MAX_ROWS && length > 0) {
        V w = scaled(sub(q, p), 1 / length);
        held->row[held->n++] = (Row){t->depth - length, {w.x, w.y, -w.x, -w.y}, 0};
    }
    if (t->told >= 0) return;
    double gap = deeper_end(s, t, p, q, &stop), around = thing_gap(s, t, p, q), room = (now < level ? now : most_of(level, around)) - gap;
    int before = held->n;
    if (gap <= around + ROUNDING) return; /* what the wood meets first, as it grows, is that end */
    add_row(held, most_of(room, 0), stop ? 1 : 0, scaled(outward(s, t, stop ? q : p), -1));
    if (held->n > before && now < level) held->row[before].eases = 1; /* a wood that shrinks less holds its end longer */
}

/* Shorter than `most`, both ends staying where they may be: those on their rims slide along them. */
static void shorten(const Scene *s, double most, V *p, V *q) {
    for (int k = 0; k < MOST_SLIDES; k++) {
        V d = sub(*q, *p);
        double length = norm(d), excess = length - most + 1e-14 * length;
        if (length <= most) return;
        V to = scaled(d, excess / length), by_p = sub(into_end(&s->end[0], along(*p, to, 1)), *p), by_q = sub(into_end(&s->end[1], along(*q, to, -1)), *q);
        double shorter = dot(sub(by_p, by_q), d) / length;
        if (shorter < excess / STEEPEST) return;
        *p = into_end(&s->end[0], along(*p, by_p, excess / shorter));
        *q = into_end(&s->end[1], along(*q, by_q, excess / shorter));
    }
}

/* Back to where a wood lets the line pass as it did from `from`: a step along its conditions leaves them by a hair. */
void restore(const Scene *s, const Thing *t, Line from, double level, double gain, V *p, V *q) {
    int how, stop;
    double growth = wood_growth(s, t, from.p, from.q, level, -INFINITY, &how);
    if (how == UNTOUCHED) return;
    if (growth >= NEVER) shorten(s, t->depth, p, q);
    if (t->told >= 0) return;
    double bound = most_of(from.value < level ? from.value + 0.9 * gain : level, thing_gap(s, t, *p, *q));
    double gap = deeper_end(s, t, *p, *q, &stop);
    V *end = stop ? q : p;
    if (gap <= bound || gap > bound + 1) return;
    *end = into_end(&s->end[stop], along(*end, outward(s, t, *end), bound - gap - 1e-12));
}
