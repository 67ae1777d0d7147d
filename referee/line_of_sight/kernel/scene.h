/* What the kernel works on, and which file answers what about it. */
#ifndef SCENE_H
#define SCENE_H

#include "plane.h"

/* An arc about a centre (radius over zero) or a straight piece of a rim, which runs anticlockwise. */
typedef struct { V start, way; double length; V centre; double radius; } Piece;

/* An end: a disc, or a convex polygon already cut; discs may be cut by a line. */
typedef struct {
    int is_disc, cut, corners, pieces;
    V centre; double radius; V normal; double offset;
    const V *corner;
    const Piece *piece;
    double reach;
} End;

enum { SOLID, WOOD, LENGTH, SPARE };

/* Numbers for LENGTH are the least length inside, for SPARE the height over a solid. */
typedef struct {
    int kind, first_part, parts, first_outline, outline;
    double from, to;       /* the stretch of the line that it can close; for SPARE the heights of both tops */
    double depth, told;    /* of a wood: what may be crossed, and whether an end counts as inside (-1: by point) */
    V centre; double reach; /* a circle that holds it */
} Thing;

typedef struct {
    End end[2];
    int things, actives, woody, heights, spare;
    Thing *thing;
    const int *part_start; /* first point of each part, one more at the end */
    const V *point, *outline;
    V *inward;             /* of the side that begins at each point */
    const double *part_radius;
    double (*spans)[2], (*holes)[2]; /* room for the spans of one thing */
    int *active;           /* the things taken into account so far */
    double level;          /* the growth from which the next flip is sought */
    double floor;          /* no lane is looked for that is no wider */
} Scene;

typedef struct { double value; V p, q; } Line;

/* One condition as it changes when both ends move: f + g . (dp, dq), and with what is gained where `eases` is 1. */
typedef struct { double f, g[4], eases; } Row;

#define MAX_ROWS 192
typedef struct { int n; Row row[MAX_ROWS]; } Rows;

/* endpoints.c */
V into_end(const End *e, V p);
int chord(const End *e, V normal, double offset, double *first, double *last);
int rows_of_end(const End *e, V p, int which, double window, Rows *rows);
int end_span(const End *e, V p, V q, double slack, double *first, double *last);

/* rim_intersections.c */
V rim_at(const Piece *piece, double s);
V rim_outward(const Piece *piece, V at);
V rim_way(const Piece *piece, V at);
double passed_mm(const Piece *piece, V at);
int crossings(const Piece *a, const Piece *b, V *out);

/* obstacle_clearance.c */
double thing_gap(const Scene *s, const Thing *t, V p, V q);
double gap_above(const Scene *s, const Thing *t, V p, V q, double enough);
int comes_into(const Scene *s, const Thing *t, V p, V q, double growth);
double depth_at(const V *outline, int n, V x);
int is_nested(const Thing *t);
double point_gap(const Scene *s, const Thing *t, V x);
V outward(const Scene *s, const Thing *t, V x);
void rows_of_gap(const Scene *s, const Thing *t, V p, V q, double window, Rows *rows);
void add_row(Rows *rows, double f, double share, V n);

/* segment_intervals.c */
int disc_span(V p, V q, V c, double r, double *first, double *last);
int core_span(const Scene *s, int part, V p, V q, double slack, double *first, double *last);
int spans_of(const Scene *s, const Thing *t, V p, V q, double growth, double (*into)[2]);
int common_spans(const Scene *s, const Thing *t, const V *p, const V *q, double growth, double (*into)[2]);
double share_inside(const Scene *s, const Thing *t, V p, V q, double growth);

/* forests.c */
enum { UNTOUCHED, BY_DEPTH, SHORT }; /* how a wood lets a line pass */
double wood_growth(const Scene *s, const Thing *t, V p, V q, double level, double enough, int *how);
void rows_of_depth(const Scene *s, const Thing *t, V p, V q, double growth, double level, double now, Rows *rows, Rows *held);
void restore(const Scene *s, const Thing *t, Line from, double level, double gain, V *p, V *q);

/* growth_slack.c */
double slack_of(const Scene *s, const Thing *t, V p, V q, double level, double enough);
double least(Scene *s, V p, V q, double enough, double *level);
void rows_of(const Scene *s, Line line, double level, double window, Rows *rows, Rows *held);

/* critical_lines.c, local_search.c, blocked_proof.c, simplex.c */
int propose(Scene *s, double growth, Line *best);
Line trimmed(Scene *s, Line line);
void ascend_locally(Scene *s, Line *line);
void ascend_all_round(Scene *s, Line *best);
int exclude(Scene *s, double low, double high, Line *best, int *all);
double maximise_minimum(const Rows *rows, const Rows *held, double trust, double *step);

#endif
