/* Whether any line at all is open at a growth: whole cells of lines are closed at once, or one of them is found open.
 * tests/referee/oracles/blocked_proof.py gives the argument. */
#include <stdlib.h>

#include "scene.h"

#define MOST_CELLS 2000
#define MANY_SIDES 200 /* with more, fewer cells */
#define MOST_STARTS 8
#define MOST_CORNERS 120
#define APART 8.0
#define SPREAD 3
#define ROUND 24
#define MOST_MARKS 48
#define MOST_CHOICES 16
#define DUST 1e-12

/* Lines from s +- half_s on one piece of rim to t +- half_t on the other, at growths between two. */
typedef struct { int i, j; double s, t, half_s, half_t, low, high; } Cell;

/* What one thing closes on the middle line of a cell. */
typedef struct { double from, to, depth, told; int is_wood, n, m; double (*span)[2], (*in)[2]; } Closed;

typedef struct { double a, b, c; } Mark; /* a * leave + b * enter = c */

/* From where to where a line may leave the one end and enter the other, and where that begins to matter. */
typedef struct { double last_leave, first_enter; int leaves, enters, marks; double leave[MOST_MARKS], enter[MOST_MARKS]; Mark mark[MOST_MARKS]; } Choice;

static void may_leave(Choice *c, double x) { if (x > 0 && x < c->last_leave && c->leaves < MOST_MARKS) c->leave[c->leaves++] = x; }
static void may_enter(Choice *c, double x) { if (x < 1 && x > c->first_enter && c->enters < MOST_MARKS) c->enter[c->enters++] = x; }
static void may_mark(Choice *c, double a, double b, double x) { if (c->marks < MOST_MARKS) c->mark[c->marks++] = (Mark){a, b, x}; }

static int lies_in(double x, double (*span)[2], int n) {
    for (int i = 0; i < n; i++) if (x >= span[i][0] - DUST && x <= span[i][1] + DUST) return 1;
    return 0;
}

static int lets_pass(const Closed *c, double leave, double enter) {
    double from = leave + c->from * (enter - leave), to = leave + c->to * (enter - leave), inside = 0;
    for (int i = 0; i < c->n; i++)
        if (c->span[i][1] > from + DUST && c->span[i][0] < to - DUST) {
            if (!c->is_wood) return 0;
            inside += least_of(c->span[i][1], to) - most_of(c->span[i][0], from);
        }
    if (inside <= 0) return 1;
    if (inside > c->depth + DUST) return 0;
    return c->told >= 0 ? c->told > 0 : lies_in(leave, c->in, c->m) || lies_in(enter, c->in, c->m);
}

static int all_pass(const Closed *c, int n, double leave, double enter, const Choice *k) {
    if (leave > enter + DUST || leave > k->last_leave + DUST || enter < k->first_enter - DUST || leave < -DUST || enter > 1 + DUST) return 0;
    for (int i = 0; i < n; i++) if (!lets_pass(c + i, leave, enter)) return 0;
    return 1;
}

static void mark_solid(const Closed *c, Choice *k) {
    for (int i = 0; i < c->n; i++) {
        if (c->from > 0) may_mark(k, 1 - c->from, c->from, c->span[i][1]); else may_leave(k, c->span[i][1]);
        if (c->to < 1) may_mark(k, 1 - c->to, c->to, c->span[i][0]); else may_enter(k, c->span[i][0]);
    }
}

static void mark_wood(const Closed *c, Choice *k) {
    for (int i = 0; i < c->n; i++) {
        double before = 0;
        for (int e = 0; e < 2; e++) { may_leave(k, c->span[i][e]); may_enter(k, c->span[i][e]); }
        for (int j = i; j < c->n; j++) { /* the full depth between stretch i and stretch j */
            may_enter(k, c->depth - before + c->span[j][0]);
            may_mark(k, -1, 1, c->depth - before + c->span[j][0] - c->span[i][0]);
            before += c->span[j][1] - c->span[j][0];
            may_leave(k, c->span[i][1] - (c->depth - (before - (c->span[i][1] - c->span[i][0]))));
        }
    }
    for (int i = 0; i < c->m; i++)
        for (int e = 0; e < 2; e++) { may_leave(k, c->in[i][e]); may_enter(k, c->in[i][e]); }
}

