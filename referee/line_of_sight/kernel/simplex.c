/* The step that raises the least of linear conditions the most: a small linear program. */
#include <string.h>

#include "scene.h"

#define COLUMNS 10 /* each way of four coordinates, the gain, and the right-hand side */
#define TIE 1e-10  /* what does not gain this much a millimetre is not worth a step */

static void pivot(double (*a)[COLUMNS], int rows, int row, int column) {
    double inverse = 1 / a[row][column];
    for (int k = 0; k < COLUMNS; k++) a[row][k] *= inverse;
    a[row][column] = inverse;
    for (int i = 0; i < rows; i++) {
        if (i == row || a[i][column] == 0) continue;
        double times = a[i][column];
        a[i][column] = 0;
        for (int k = 0; k < COLUMNS; k++) a[i][k] -= times * a[row][k];
    }
}

static int entering(const double *objective, int turn) {
    int best = -1;
    for (int k = 0; k < COLUMNS - 1; k++)
        if (objective[k] < -1e-13 && (best < 0 || (turn < 60 && objective[k] < objective[best]))) best = k;
    return best;
}

static int leaving(double (*a)[COLUMNS], int rows, int column) {
    int best = -1;
    for (int i = 0; i < rows; i++) {
        if (a[i][column] <= 1e-12) continue;
        if (best < 0 || a[i][COLUMNS - 1] * a[best][column] < a[best][COLUMNS - 1] * a[i][column]) best = i;
    }
    return best;
}

static void put(double *into, const double *g, double sign) {
    for (int k = 0; k < 4; k++) { into[2 * k] = sign * g[k]; into[2 * k + 1] = -sign * g[k]; }
}

/* How much is gained, by a step of at most `trust` in all (the sum of its parts), the `held` conditions holding on. */
double maximise_minimum(const Rows *rows, const Rows *held, double trust, double *step) {
    double a[2 * MAX_ROWS + 2][COLUMNS], low = INFINITY;
    int n = 0, basis[2 * MAX_ROWS + 2], free_column[COLUMNS];
    for (int i = 0; i < rows->n; i++) low = least_of(low, rows->row[i].f);
    for (int i = 0; i < rows->n; i++, n++) {
        put(a[n], rows->row[i].g, -1);
        a[n][8] = 1; a[n][9] = rows->row[i].f - low;
    }
    for (int i = 0; i < held->n; i++, n++) {
        put(a[n], held->row[i].g, -1);
        a[n][8] = -held->row[i].eases; a[n][9] = held->row[i].f;
    }
    for (int k = 0; k < 8; k++) a[n][k] = 1;
    a[n][8] = 0; a[n++][9] = trust;
    for (int k = 0; k < 8; k++) a[n][k] = TIE;
    a[n][8] = -1; a[n][9] = 0; /* the objective */
    for (int i = 0; i < n; i++) basis[i] = 100 + i;
    for (int k = 0; k < COLUMNS - 1; k++) free_column[k] = k;
    for (int turn = 0; turn < 200; turn++) {
        int column = entering(a[n], turn), row = column < 0 ? -1 : leaving(a, n, column), old;
        if (row < 0) break;
        pivot(a, n + 1, row, column);
        old = basis[row]; basis[row] = free_column[column]; free_column[column] = old;
    }
    double gain = 0, y[8] = {0};
    for (int i = 0; i < n; i++) {
        if (basis[i] < 8) y[basis[i]] = a[i][9];
        if (basis[i] == 8) gain = a[i][9];
    }
    for (int k = 0; k < 4; k++) step[k] = y[2 * k] - y[2 * k + 1];
    return gain;
}
