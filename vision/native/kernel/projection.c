/* Where points of the table appear: `calibration/camera_model/projection.py`, `distortion.py` and `fisheye.py` for one
   point at a time. */
#include "kernel.h"
#include <math.h>

/* On the plane of focal length one, and the slopes there (x by x, x by y, y by x, y by y), after the lens bent the
   ray. */
static void distort(const double *c, double x, double y, double *bent, double *slopes) {
    double r2 = x * x + y * y;
    double above = 1 + r2 * (c[0] + r2 * (c[1] + r2 * c[4])), below = 1 + r2 * (c[5] + r2 * (c[6] + r2 * c[7]));
    double above_slope = c[0] + r2 * (2 * c[1] + r2 * 3 * c[4]), below_slope = c[5] + r2 * (2 * c[6] + r2 * 3 * c[7]);
    double radial = above / below, slope = (above_slope * below - above * below_slope) / (below * below);
    double cross = 2 * x * y * slope + 2 * c[2] * x + 2 * c[3] * y;
    double prism_x = c[8] + 2 * c[9] * r2, prism_y = c[10] + 2 * c[11] * r2;
    bent[0] = x * radial + 2 * c[2] * x * y + c[3] * (r2 + 2 * x * x) + c[8] * r2 + c[9] * r2 * r2;
    bent[1] = y * radial + c[2] * (r2 + 2 * y * y) + 2 * c[3] * x * y + c[10] * r2 + c[11] * r2 * r2;
    slopes[0] = radial + 2 * x * x * slope + 2 * c[2] * y + 6 * c[3] * x + 2 * x * prism_x;
    slopes[1] = cross + 2 * y * prism_x;
    slopes[2] = cross + 2 * x * prism_y;
    slopes[3] = radial + 2 * y * y * slope + 6 * c[2] * y + 2 * c[3] * x + 2 * y * prism_y;
}

static void project_pinhole(const View *view, const double *seen, const double *way, double *bent, double *along) {
    double ahead = seen[2] > 0 ? seen[2] : NAN, x = seen[0] / ahead, y = seen[1] / ahead, slopes[4];
    distort(view->dist, x, y, bent, slopes);
    double across_x = (way[0] - x * way[2]) / ahead, across_y = (way[1] - y * way[2]) / ahead;
    along[0] = slopes[0] * across_x + slopes[1] * across_y;
    along[1] = slopes[2] * across_x + slopes[3] * across_y;
}

static void project_fisheye(const View *view, const double *seen, const double *way, double *bent, double *along) {
    double away = fmax(hypot(seen[0], seen[1]), 1e-12), angle = atan2(away, seen[2]);
    double squared = seen[0] * seen[0] + seen[1] * seen[1] + seen[2] * seen[2], power = 1, sum = 1, slope = 1;
    for (int i = 0; i < view->terms; i++) {
        power *= angle * angle;
        sum += view->dist[i] * power;
        slope += (2 * i + 3) * view->dist[i] * power;
    }
    double across = angle * sum / away, further = slope / squared, unit[2] = {seen[0] / away, seen[1] / away};
    double outward = unit[0] * way[0] + unit[1] * way[1];
    for (int i = 0; i < 2; i++) {
        bent[i] = unit[i] * angle * sum;
        along[i] =
            across * way[i] + (further * seen[2] - across) * unit[i] * outward - further * away * unit[i] * way[2];
    }
}

void project_point(const View *view, const double *point_mm, double along_x, double along_y, double *at_px,
                   double *along_px) {
    double seen[3], way[3], bent[2], along[2];
    for (int i = 0; i < 3; i++) {
        const double *row = view->rotation + 3 * i;
        seen[i] = row[0] * point_mm[0] + row[1] * point_mm[1] + row[2] * point_mm[2] + view->shift_mm[i];
        way[i] = row[0] * along_x + row[1] * along_y;
    }
    (view->is_fisheye ? project_fisheye : project_pinhole)(view, seen, way, bent, along);
    for (int i = 0; i < 2; i++) {
        at_px[i] = bent[i] * view->focal_px[i] + view->middle_px[i];
        along_px[i] = along[i] * view->focal_px[i];
    }
}