/* Places at which a line may leave and enter so that all let it pass. */
typedef struct { int n, most; double leave[MOST_CHOICES], enter[MOST_CHOICES]; } Passes;

/* Whether as many as are wanted are known now. */
static int pass(const Closed *c, int n, const Choice *k, double leave, double enter, Passes *found) {
    if (!all_pass(c, n, leave, enter, k)) return 0;
    found->leave[found->n] = leave; found->enter[found->n++] = enter;
    return found->n == found->most;
}

static int pass_on_mark(const Closed *c, int n, const Choice *k, Mark m, Passes *found) {
    for (int i = 0; i < k->leaves; i++)
        if (fabs(m.b) > DUST && pass(c, n, k, k->leave[i], (m.c - m.a * k->leave[i]) / m.b, found)) return 1;
    for (int i = 0; i < k->enters; i++)
        if (fabs(m.a) > DUST && pass(c, n, k, (m.c - m.b * k->enter[i]) / m.a, k->enter[i], found)) return 1;
    for (int i = 0; i < k->marks; i++) {
        Mark o = k->mark[i];
        double det = m.a * o.b - m.b * o.a;
        if (fabs(det) > DUST && pass(c, n, k, (m.c * o.b - m.b * o.c) / det, (m.a * o.c - m.c * o.a) / det, found)) return 1;
    }
    return 0;
}

/* Where a line may leave and enter so that all let it pass: if it may anywhere, some corner of what is allowed tells. */
static void all_passes(const Closed *c, int n, Choice *k, Passes *found) {
    k->leave[0] = k->last_leave; k->enter[0] = k->first_enter; k->leaves = k->enters = 1; k->marks = found->n = 0;
    if (k->last_leave > 0) k->leave[k->leaves++] = 0;
    if (k->first_enter < 1) k->enter[k->enters++] = 1;
    for (int i = 0; i < n; i++) if (c[i].is_wood) mark_wood(c + i, k); else mark_solid(c + i, k);
    for (int i = 0; i < k->leaves; i++)
        for (int j = 0; j < k->enters; j++)
            if (pass(c, n, k, k->leave[i], k->enter[j], found)) return;
    for (int i = 0; i < k->marks; i++) if (pass_on_mark(c, n, k, k->mark[i], found)) return;
}

static int always_closed(const Closed *c, const Choice *k) {
    for (int i = 0; i < c->n; i++) /* it bars all that lies between both ends */
        if (!c->is_wood && c->from <= 0 && c->to >= 1 && c->span[i][1] > k->last_leave + DUST && c->span[i][0] < k->first_enter - DUST) return 1;
    return 0;
}

/* How far, at most, a line of the cell lies from the middle line beside a circle: each end moves by half the cell. */
static double off_beside(const Cell *cell, V p, V q, V centre, double reach) {
    V d = sub(q, p);
    double l2 = dot(d, d), most = most_of(cell->half_s, cell->half_t);
    if (l2 <= 0) return most;
    double at = dot(sub(centre, p), d) / l2, wide = (reach + most) / sqrt(l2), a = clip01(at - wide), b = clip01(at + wide);
    return most_of(cell->half_s + a * (cell->half_t - cell->half_s), cell->half_s + b * (cell->half_t - cell->half_s));
}

/* The ends of both stretches of rim, and how far the stretches bulge from straight. */
typedef struct { V p[2], q[2]; double bulge; } Rims;

static double bulge_of(const Piece *piece, double half) {
    if (piece->radius <= 0) return 0;
    return half < 1.5 * piece->radius ? piece->radius * (1 - cos(half / piece->radius)) : INFINITY;
}

static Rims rims_of(const Scene *s, const Cell *c) {
    const Piece *a = s->end[0].piece + c->i, *b = s->end[1].piece + c->j;
    double bulge = most_of(bulge_of(a, c->half_s), bulge_of(b, c->half_t));
    if (bulge == INFINITY) return (Rims){.bulge = bulge};
    return (Rims){{rim_at(a, c->s - c->half_s), rim_at(a, c->s + c->half_s)}, {rim_at(b, c->t - c->half_t), rim_at(b, c->t + c->half_t)}, bulge + ROUNDING};
}

