/* Blocks of rectangles of one size, by region growing, for `vision/ranked/lattice_search.py`. Of a side counts the whole
   of it, or both its ends, whichever is less. Lines go on as in a mirror beyond the picture; a side or an end whose
   middle lies out there is absent. */
#include "kernel.h"
#include <math.h>

/* Running sums along a line, each before its place, which lie `step` apart. */
typedef struct {
    const double *sums;
    long step;
    int count;
} Line;

typedef struct {
    int length, end;
    float absent;
} Reach;

/* The sum of the values before a place when the line, of two at least, is mirrored again and again at both ends. */
static double sum_before(const Line *line, int at) {
    int last = line->count - 1, period = 2 * last, turns = at / period - (at % period < 0), k = at - turns * period;
    const double *sums = line->sums;
    long step = line->step;
    double whole = sums[(last + 1) * step] + sums[last * step] - sums[step];
    if (k <= last + 1) return turns * whole + sums[k * step];
    return turns * whole + sums[(last + 1) * step] + sums[last * step] - sums[(period - k + 1) * step];
}

/* The mean of so many values about a place. */
static float mean_mirrored(const Line *line, int at, int count, float absent) {
    int last = line->count - 1, from = at - count / 2, to = at + count / 2;
    if (at < 0 || at > last) return absent;
    const double *sums = line->sums;
    long step = line->step;
    if (!last) return (float)sums[step];
    if (from < -last || to > 2 * last) return (float)((sum_before(line, to + 1) - sum_before(line, from)) / count);
    double sum = sums[((to < last ? to : last) + 1) * step] - sums[(from > 0 ? from : 0) * step];
    if (from < 0) sum += sums[(1 - from) * step] - sums[step];
    if (to > last) sum += sums[last * step] - sums[(2 * last - to) * step];
    return (float)(sum / count);
}

static inline float lesser(float whole, float one, float other) {
    float both = (one + other) / 2;
    return whole < both ? whole : both;
}

static float side_at(const Line *line, int at, const Reach *side) {
    int away = (side->length - side->end) / 2;
    if (at < 0 || at >= line->count) return side->absent;
    return lesser(mean_mirrored(line, at, side->length, side->absent),
                  mean_mirrored(line, at + away, side->end, side->absent),
                  mean_mirrored(line, at - away, side->end, side->absent));
}

/* Sides whose middles lie beside each other, `along` apart in the sums, with room before and behind. */
IN_WIDE_STEPS static void sides_beside(const double *sums, long along, long step, int at, const Reach *side, int count,
                                       float *sides) {
    int away = (side->length - side->end) / 2;
    long whole = (at - side->length / 2) * step, before = (at - away - side->end / 2) * step;
    long behind = (at + away - side->end / 2) * step, length = side->length * step, end = side->end * step;
    double of_whole = 1.0 / side->length, of_end = 1.0 / side->end;
    for (int k = 0; k < count; k++) {
        const double *here = sums + k * along;
        float one = (float)((here[behind + end] - here[behind]) * of_end);
        float other = (float)((here[before + end] - here[before]) * of_end);
        sides[k] = lesser((float)((here[whole + length] - here[whole]) * of_whole), one, other);
    }
}

/* One side at each of the places (x, y) to (x + count, y); `up`: it runs along the columns. */
static void row_of_sides(const double *sums, int rows, int columns, int is_up, const Reach *side, int x, int y,
                         int count, float *sides) {
    int half = side->length / 2, begin = 0, end = 0;
    if (y >= 0 && y < rows) {
        int least = is_up ? 0 : half, most = is_up ? columns : columns - half;
        int has_room = !is_up || (y >= half && y < rows - half);
        begin = clamp(least - x, 0, count);
        end = has_room ? clamp(most - x, begin, count) : begin;
    }
    for (int k = 0; k < count; k++) {
        if (k == begin && end > begin) {
            if (is_up) sides_beside(sums + x + k, 1, columns, y, side, end - begin, sides + k);
            else sides_beside(sums + (long)y * (columns + 1), 1, 1, x + k, side, end - begin, sides + k);
            k = end;
            if (k == count) break;
        }
        int is_in = is_up ? x + k >= 0 && x + k < columns : y >= 0 && y < rows;
        Line line = is_up ? (Line){sums + x + k, columns, rows} : (Line){sums + (long)y * (columns + 1), 1, columns};
        sides[k] = is_in ? side_at(&line, is_up ? y : x + k, side) : side->absent;
    }
}

