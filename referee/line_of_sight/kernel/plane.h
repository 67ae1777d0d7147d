/* Points, vectors and shares of lines in the plane, in millimetres. */
#ifndef PLANE_H
#define PLANE_H

#include <math.h>
#include <stddef.h>

#define TURN 6.283185307179586
#define ROUNDING 1e-9
#define NEVER 1e6

typedef struct { double x, y; } V;

static inline V sub(V a, V b) { return (V){a.x - b.x, a.y - b.y}; }
static inline V along(V a, V d, double t) { return (V){a.x + t * d.x, a.y + t * d.y}; }
static inline V scaled(V a, double t) { return (V){a.x * t, a.y * t}; }
static inline double dot(V a, V b) { return a.x * b.x + a.y * b.y; }
static inline double cross(V a, V b) { return a.x * b.y - a.y * b.x; }
static inline double norm(V a) { return sqrt(a.x * a.x + a.y * a.y); }
static inline double least_of(double a, double b) { return a < b ? a : b; }
static inline double most_of(double a, double b) { return a > b ? a : b; }
static inline double clip01(double t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

/* The share of p to q at which the segment comes nearest to c. */
static inline double foot_share(V c, V p, V q) {
    V d = sub(q, p);
    double l2 = dot(d, d);
    return l2 > 0 ? clip01(dot(sub(c, p), d) / l2) : 0;
}

static inline V foot_on(V c, V p, V q) { return along(p, sub(q, p), foot_share(c, p, q)); }
static inline double to_segment(V c, V p, V q) { return norm(sub(c, foot_on(c, p, q))); }

#endif