/* What a thing closes at the least, on any line of the cell. */
static void look(const Scene *s, const Thing *t, V p, V q, const Cell *cell, const Rims *rims, double (*room)[2], Closed *c) {
    double off = off_beside(cell, p, q, t->centre, t->reach + most_of(cell->high, 0));
    double length = norm(sub(q, p)) - cell->half_s - cell->half_t;
    c->is_wood = t->kind == WOOD;
    c->from = c->is_wood ? 0 : t->from; c->to = c->is_wood ? 1 : t->to; c->told = t->told;
    c->span = room; c->in = room + 3 * (t->parts + t->outline + 1); c->m = c->n = 0;
    if (to_segment(t->centre, p, q) >= t->reach + cell->low - off + ROUNDING) return;
    int alone = t->outline == 0 || t->parts == 1 || cell->low - rims->bulge >= 0; /* pieces of one outline shrink together */
    if (rims->bulge < off && alone) c->n = common_spans(s, t, rims->p, rims->q, cell->low - rims->bulge, c->span);
    else c->n = spans_of(s, t, p, q, cell->low - off, c->span);
    if (!c->is_wood || !c->n) return;
    c->depth = length > 0 ? t->depth / length : INFINITY;
    if (c->told < 0) c->m = spans_of(s, t, p, q, cell->high + off + 2 * ROUNDING, c->in);
}

/* Whether every line of a cell is one that leaves an end backwards: the same line from its far rim is in another cell. */
static int runs_backward(const Scene *s, const Cell *cell, V p, V q) {
    const Piece *a = s->end[0].piece + cell->i, *b = s->end[1].piece + cell->j;
    V d = sub(q, p);
    double l = norm(d), turn = (cell->half_s + cell->half_t) / l;
    if (turn > 0.5) return 0;
    if (a->length > 0 && dot(rim_outward(a, p), d) / l > turn + (a->radius > 0 ? cell->half_s / a->radius : 0)) return 1;
    return b->length > 0 && -dot(rim_outward(b, q), d) / l > turn + (b->radius > 0 ? cell->half_t / b->radius : 0);
}

/* Where lines of the cell may begin and stop and be open: nowhere if every one of them is closed. */
static int open_at(const Scene *s, const Cell *cell, V p, V q, double (*room)[2], Closed *closed, Passes *found) {
    double none, slack[2];
    Choice k;
    found->n = 0;
    if (runs_backward(s, cell, p, q)) return 0;
    for (int e = 0; e < 2; e++) slack[e] = off_beside(cell, p, q, s->end[e].centre, s->end[e].reach) + ROUNDING;
    if (!end_span(&s->end[0], p, q, slack[0], &none, &k.last_leave)) k.last_leave = 0;
    if (!end_span(&s->end[1], p, q, slack[1], &k.first_enter, &none)) k.first_enter = 1;
    Rims rims = rims_of(s, cell);
    int n = 0;
    for (int i = 0; i < 2 * s->actives; i++) { /* the quick ones first */
        const Thing *t = s->thing + s->active[i % s->actives];
        if ((t->kind == WOOD) != (i >= s->actives)) continue;
        look(s, t, p, q, cell, &rims, room, closed + n);
        if (!closed[n].n) continue;
        if (always_closed(closed + n, &k)) return 0;
        room += 6 * (t->parts + t->outline + 1); n++;
    }
    all_passes(closed, n, &k, found);
    return found->n;
}

/* A patch of an end: a stretch of angles and of distances from its centre. */
typedef struct { double angle, half, near, far; } Patch;

static void corners_of(const End *e, Patch k, V *corner) {
    double out = k.far / cos(k.half);
    for (int i = 0; i < 4; i++) {
        double angle = k.angle + (i & 1 ? k.half : -k.half), far = i & 2 ? out : k.near;
        corner[i] = (V){e->centre.x + far * cos(angle), e->centre.y + far * sin(angle)};
    }
}

/* The most that any point of a patch keeps clear of what closes the first (or the last) of a line. A gap to something
 * convex is convex: it is nowhere larger than at a corner. */
