/* Software rasteriser: triangles into a depth buffer, then deferred shading with textures, lamps and soft shadows.
 *
 * Pictures are row-major. `q` grows toward the viewer and is linear on the screen: 1 / depth in perspective, minus the
 * depth where rays are parallel. Vertices hold x, y, z, the normal and u, v; faces three vertices and a material.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { VERTEX = 8, FACE = 4, MATERIAL = 8, LAMP = 24 };
/* Material: texture (-1: none), blue, green, red, gloss, shininess, is flat, grain.
 * Lamp: x, y, z, blue, green, red, shadow radius px, is sky, then the map's 3 x 4 matrix, width, height, offset. */

static void project(const float *matrix, int is_parallel, const float *vertices, int count, float *screen) {
  for (int k = 0; k < count; k++) {
    const float *v = vertices + (size_t)VERTEX * k;
    float row[3];
    for (int i = 0; i < 3; i++)
      row[i] = matrix[4 * i] * v[0] + matrix[4 * i + 1] * v[1] + matrix[4 * i + 2] * v[2] + matrix[4 * i + 3];
    float q = is_parallel ? -row[2] : 1.0f / row[2];
    screen[3 * k] = is_parallel ? row[0] : row[0] * q;
    screen[3 * k + 1] = is_parallel ? row[1] : row[1] * q;
    screen[3 * k + 2] = q;
  }
}

void rasterize(const float *matrix, int is_parallel, const float *vertices, int vertex_count, const int32_t *faces,
               int face_count, int width, int height, float *screen, float *depth, int32_t *drawn) {
  project(matrix, is_parallel, vertices, vertex_count, screen);
  for (size_t k = 0; k < (size_t)width * height; k++) {
    depth[k] = -1e30f;
    if (drawn) drawn[k] = -1;
  }
  for (int f = 0; f < face_count; f++) {
    const float *a = screen + 3 * faces[FACE * f], *b = screen + 3 * faces[FACE * f + 1],
                *c = screen + 3 * faces[FACE * f + 2];
    float area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (fabsf(area) < 1e-9f) continue;
    int x0 = (int)ceilf(fmaxf(0, fminf(a[0], fminf(b[0], c[0]))));
    int x1 = (int)floorf(fminf(width - 1, fmaxf(a[0], fmaxf(b[0], c[0]))));
    int y0 = (int)ceilf(fmaxf(0, fminf(a[1], fminf(b[1], c[1]))));
    int y1 = (int)floorf(fminf(height - 1, fmaxf(a[1], fmaxf(b[1], c[1]))));
    float over = 1.0f / area;
    float bx = (c[1] - a[1]) * over, by = -(c[0] - a[0]) * over; /* how b's share grows with x and y */
    float cx = -(b[1] - a[1]) * over, cy = (b[0] - a[0]) * over;
    for (int y = y0; y <= y1; y++) {
      float sb = bx * (x0 - a[0]) + by * (y - a[1]), sc = cx * (x0 - a[0]) + cy * (y - a[1]);
      float *row = depth + (size_t)y * width;
      for (int x = x0; x <= x1; x++, sb += bx, sc += cx) {
        if (sb < -1e-6f || sc < -1e-6f || sb + sc > 1.000001f) continue;
        float q = a[2] + sb * (b[2] - a[2]) + sc * (c[2] - a[2]);
        if (q > row[x]) {
          row[x] = q;
          if (drawn) drawn[(size_t)y * width + x] = f;
        }
      }
    }
  }
}

static uint32_t hash(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

static void sample(const uint8_t *pool, const int32_t *texture, float u, float v, float *colour) {
  int w = texture[0], h = texture[1];
  const uint8_t *texels = pool + texture[2];
  float x = (u - floorf(u)) * w - 0.5f, y = (v - floorf(v)) * h - 0.5f;
  int x0 = (int)floorf(x), y0 = (int)floorf(y);
  float fx = x - x0, fy = y - y0;
  int x1 = x0 + 1 == w ? 0 : x0 + 1, y1 = y0 + 1 == h ? 0 : y0 + 1;
  if (x0 < 0) x0 = w - 1;
  if (y0 < 0) y0 = h - 1;
  const uint8_t *p = texels + 3 * ((size_t)y0 * w + x0), *q = texels + 3 * ((size_t)y0 * w + x1);
  const uint8_t *r = texels + 3 * ((size_t)y1 * w + x0), *s = texels + 3 * ((size_t)y1 * w + x1);
  for (int k = 0; k < 3; k++) {
    float t = (p[k] * (1 - fx) + q[k] * fx) * (1 - fy) + (r[k] * (1 - fx) + s[k] * fx) * fy;
    colour[k] = t * t * (1.0f / 65025.0f); /* about linear light */
  }
}

enum { TAPS = 6 };
static const float SPIRAL[8][2] = {{0.35f, 0.1f}, {-0.4f, 0.3f}, {0.1f, -0.6f}, {0.75f, 0.25f},
                                   {-0.2f, 0.8f}, {-0.8f, -0.2f}, {0.45f, -0.8f}, {-0.55f, -0.75f}};

static float reached(const float *lamp, const float *maps, const float *at, float bias, uint32_t seed) {
  const float *m = lamp + 8;
  int w = (int)lamp[20], h = (int)lamp[21];
  const float *map = maps + (size_t)lamp[22];
  float x = m[0] * at[0] + m[1] * at[1] + m[2] * at[2] + m[3], y = m[4] * at[0] + m[5] * at[1] + m[6] * at[2] + m[7];
  float q = -(m[8] * at[0] + m[9] * at[1] + m[10] * at[2] + m[11]) + bias;
  float angle = (hash(seed) & 0xffff) * (6.2831853f / 65536), c = cosf(angle) * lamp[6], s = sinf(angle) * lamp[6];
  int lit = 0;
  for (int k = 0; k < TAPS; k++) {
    int px = (int)(x + c * SPIRAL[k][0] - s * SPIRAL[k][1] + 0.5f), py = (int)(y + s * SPIRAL[k][0] + c * SPIRAL[k][1] + 0.5f);
    lit += px < 0 || py < 0 || px >= w || py >= h || map[(size_t)py * w + px] <= q;
  }
  return lit * (1.0f / TAPS);
}

static void unit(float *v) {
  float over = 1.0f / sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + 1e-20f);
  v[0] *= over, v[1] *= over, v[2] *= over;
}

