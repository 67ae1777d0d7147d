/* The widest lane between two ends. referee/line_of_sight/widest_lane.py says why.
 *
 * No state, no I/O, no allocation that outlives a call. Lengths are millimetres. */
#include <stdlib.h>

#include "scene.h"

#define STEP 4e-10   /* how much wider a lane must be to be looked for again */
#define FINE 1e-6    /* the same where climbing from such a lane leads no further */
#define STRIDE 8     /* and then by so many times more or less */
#define HAIR 0.03    /* the same where critical lines are not all and cells of lines are closed instead */
#define FAR 8.0
#define MORE 3       /* how many more things are taken into account at a time */
#define ENOUGH 2000.0 /* no answer tells margins this large apart */
#define MOST_ROUNDS 400

static void take(Scene *s, int k) {
    const Thing *t = s->thing + k;
    s->active[s->actives++] = k;
    s->woody |= t->kind == WOOD;
    s->heights |= t->kind == SOLID && (t->from > 0 || t->to < 1);
}

/* Take into account what comes nearer to the line than the margin; whether there was any. */
static int take_nearer(Scene *s, const Line *line, double *slack, char *taken) {
    int added = 0;
    for (int i = 0; i < s->things; i++) slack[i] = taken[i] ? INFINITY : slack_of(s, s->thing + i, line->p, line->q, s->level, -INFINITY);
    while (added < MORE) {
        int nearest = -1;
        for (int i = 0; i < s->things; i++)
            if (!taken[i] && slack[i] < line->value - STEP / 10 && (nearest < 0 || slack[i] < slack[nearest])) nearest = i;
        if (nearest < 0) break;
        taken[nearest] = 1;
        take(s, nearest);
        added++;
    }
    return added;
}

/* Whether what closes whole lines leaves none that is wider, even if nothing else stood there. */
static int is_held_flat(Scene *s, double value) {
    int actives = s->actives, woody = s->woody, heights = s->heights, flat[actives], all[actives], n = 0;
    for (int i = 0; i < actives; i++) {
        const Thing *t = s->thing + (all[i] = s->active[i]);
        if (t->kind == SOLID && t->from <= 0 && t->to >= 1) flat[n++] = all[i];
    }
    Line more = {value + STEP / 2, s->end[0].centre, s->end[1].centre};
    for (int i = 0; i < n; i++) s->active[i] = flat[i];
    s->actives = n; s->woody = s->heights = 0;
    int held = n && propose(s, value + STEP, &more) && !(more.value > value + STEP / 2);
    for (int i = 0; i < actives; i++) s->active[i] = all[i];
    s->actives = actives; s->woody = woody; s->heights = heights;
    return held;
}

/* A line wider by a step than this one, and than what is asked for. */
static int wider(Scene *s, Line *line, double step) {
    double value = most_of(line->value, s->floor);
    Line more = {value + step / 2, line->p, line->q}; /* a line that is critical at a growth just has it */
    if (value >= 0) s->level = value + step;
    int all = propose(s, value + step, &more) && !s->woody && !s->heights;
    int found = more.value > value + step / 2, done = 1;
    if (!found && step <= FINE && !all && !is_held_flat(s, value)) {
        more = (Line){value, line->p, line->q};
        /* what is far better, among few cells */
        for (double by = value > line->value ? HAIR : FAR; !found && done && by >= HAIR; by /= 4) {
            double low = value + by, high = s->woody && value < 0 ? most_of(low, 0) : low;
            s->level = value >= 0 ? low : 0;
            found = exclude(s, low, high, &more, &done);
        }
    }
    if (found) *line = more;
    return found;
}

static Line widest(Scene *s, double *slack, char *taken, int *rounds) {
    Line line = {INFINITY, into_end(&s->end[0], s->end[1].centre), into_end(&s->end[1], s->end[0].centre)};
    double step = STEP, failed = INFINITY;
    for (; *rounds < MOST_ROUNDS; (*rounds)++) {
        double before = line.value;
        if (take_nearer(s, &line, slack, taken)) { s->level = 0; step = STEP; failed = before = INFINITY; }
        else if (!s->actives || line.value >= ENOUGH) break;
        else if (!wider(s, &line, step)) {
            if (step <= FINE) break;
            failed = step; step = most_of(step / STRIDE, FINE); s->level = most_of(line.value, 0);
            continue;
        }
        ascend_locally(s, &line);
        if (!s->woody && !s->heights) line = trimmed(s, line);
        if (line.value >= before + 2 * step) { step = STEP; failed = INFINITY; }
        else if (line.value >= before && step * STRIDE < failed) step = most_of(step * STRIDE, FINE);
    }
    if (s->actives) s->level = least_of(line.value, most_of(0, line.value));
    return line;
}

/* The best line by a measure of its own, climbed from the best critical line and from all round: a length, or height
 * to spare. */
static Line best_by(Scene *s) {
    Line line = {-INFINITY, into_end(&s->end[0], s->end[1].centre), into_end(&s->end[1], s->end[0].centre)};
    for (int i = 0; i < s->things; i++) take(s, i);
    s->heights = 1; /* the far rims count as well */
    Line plain = line;
    propose(s, 0, &line);
    ascend_locally(s, &plain);
    if (plain.value > line.value) line = plain;
    if (line.value > -INFINITY) ascend_locally(s, &line);
    ascend_all_round(s, &line);
    return line;
}