static double most_room(const Scene *s, int e, const V *corner, double enough) {
    double most = INFINITY;
    for (int i = 0; i < s->actives && most > enough; i++) {
        const Thing *t = s->thing + s->active[i];
        double room = -INFINITY;
        if (t->kind != SOLID || (e ? t->to < 1 : t->from > 0) || t->parts > 1) continue;
        for (int k = 0; k < 4; k++) room = most_of(room, point_gap(s, t, corner[k]));
        most = least_of(most, room);
    }
    return most;
}

/* Whether no point of a round end keeps clear, by `growth`, of everything that closes the first (or last) of a line. */
static int is_shut_in(const Scene *s, int e, double growth) {
    Patch stack[128];
    V corner[4];
    const End *end = &s->end[e];
    int n = 0;
    for (; end->is_disc && n < 8; n++) stack[n] = (Patch){(n + 0.5) * TURN / 8, TURN / 16, 0, end->radius};
    if (!n) return 0;
    for (int looked = 0; n > 0; looked++) {
        Patch k = stack[--n];
        corners_of(end, k, corner);
        int out = end->cut;
        for (int i = 0; i < 4; i++) out &= dot(corner[i], end->normal) < end->offset;
        if (out || most_room(s, e, corner, growth) <= growth) continue;
        if (looked > 400 || n > 120) return 0;
        stack[n] = stack[n + 1] = k;
        if (k.far * k.half * 2 > k.far - k.near) {
            stack[n].angle -= k.half / 2; stack[n + 1].angle += k.half / 2;
            stack[n].half = stack[n + 1].half = k.half / 2;
        } else stack[n].far = stack[n + 1].near = (k.near + k.far) / 2;
        n += 2;
    }
    return 1;
}

static int halves(Cell c, Cell *into) {
    into[0] = into[1] = c;
    if (c.high - c.low > 2 * most_of(c.half_s, c.half_t)) into[0].high = into[1].low = (c.low + c.high) / 2;
    else if (c.half_s >= c.half_t) { into[0].s -= c.half_s / 2; into[1].s += c.half_s / 2; into[0].half_s = into[1].half_s = c.half_s / 2; }
    else { into[0].t -= c.half_t / 2; into[1].t += c.half_t / 2; into[0].half_t = into[1].half_t = c.half_t / 2; }
    return 2;
}

static int all_cells(const Scene *s, double low, double high, Cell *cell) {
    int n = 0;
    for (int i = 0; i < s->end[0].pieces; i++)
        for (int j = 0; j < s->end[1].pieces; j++) {
            double a = s->end[0].piece[i].length / 2, b = s->end[1].piece[j].length / 2;
            cell[n++] = (Cell){i, j, a, b, a, b, low, high};
        }
    return n;
}

/* The lines worth a climb: the best of what could not be closed in time. */
typedef struct { int n; Line line[MOST_STARTS]; } Starts;

static void keep(Starts *starts, Line line) {
    int worst = 0;
    for (int i = 0; i < starts->n; i++) {
        Line *other = starts->line + i;
        if (norm(sub(other->p, line.p)) + norm(sub(other->q, line.q)) < APART) {
            if (line.value > other->value) *other = line;
            return;
        }
        if (other->value < starts->line[worst].value) worst = i;
    }
    if (starts->n < MOST_STARTS) starts->line[starts->n++] = line;
    else if (line.value > starts->line[worst].value) starts->line[worst] = line;
}

static Line between(Scene *s, V p, V q, double leave, double enter, double enough) {
    V d = sub(q, p), from = into_end(&s->end[0], along(p, d, leave)), to = into_end(&s->end[1], along(p, d, enter));
    return (Line){least(s, from, to, enough, NULL), from, to};
}

static V spread(const End *e, double share, double turns) {
    double far = share * e->reach, angle = turns * TURN;
    return into_end(e, (V){e->centre.x + far * cos(angle), e->centre.y + far * sin(angle)});
}

