/* From a line to the best one near it: linear programs propose steps, the gaps themselves accept them. */
#include "scene.h"

#define MOST_STEPS 80
#define FINEST 1e-9
#define NO_GAIN 1e-12

/* The shortest segment on the line of this one: nothing comes nearer to it. */
Line trimmed(Scene *s, Line line) {
    V d = sub(line.q, line.p);
    double l = norm(d), a0, a1, b0, b1;
    if (l < ROUNDING) return line;
    V way = scaled(d, 1 / l), normal = {-way.y, way.x};
    double offset = dot(line.p, normal);
    if (!chord(&s->end[0], normal, offset, &a0, &a1) || !chord(&s->end[1], normal, offset, &b0, &b1)) return line;
    double leave = a1, enter = b0;
    if (least_of(a1, b1) > most_of(a0, b0)) leave = enter = (least_of(a1, b1) + most_of(a0, b0)) / 2;
    V foot = scaled(normal, offset), p = into_end(&s->end[0], along(foot, way, leave)), q = into_end(&s->end[1], along(foot, way, enter));
    double value = least(s, p, q, -INFINITY, NULL);
    return value >= line.value ? (Line){value, p, q} : line;
}

static double turned(const Scene *s) { return 0.25 * (s->end[0].reach + s->end[1].reach); }

void ascend_locally(Scene *s, Line *line) {
    Rows rows, held;
    double level, trust = most_of(1, turned(s)), step[4];
    line->value = least(s, line->p, line->q, -INFINITY, &level);
    for (int k = 0, fresh = 1; k < MOST_STEPS && trust > FINEST; k++) {
        if (fresh) rows_of(s, *line, level, 2 * trust + 1e-9, &rows, &held);
        double gain = maximise_minimum(&rows, &held, trust, step);
        if (!(gain > NO_GAIN)) break;
        V p = into_end(&s->end[0], (V){line->p.x + step[0], line->p.y + step[1]});
        V q = into_end(&s->end[1], (V){line->q.x + step[2], line->q.y + step[3]});
        for (int i = 0; s->woody && i < s->actives; i++)
            if (s->thing[s->active[i]].kind == WOOD) restore(s, s->thing + s->active[i], *line, level, gain, &p, &q);
        double at, value = least(s, p, q, -INFINITY, &at);
        fresh = value > line->value;
        double share = (value - line->value) / gain;
        if (fresh) { *line = (Line){value, p, q}; level = at; }
        if (share > 0.75) trust *= 2;
        else if (share < 0.25) trust = least_of(trust, fabs(step[0]) + fabs(step[1]) + fabs(step[2]) + fabs(step[3])) / 4;
    }
}
