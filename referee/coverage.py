"""Covered areas: templates over bases, how deep they lie over them and how much of each they cover."""

import math

from models.words import Point
from referee.areas import depth_of_base, polygon_of
from referee.gaps import area_gap
from referee.shapes import Area, Rounded, disc


def covered_mm(template: Area, base: Rounded) -> float:
    """How deep a template lies over a base: positive when some part is covered, zero when they touch."""
    return -area_gap(template, Area((base,))).mm


def spray(narrow: Point, heading_rad: float, length_mm: float, widths_mm: tuple[float, float]) -> Area:
    """A straight spray: a trapezoid from its narrow end, as wide as told at either end."""
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    near, far = widths_mm[0] / 2, widths_mm[1] / 2
    corners = ((0.0, -near), (length_mm, -far), (length_mm, far), (0.0, near))
    outline = tuple((narrow[0] + c * u - s * v, narrow[1] + s * u + c * v) for u, v in corners)
    return Area((Rounded(outline),), outline)


def teardrop(tip: Point, heading_rad: float, length_mm: float, width_mm: float) -> Area:
    """A flame: a disc at the far end and all between it and the tip, as long and as wide as told."""
    radius = width_mm / 2
    apart = length_mm - radius
    c, s = math.cos(heading_rad), math.sin(heading_rad)
    end = (tip[0] + c * apart, tip[1] + s * apart)
    if apart <= radius:
        return Area((disc(end, radius),))
    swing = math.acos(radius / apart)  # from the way back to the tip, to where the sides touch the disc
    sides = [heading_rad + math.pi + turn for turn in (swing, -swing)]
    touching = tuple((end[0] + radius * math.cos(a), end[1] + radius * math.sin(a)) for a in sides)
    return Area((Rounded((tip, *touching)), disc(end, radius)))


def wholly_covered_mm(template: Area, base: Rounded) -> float:
    """By how much the whole base lies under a template; negative when some part of it sticks out."""
    return depth_of_base(base, (template,))


def covered_share(template: Area, base: Rounded) -> float:
    """The share of a base, by area, that lies under a template."""
    if base.is_disc() and template.is_convex() and template.parts[0].is_disc():
        return disc_share(template.parts[0], base)
    whole = polygon_of(Area((base,)))
    return float(whole.intersection(polygon_of(template)).area / whole.area)


def disc_share(a: Rounded, b: Rounded) -> float:
    """The share of disc b, by area, that disc a covers."""
    d, r, s = math.dist(a.centre, b.centre), a.radius_mm, b.radius_mm
    if d >= r + s:
        return 0.0
    if d <= abs(r - s):
        return min(1.0, (r / s) ** 2)
    u = (d * d + r * r - s * s) / (2 * d)
    v = d - u
    lens = r * r * math.acos(u / r) - u * math.sqrt(max(0.0, r * r - u * u))
    lens += s * s * math.acos(v / s) - v * math.sqrt(max(0.0, s * s - v * v))
    return lens / (math.pi * s * s)
