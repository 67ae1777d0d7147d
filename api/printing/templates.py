"""Templates to lay on the table, discs, sprays and the flame; rings to lay around a base, for its front-arc marks."""

from shapely import Point, Polygon, unary_union

from api.printing.pen import BOLD_MM, FINE_MM, HAIR_MM, Drawing, Pen
from models.unit_conversion import inches

_RING_MM = 14.0
_TICK_MM = 6.0
_DOT_MM = 1.0
_LABEL_MM = 2.4
_FRONT_DEG = 90.0  # the miniature looks up the page
_MARGIN_MM = 1.0
_ROUNDNESS = 64  # corners a quarter of a circle: off by 0.01 mm at most

SPRAYS_IN = (6.0, 8.0, 10.0)
# Source: Warhammer 9 prints no outline, only the length; this one is the hull of a disc at either end (AMB-22).
_FLAME_IN, _TIP_RADIUS_IN, _HEAD_RADIUS_IN = 8.0, 0.25, 1.25


def disc(diameter_in: float) -> Drawing:
    radius = inches(diameter_in) / 2
    size = 2 * (radius + _MARGIN_MM)
    at = (size / 2, size / 2)
    says = f"{diameter_in:g} inch template: {2 * radius:g} mm across"

    def draw(pen: Pen) -> None:
        pen.circle(at, radius_mm=radius, width_mm=HAIR_MM)
        pen.line((at[0] - 5, at[1]), (at[0] + 5, at[1]), width_mm=HAIR_MM)
        pen.line((at[0], at[1] - 5), (at[0], at[1] + 5), width_mm=HAIR_MM)
        pen.text((at[0], at[1] - 12), says, is_middle=True)

    return Drawing(says, size, size, draw)


def spray(near_mm: float, far_mm: float, *, lengths_in: tuple[float, ...] = SPRAYS_IN) -> Drawing:
    """A straight spray template of these widths at its ends, with a line at each length it may be cut to."""
    length = inches(max(lengths_in))
    height = max(near_mm, far_mm) + 2 * _MARGIN_MM
    middle = height / 2

    def half_mm(at_mm: float) -> float:
        return (near_mm + (far_mm - near_mm) * at_mm / length) / 2

    def draw(pen: Pen) -> None:
        near, far = half_mm(0), half_mm(length)
        corners = ((0.0, middle - near), (length, middle - far), (length, middle + far), (0.0, middle + near))
        pen.line(*((x + _MARGIN_MM, y) for x, y in (*corners, corners[0])), width_mm=HAIR_MM)
        pen.line((_MARGIN_MM, middle), (_MARGIN_MM + length, middle), width_mm=HAIR_MM, is_dashed=True)
        for length_in in lengths_in:
            x, half = inches(length_in) + _MARGIN_MM, half_mm(inches(length_in))
            pen.line((x, middle - half), (x, middle + half), width_mm=FINE_MM)
            pen.text((x - 9, middle + 1.5), f"{length_in:g} in")

    named = "/".join(f"{length_in:g}" for length_in in lengths_in)
    says = f"spray {named} inch: {length:g} mm long, {near_mm:g} mm wide at the near end, {far_mm:g} mm at the far end"
    return Drawing(says, length + 2 * _MARGIN_MM, height, draw)


def flame() -> Drawing:
    """The teardrop of eight inches, its narrow end at the left."""
    outline = flame_outline()
    left, low, right, high = outline.bounds
    points = [(x - left + _MARGIN_MM, y - low + _MARGIN_MM) for x, y in outline.exterior.coords]
    says = f"flame: a teardrop {right - left:.1f} mm long, {high - low:.1f} mm wide"

    def draw(pen: Pen) -> None:
        pen.line(*points, width_mm=HAIR_MM)
        pen.text((80, (high - low) / 2), says)

    return Drawing(says, right - left + 2 * _MARGIN_MM, high - low + 2 * _MARGIN_MM, draw)


def flame_outline() -> Polygon:
    """From the narrow end at the origin along +x, mm."""
    tip, head = inches(_TIP_RADIUS_IN), inches(_HEAD_RADIUS_IN)
    discs = [_round(tip, tip), _round(inches(_FLAME_IN) - head, head)]
    hull = unary_union(discs).convex_hull
    assert isinstance(hull, Polygon)
    return hull


def _round(x: float, radius: float) -> Polygon:
    return Point(x, 0).buffer(radius, quad_segs=_ROUNDNESS)


def arc_ring(diameter_mm: float, *, arc_deg: float) -> Drawing:
    """A ring that fits around a base: ticks at both ends of the front arc, a dot where the miniature looks.

    Cut out along the inner circle and the dashed one, lay it around the base, and mark the rim at ticks and dot.
    """
    inner = diameter_mm / 2
    outer = inner + _RING_MM
    size = 2 * outer
    ends = (_FRONT_DEG - arc_deg / 2, _FRONT_DEG + arc_deg / 2)
    middle = (outer, outer)

    def draw(pen: Pen) -> None:
        pen.circle(middle, radius_mm=inner, width_mm=HAIR_MM)
        pen.circle(middle, radius_mm=outer, width_mm=HAIR_MM, is_dashed=True)
        pen.arc(middle, radius_mm=inner + _TICK_MM, from_deg=ends[0], to_deg=ends[1])
        for end in ends:
            with pen.rotate(middle, by_deg=end):
                pen.line((inner, 0), (inner + _TICK_MM + 2, 0), width_mm=BOLD_MM)
        with pen.rotate(middle, by_deg=_FRONT_DEG):
            pen.line((inner, 0), (inner + 2, 0), width_mm=FINE_MM)
            pen.dot((inner + 3, 0), radius_mm=_DOT_MM)
        pen.text((outer, outer + inner + _TICK_MM + 2.4), "FRONT", size_mm=_LABEL_MM, is_middle=True)
        pen.text((outer, outer - inner - 5), "back", size_mm=_LABEL_MM, is_middle=True)
        pen.text((outer, outer - inner - 9), f"base {diameter_mm:g} mm", size_mm=_LABEL_MM, is_middle=True)
        if diameter_mm < 60:
            return
        pen.line((outer - 4, outer), (outer + 4, outer), width_mm=HAIR_MM)
        pen.line((outer, outer - 4), (outer, outer + 4), width_mm=HAIR_MM)

    return Drawing(f"ring for a {diameter_mm:g} mm base, front arc {arc_deg:g} degrees", size, size, draw)