/* A line better than `best` by climbing from all over the first end to all over the second. */
static int ascend_across(Scene *s, Line *best) {
    for (int i = 0; i < SPREAD * SPREAD; i++) {
        V at[2];
        for (int e = 0, k = i % SPREAD; e < 2; e++, k = i / SPREAD) at[e] = spread(&s->end[e], k ? 0.7 : 0, k / (SPREAD - 1.0));
        Line line = {0, at[0], at[1]};
        ascend_locally(s, &line);
        if (line.value > best->value + ROUNDING) { *best = line; return 1; }
    }
    return 0;
}

/* The best line by climbing from the best of those from rim to rim that lie apart. */
void ascend_all_round(Scene *s, Line *best) {
    Starts starts = {.n = 0};
    V at[2][ROUND];
    for (int e = 0; e < 2; e++) for (int i = 0; i < ROUND; i++) at[e][i] = spread(&s->end[e], 1, i / (double)ROUND);
    for (int i = 0; i < ROUND * ROUND; i++) {
        V p = at[0][i % ROUND], q = at[1][i / ROUND];
        keep(&starts, (Line){least(s, p, q, -INFINITY, NULL), p, q});
    }
    for (int i = 0; i < starts.n; i++) {
        ascend_locally(s, starts.line + i);
        if (starts.line[i].value > best->value + ROUNDING) *best = starts.line[i];
    }
}

static int ascend_from(Scene *s, const Cell *cell, int n, double (*room)[2], Closed *closed, Line *best) {
    Starts starts = {.n = 0};
    Passes open = {.most = MOST_CHOICES};
    for (int i = 0; i < s->actives; i++) /* every step among so many corners takes long: what was found must do */
        if (is_nested(s->thing + s->active[i]) && s->thing[s->active[i]].outline > MOST_CORNERS) return 0;
    for (int i = 0; i < n; i++) {
        V p = rim_at(s->end[0].piece + cell[i].i, cell[i].s), q = rim_at(s->end[1].piece + cell[i].j, cell[i].t);
        open_at(s, cell + i, p, q, room, closed, &open);
        for (int k = 0; k < open.n; k++) keep(&starts, between(s, p, q, open.leave[k], open.enter[k], -INFINITY));
    }
    for (int i = 0; i < starts.n; i++) {
        ascend_locally(s, starts.line + i);
        if (starts.line[i].value > best->value + ROUNDING) { *best = starts.line[i]; return 1; }
    }
    return !s->woody && ascend_across(s, best);
}

/* Large cells first. What is left when there are too many lies about the best lines: those are climbed from. */
static int search(Scene *s, int most, Cell *cell, int n, double (*room)[2], Closed *closed, Line *best, int *all) {
    Passes open = {.most = 1};
    for (int k = 0; k < n; k++) {
        if (n + 2 > most) {
            *all = 0;
            return ascend_from(s, cell + k, n - k, room, closed, best);
        }
        Cell c = cell[k];
        V p = rim_at(s->end[0].piece + c.i, c.s), q = rim_at(s->end[1].piece + c.j, c.t);
        if (!open_at(s, &c, p, q, room, closed, &open)) continue;
        Line line = between(s, p, q, open.leave[0], open.enter[0], best->value);
        if (line.value > best->value + ROUNDING) { *best = line; return 1; }
        n += halves(c, cell + n);
    }
    return 0;
}

/* A line better than `best` if one is open at any growth from low to high; `all`: whether all cells were judged. */
int exclude(Scene *s, double low, double high, Line *best, int *all) {
    int sides = 0, pieces = s->end[0].pieces * s->end[1].pieces, found = 0;
    for (int i = 0; i < s->actives; i++) sides += s->thing[s->active[i]].parts + s->thing[s->active[i]].outline + 1;
    Cell *cell = malloc((pieces + MOST_CELLS) * sizeof *cell);
    double (*room)[2] = malloc((6 * sides + 6) * sizeof *room);
    Closed *closed = malloc((s->actives + 1) * sizeof *closed);
    if (cell && room && closed && !is_shut_in(s, 0, low) && !is_shut_in(s, 1, low))
        found = search(s, sides > MANY_SIDES ? MOST_CELLS * MANY_SIDES / sides : MOST_CELLS, cell, all_cells(s, low, high, cell), room, closed, best, all);
    free(cell); free(room); free(closed);
    return found;
}
