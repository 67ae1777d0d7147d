"""Plane geometry on points written as complex numbers."""

import math


def dot(a: complex, b: complex) -> float:
    return a.real * b.real + a.imag * b.imag


def cross(a: complex, b: complex) -> float:
    return a.real * b.imag - a.imag * b.real


def foot_share(c: complex, p: complex, q: complex) -> float:
    """The share of p to q at which the segment comes nearest to c."""
    d = q - p
    length2 = dot(d, d)
    return min(1.0, max(0.0, dot(c - p, d) / length2)) if length2 > 0 else 0.0


def foot_on(c: complex, p: complex, q: complex) -> complex:
    return p + foot_share(c, p, q) * (q - p)


def depth_at(outline: tuple[complex, ...], x: complex) -> float:
    """How deep a point lies inside an outline; negative outside."""
    near, inside = math.inf, False
    for i, b in enumerate(outline):
        a = outline[i - 1]
        near = min(near, abs(x - foot_on(x, a, b)))
        if (a.imag > x.imag) != (b.imag > x.imag):
            inside ^= x.real < (b.real - a.real) * (x.imag - a.imag) / (b.imag - a.imag) + a.real
    return near if inside else -near