/* The lines of a picture, as running sums along themselves, and what is looked for in them. */
typedef struct {
    const double *up, *across; /* (rows + 1, columns), (rows, columns + 1) */
    int rows, columns;
    const LatticeSettings *growth;
    Reach upright, level;
} Field;

/* Left, right, top and bottom sides, each (wide), about the places from (x, y) on. */
static void sides_of(const Field *f, int x, int y, int wide, float *sides) {
    for (int side = 0; side < 4; side++) {
        int sign = side % 2 ? 1 : -1;
        if (side < 2)
            row_of_sides(f->up, f->rows, f->columns, 1, &f->upright, x + sign * f->growth->half_x, y, wide,
                         sides + side * wide);
        else
            row_of_sides(f->across, f->rows, f->columns, 0, &f->level, x, y + sign * f->growth->half_y, wide,
                         sides + side * wide);
    }
}

/* Whole rims (tall, wide) about the places from (left, top) on; `row` (4, wide) is written over. */
static void rims_of(const Field *f, int left, int top, int wide, int tall, float *row, float *rim) {
    float share = (float)f->growth->tall_share, other = (float)(0.5 - f->growth->tall_share);
    for (int y = 0; y < tall; y++) {
        sides_of(f, left, top + y, wide, row);
        for (int x = 0; x < wide; x++)
            rim[(long)y * wide + x] =
                share * (row[x] + row[wide + x]) + other * (row[2 * wide + x] + row[3 * wide + x]);
    }
}

