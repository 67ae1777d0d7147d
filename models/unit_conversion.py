"""Unit conversion: the one place where inches and degrees become millimetres and radians."""

import math

MM_PER_INCH = 25.4


def inches(length_in: float) -> float:
    """Millimetres of a rulebook length in inches.

    >>> inches(2)
    50.8
    """
    return length_in * MM_PER_INCH


def radians(angle_deg: float) -> float:
    """Radians of a JSON angle, wrapped to (-pi, pi].

    >>> radians(270) == -math.pi / 2
    True
    """
    return wrap_rad(math.radians(angle_deg))


def degrees(angle_rad: float) -> float:
    """Degrees in [0, 360) of an angle in radians."""
    turned = math.degrees(angle_rad) % 360.0
    return 0.0 if turned >= 360.0 else turned


def wrap_rad(angle_rad: float) -> float:
    """The same direction in (-pi, pi]."""
    wrapped = math.remainder(angle_rad, math.tau)
    return math.pi if wrapped == -math.pi else wrapped