static int let_in(Scene *s, const int *is_wood, double margin) {
    int more = 0; /* woods that grow to hold an end before the lane closes */
    for (int i = 0; i < s->things; i++) {
        Thing *t = s->thing + i;
        if (is_wood[i] != WOOD || t->kind == WOOD) continue;
        for (int e = 0; e < 2; e++)
            if (point_gap(s, t, s->end[e].centre) - s->end[e].reach <= margin + 1) { t->kind = WOOD; more = 1; }
    }
    return more;
}

static void measure(Scene *s, Thing *t) {
    int n = 0;
    V low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int part = t->first_part; part < t->first_part + t->parts; part++)
        for (int i = s->part_start[part], last = s->part_start[part + 1]; i < last; i++, n++) {
            V a = s->point[i], side = sub(s->point[i + 1 < last ? i + 1 : s->part_start[part]], a);
            double l = norm(side), r = s->part_radius[part];
            s->inward[i] = l > 0 ? (V){-side.y / l, side.x / l} : (V){0, 0};
            low = (V){least_of(low.x, a.x - r), least_of(low.y, a.y - r)};
            high = (V){most_of(high.x, a.x + r), most_of(high.y, a.y + r)};
        }
    t->centre = scaled((V){low.x + high.x, low.y + high.y}, 0.5);
    t->reach = norm(sub(high, low)) / 2;
    if (n == 1) t->reach = s->part_radius[t->first_part];
}

static void read_ends(Scene *s, const double *ends, const int *counts, const double *corners, const double *pieces) {
    for (int e = 0, corner = 0, piece = 0; e < 2; e++) {
        const double *d = ends + 8 * e;
        End *end = &s->end[e];
        end->is_disc = d[0] != 0; end->centre = (V){d[1], d[2]}; end->radius = end->reach = d[3];
        end->cut = d[4] != 0; end->normal = (V){d[5], d[6]}; end->offset = d[7];
        end->corners = counts[2 * e]; end->pieces = counts[2 * e + 1];
        end->corner = (const V *)corners + corner; end->piece = (const Piece *)pieces + piece;
        corner += end->corners; piece += end->pieces;
        for (int i = 0; !end->is_disc && i < end->corners; i++)
            end->reach = most_of(end->reach, norm(sub(end->corner[i], end->centre)));
    }
}

static void answer(Scene *s, const int *is_wood, double *slack, char *taken, double *result) {
    int rounds = 0;
    Line line;
    do {
        s->actives = s->woody = s->heights = 0; s->level = 0;
        for (int i = 0; i < s->things; i++) taken[i] = 0;
        line = s->things && (is_wood[0] == SPARE || is_wood[0] == LENGTH) ? best_by(s) : widest(s, slack, taken, &rounds);
    } while (!s->spare && let_in(s, is_wood, most_of(line.value, s->floor)));
    result[0] = line.value; result[1] = line.p.x; result[2] = line.p.y; result[3] = line.q.x; result[4] = line.q.y;
    result[5] = rounds;
    for (int i = 0; i < s->things; i++)
        result[6 + i] = slack_of(s, s->thing + i, line.p, line.q, least_of(s->level, line.value), -INFINITY);
}

/* ends: 8 each (is_disc, centre, radius, cut, normal, offset). Result: margin, p, q, rounds; then the slack of each thing.
 * No lane is looked for that is no wider than the floor: where there is none, any is told. */
int widest_lane(
    const double *ends, const int *end_counts, const double *end_corners, const double *end_pieces,
    int parts, const int *part_start, const double *points, const double *part_radius,
    int things, const int *thing_part, const double *share, const int *is_wood, const double *wood,
    const int *outline_start, const double *outline, double floor, double *result)
{
    int points_n = part_start[parts], spans = parts + outline_start[things] + 2;
    Scene s = {.things = things, .part_start = part_start, .point = (const V *)points, .part_radius = part_radius,
               .outline = (const V *)outline, .floor = floor, .spare = things > 0 && is_wood[0] == SPARE};
    read_ends(&s, ends, end_counts, end_corners, end_pieces);
    s.thing = malloc((things + 1) * sizeof *s.thing);
    s.inward = malloc((points_n + 1) * sizeof *s.inward);
    s.spans = malloc(6 * spans * sizeof *s.spans);
    s.holes = malloc(spans * sizeof *s.holes);
    s.active = malloc((things + 1) * sizeof *s.active);
    double *slack = malloc((things + 1) * sizeof *slack);
    char *taken = malloc(things + 1);
    int ok = s.thing && s.inward && s.spans && s.holes && s.active && slack && taken;
    for (int i = 0; ok && i < things; i++) {
        Thing *t = s.thing + i;
        *t = (Thing){is_wood[i], thing_part[i], thing_part[i + 1] - thing_part[i], outline_start[i],
                     outline_start[i + 1] - outline_start[i], share[2 * i], share[2 * i + 1], wood[2 * i], wood[2 * i + 1], {0, 0}, 0};
        measure(&s, t);
        int far = 1;
        for (int e = 0; e < 2; e++) far &= point_gap(&s, t, s.end[e].centre) - s.end[e].reach > 0;
        if (t->kind == WOOD && far && t->told <= 0) t->kind = SOLID; /* no end can come into it */
    }
    if (ok) answer(&s, is_wood, slack, taken, result);
    free(s.thing); free(s.inward); free(s.spans); free(s.holes); free(s.active); free(slack); free(taken);
    return ok ? 0 : 1;
}
