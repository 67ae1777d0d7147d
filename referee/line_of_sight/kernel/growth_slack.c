/* By how much each thing may grow before it closes a line. */
#include "scene.h"

/* By how much a line from top to top passes over a solid; NEVER where it does not cross it. */
static double over(const Scene *s, const Thing *t, V p, V q) {
    double first = INFINITY, last = -INFINITY, f, l;
    for (int part = t->first_part; part < t->first_part + t->parts; part++) {
        const V *c = s->point + s->part_start[part];
        int n = s->part_start[part + 1] - s->part_start[part];
        if (n == 1 ? disc_span(p, q, c[0], s->part_radius[part], &f, &l) : core_span(s, part, p, q, 0, &f, &l)) {
            first = least_of(first, f); last = most_of(last, l);
        }
    }
    return first < last ? t->from + (t->to > t->from ? first : last) * (t->to - t->from) - t->depth : NEVER;
}

double slack_of(const Scene *s, const Thing *t, V p, V q, double level, double enough) {
    int how;
    if (t->kind == SPARE) return over(s, t, p, q);
    if (t->kind == LENGTH) return -norm(sub(q, p)) * share_inside(s, t, p, q, 0);
    if (t->kind == WOOD) return wood_growth(s, t, p, q, level, enough, &how);
    V d = sub(q, p);
    return gap_above(s, t, t->from > 0 ? along(p, d, t->from) : p, t->to < 1 ? along(p, d, t->to) : q, enough);
}

/* Nothing nearer than this can be found out about a solid. */
static double at_least(const Thing *t, V p, V q) {
    return t->kind == SOLID || t->kind == WOOD ? to_segment(t->centre, p, q) - t->reach : -INFINITY;
}

static double least_at(Scene *s, V p, V q, double enough, double level) {
    double best = INFINITY;
    for (int wood = 0; wood <= s->woody; wood++) /* the quick ones first */
        for (int i = 0; i < s->actives; i++) {
            int k = s->active[i];
            const Thing *t = s->thing + k;
            if ((t->kind == WOOD) != wood || (!wood && at_least(t, p, q) >= best)) continue;
            best = least_of(best, slack_of(s, t, p, q, level, enough));
            if (best > enough) continue;
            for (; i > 0; i--) s->active[i] = s->active[i - 1]; /* what closed one line is asked first about the next */
            s->active[0] = k;
            return best;
        }
    return s->spare && best >= NEVER / 2 ? -INFINITY : best;
}

/* The least slack, or anything at most `enough` as soon as it is known to be no better. A line that is closed at the
 * level is as good as the nearest growth below at which all let it pass; `level` is where that was found. */
double least(Scene *s, V p, V q, double enough, double *at) {
    double level = s->level, best = least_at(s, p, q, enough, level);
    for (int k = 0; s->woody && k < 8 && best < level && best > enough; k++) {
        double lower = least_at(s, p, q, enough, best);
        if (lower >= best) break;
        level = best; best = lower;
    }
    if (at) *at = level;
    return best;
}

static void measured_row(const Scene *s, const Thing *t, V p, V q, double f, Rows *rows) {
    double h = 1e-6;
    if (rows->n == MAX_ROWS) return;
    Row *r = rows->row + rows->n++;
    r->f = f; r->eases = 0;
    for (int k = 0; k < 4; k++) {
        V step = k % 2 ? (V){0, h} : (V){h, 0};
        V up = k < 2 ? along(p, step, 1) : p, down = k < 2 ? along(p, step, -1) : p;
        V up_q = k < 2 ? q : along(q, step, 1), down_q = k < 2 ? q : along(q, step, -1);
        r->g[k] = (slack_of(s, t, up, up_q, 0, -INFINITY) - slack_of(s, t, down, down_q, 0, -INFINITY)) / (2 * h);
    }
}

/* The conditions that are no farther than `window` from deciding, and those that must go on holding. */
void rows_of(const Scene *s, Line line, double level, double window, Rows *rows, Rows *held) {
    V p = line.p, q = line.q;
    rows->n = held->n = 0;
    for (int i = 0; i < s->actives; i++) {
        const Thing *t = s->thing + s->active[i];
        int how = UNTOUCHED;
        double value = t->kind == WOOD ? wood_growth(s, t, p, q, level, -INFINITY, &how) : 0;
        if (how != UNTOUCHED) rows_of_depth(s, t, p, q, value, level, line.value, rows, held);
        else if (t->kind == SOLID || t->kind == WOOD) rows_of_gap(s, t, p, q, window, rows);
        else if (t->kind == LENGTH || t->kind == SPARE) measured_row(s, t, p, q, slack_of(s, t, p, q, 0, -INFINITY), rows);
    }
    rows_of_end(&s->end[0], p, 0, 2 * window, held);
    rows_of_end(&s->end[1], q, 1, 2 * window, held);
}