void shade(const float *eye, const float *vertices, const int32_t *faces, const float *screen, const int32_t *drawn,
           int width, int height, const float *materials, const uint8_t *pool, const int32_t *textures,
           const float *lamps, int lamp_count, const float *maps, const float *ambient, float *colours) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t place = (size_t)y * width + x;
      float *out = colours + 3 * place;
      int f = drawn[place];
      out[0] = out[1] = out[2] = 0.02f;
      if (f < 0) continue;
      const int32_t *face = faces + FACE * f;
      const float *a = screen + 3 * face[0], *b = screen + 3 * face[1], *c = screen + 3 * face[2];
      float over = 1.0f / ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
      float sb = ((c[1] - a[1]) * (x - a[0]) - (c[0] - a[0]) * (y - a[1])) * over;
      float sc = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * over;
      float wa = (1 - sb - sc) * a[2], wb = sb * b[2], wc = sc * c[2], sum = 1.0f / (wa + wb + wc);
      wa *= sum, wb *= sum, wc *= sum;
      const float *va = vertices + (size_t)VERTEX * face[0], *vb = vertices + (size_t)VERTEX * face[1],
                  *vc = vertices + (size_t)VERTEX * face[2];
      float v[VERTEX];
      for (int k = 0; k < VERTEX; k++) v[k] = wa * va[k] + wb * vb[k] + wc * vc[k];
      const float *material = materials + MATERIAL * face[3];
      float n[3] = {v[3], v[4], v[5]}, view[3] = {eye[0] - v[0], eye[1] - v[1], eye[2] - v[2]};
      if (material[6] > 0) {
        float e[3], g[3];
        for (int k = 0; k < 3; k++) e[k] = vb[k] - va[k], g[k] = vc[k] - va[k];
        n[0] = e[1] * g[2] - e[2] * g[1], n[1] = e[2] * g[0] - e[0] * g[2], n[2] = e[0] * g[1] - e[1] * g[0];
      }
      unit(n), unit(view);
      if (n[0] * view[0] + n[1] * view[1] + n[2] * view[2] < 0) n[0] = -n[0], n[1] = -n[1], n[2] = -n[2];
      float albedo[3] = {1, 1, 1};
      if (material[0] >= 0) sample(pool, textures + 3 * (int)material[0], v[6], v[7], albedo);
      float grain = 1.0f;
      if (material[7] > 0) {
        uint32_t cell = hash((uint32_t)(int)floorf(v[0] * 2.2f) * 73856093u ^ (uint32_t)(int)floorf(v[1] * 2.2f) * 19349663u ^
                             (uint32_t)(int)floorf(v[2] * 2.2f) * 83492791u);
        grain += material[7] * ((cell & 0xffff) * (2.0f / 65536) - 1);
      }
      float light[3] = {0, 0, 0}, shine = 0;
      for (int k = 0; k < lamp_count; k++) {
        const float *lamp = lamps + LAMP * k;
        float to[3] = {lamp[0] - v[0], lamp[1] - v[1], lamp[2] - v[2]};
        unit(to);
        float falls = n[0] * to[0] + n[1] * to[1] + n[2] * to[2];
        if (lamp[7] > 0) falls = 0.45f + 0.55f * falls; /* a sky, not a lamp */
        if (falls <= 0) continue;
        float share = falls * reached(lamp, maps, v, lamp[7] > 0 ? 2.0f : 0.5f + 0.9f * (1 - fmaxf(0, falls)),
                                      (uint32_t)place * 9781u + k * 6271u);
        for (int i = 0; i < 3; i++) light[i] += lamp[3 + i] * share;
        if (material[4] > 0 && lamp[7] <= 0) {
          float half[3] = {to[0] + view[0], to[1] + view[1], to[2] + view[2]};
          unit(half);
          float mirror = n[0] * half[0] + n[1] * half[1] + n[2] * half[2];
          if (mirror > 0) shine += material[4] * lamp[4] * share * powf(mirror, material[5]);
        }
      }
      for (int k = 0; k < 3; k++) out[k] = albedo[k] * material[1 + k] * grain * (ambient[k] + light[k]) + shine;
    }
}