static const int STEPS[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static int has_cell(const LatticeBlock *g, int column, int row) {
    for (int k = 0; k < g->count; k++)
        if (g->cells[k].column == column && g->cells[k].row == row) return 1;
    return 0;
}

/* Whether the sides that no neighbour accounts for are there. */
static int is_bounded(const Field *f, const LatticeBlock *g, const BlockCell *cell) {
    float sides[4];
    double least = INFINITY, sum = 0;
    int count = 0;
    sides_of(f, cell->x, cell->y, 1, sides);
    for (int side = 0; side < 4; side++) {
        if (has_cell(g, cell->column + STEPS[side][0], cell->row + STEPS[side][1])) continue;
        least = sides[side] < least ? sides[side] : least;
        sum += sides[side];
        count++;
    }
    return !count || (least > f->growth->least_free_side && sum > f->growth->least_free * count);
}

/* Whether a neighbour stands where a step leads; fills in where. `row` and `near` are written over. */
static int find_neighbour(const Field *f, const LatticeBlock *g, const BlockCell *from, const int *step, float *row,
                          float *near, BlockCell *to) {
    const LatticeSettings *s = f->growth;
    int slack = s->slack, side = 2 * slack + 1, best = 0;
    int x = round_half_even(from->x + step[0] * s->pitch_x), y = round_half_even(from->y + step[1] * s->pitch_y);
    if (x < slack || x >= f->columns - slack || y < slack || y >= f->rows - slack) return 0;
    rims_of(f, x - slack, y - slack, side, side, row, near);
    for (int k = 1; k < side * side; k++) best = near[k] > near[best] ? k : best;
    if (near[best] <= (float)s->neighbour) return 0;
    to->x = x - slack + best % side;
    to->y = y - slack + best / side;
    return !s->is_bounded_at_once || is_bounded(f, g, to);
}

static void grow(const Field *f, int x, int y, float *row, float *near, LatticeBlock *g) {
    g->cells[0] = (BlockCell){0, 0, x, y};
    g->count = 1;
    for (int next = 0; next < g->count && g->count < f->growth->most_cells; next++)
        for (int k = 0; k < 4; k++) {
            BlockCell to = {g->cells[next].column + STEPS[k][0], g->cells[next].row + STEPS[k][1], 0, 0};
            if (has_cell(g, to.column, to.row) || !find_neighbour(f, g, g->cells + next, STEPS[k], row, near, &to))
                continue;
            g->cells[g->count++] = to;
        }
}

/* Leaves out those at the edge whose free sides are not there, until nobody is left out. */
static void prune(const Field *f, LatticeBlock *g) {
    int was, is_out[MOST_CELLS];
    do {
        was = g->count;
        for (int k = 0; k < was; k++) is_out[k] = !is_bounded(f, g, g->cells + k);
        g->count = 0;
        for (int k = 0; k < was; k++)
            if (!is_out[k]) g->cells[g->count++] = g->cells[k];
    } while (g->count < was);
}

/* By how many mm of line the block is worth believing; whether it is. */
static int measure_worth(const Field *f, LatticeBlock *g) {
    enum { AROUND, BESIDE, BEHIND, KINDS };
    const LatticeSettings *s = f->growth;
    double lengths[2] = {s->tall_mm, s->wide_mm}, clean[KINDS] = {0}, whole[KINDS] = {1e-9, 1e-9, 1e-9};
    double least[KINDS] = {s->least_around, s->between, s->between};
    for (int k = 0; k < g->count; k++) {
        float sides[4];
        sides_of(f, g->cells[k].x, g->cells[k].y, 1, sides);
        for (int side = 0; side < 4; side++) {
            int is_shared = has_cell(g, g->cells[k].column + STEPS[side][0], g->cells[k].row + STEPS[side][1]);
            if (g->count == 1 && sides[side] < s->least_side) return 0;
            int kind = !is_shared ? AROUND : side < 2 ? BESIDE : BEHIND;
            clean[kind] += sides[side] * lengths[side / 2] * (is_shared ? 0.5 : 1.0);
            whole[kind] += lengths[side / 2] * (is_shared ? 0.5 : 1.0);
        }
    }
    g->worth_mm = clean[AROUND] + clean[BESIDE] + clean[BEHIND] - s->cell_cost_mm * g->count;
    for (int kind = 0; kind < KINDS; kind++)
        if (whole[kind] > 1 && clean[kind] < least[kind] * whole[kind]) return 0;
    return g->count && g->worth_mm >= s->worth_mm;
}

/* Where it is the cleanest it is begun anew; not again so near to a block. */
static void suppress_seeds(const Field *f, const LatticeBlock *g, int x0, int y0, int wide, int tall, float *middle) {
    int reach = f->growth->reach;
    for (int k = 0; k < g->count; k++) {
        int x = g->cells[k].x - x0, y = g->cells[k].y - y0;
        for (int row = clamp(y - reach, 0, tall); row < clamp(y + reach + 1, 0, tall); row++)
            for (int column = clamp(x - reach, 0, wide); column < clamp(x + reach + 1, 0, wide); column++)
                middle[(long)row * wide + column] = -1;
    }
}

/* Where the first of the greatest is. */
IN_WIDE_STEPS static long first_of_greatest(const float *values, long count) {
    float most[LANES], greatest;
    long at = 0;
    for (int lane = 0; lane < LANES; lane++) most[lane] = values[0];
    for (long k = 0; k + LANES <= count; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            most[lane] = values[k + lane] > most[lane] ? values[k + lane] : most[lane];
    greatest = most[0];
    for (int lane = 1; lane < LANES; lane++) greatest = most[lane] > greatest ? most[lane] : greatest;
    for (long k = count - count % LANES; k < count; k++) greatest = values[k] > greatest ? values[k] : greatest;
    while (at < count - 1 && values[at] != greatest) at++;
    return at;
}

/* The blocks that begin about the middle, so far from the ends of the picture; `found` holds as many as are begun. How
   many are believed; less than 0 where there was no memory for it. */
int search_blocks(const double *up, const double *across, int rows, int columns, const LatticeSettings *growth, int x0,
                  int y0, LatticeBlock *found) {
    Field f = {up,
               across,
               rows,
               columns,
               growth,
               {growth->tall, growth->tall_end, (float)growth->absent},
               {growth->wide, growth->wide_end, (float)growth->absent}};
    int wide = columns - 2 * x0, tall = rows - 2 * y0, side = 2 * growth->slack + 1, count = 0;
    int widest = wide > side ? wide : side;
    float *middle = malloc(((long)wide * tall + 4 * widest + side * side) * sizeof *middle);
    if (!middle) return -1;
    float *row = middle + (long)wide * tall, *near = row + 4 * widest;
    rims_of(&f, x0, y0, wide, tall, row, middle);
    for (int seed = 0; seed < growth->seeds; seed++) {
        long best = first_of_greatest(middle, (long)wide * tall);
        if (middle[best] < (float)growth->seed) break;
        grow(&f, (int)(best % wide) + x0, (int)(best / wide) + y0, row, near, found + count);
        prune(&f, found + count);
        suppress_seeds(&f, found + count, x0, y0, wide, tall, middle);
        count += measure_worth(&f, found + count);
    }
    free(middle);
    return count;
}
