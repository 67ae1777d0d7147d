"""A verdict drawn on its table: plain SVG in table millimetres, y away from the near edge, so the picture is a text.

Shape tells the role as well as colour does: a clear line is whole, a blocked one dashed, a limit dotted.
"""

import math

from models.miniature import Miniature
from models.state import TableState
from models.verdict import Verdict, Witness
from models.words import Point
from referee.shapes import Area
from referee.situation import Situation

_STYLE = (
    ".table{fill:#f4f1ea;stroke:#8a8577}.ground{fill:#d8d2c2;stroke:#8a8577}.forest{fill:#cfdcc6}"
    ".effect{fill:#bbb;fill-opacity:.4;stroke:#777}.base{fill:#fff;stroke:#333}.red{fill:#f7d9d6}.blue{fill:#d8e2f6}"
    ".facing{stroke:#333;fill:none}.clear{stroke:#0a7d3c}.blocked{stroke:#c0392b;stroke-dasharray:8 5}"
    ".touching{stroke:#0a7d3c}.limit{stroke:#555;stroke-dasharray:2 4}.arc{stroke:#6b5bd2;stroke-dasharray:12 4 2 4}"
    ".path{stroke:#333}.hit{stroke:#c0392b;fill:#c0392b;fill-opacity:.25}.blocker{stroke:#c0392b}"
    ".witness{fill:none;stroke-width:2.5}text{font:11px sans-serif;fill:#222;text-anchor:middle}"
)
_MARGIN_MM = 60.0
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def draw(state: TableState, verdict: Verdict) -> str:
    """The table around a verdict's witness as one SVG document. Same state and verdict, same text."""
    table = Situation(state, verdict.edition)
    window = _window(state, verdict)
    left, low, width, depth = window
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(left)} {_n(-low - depth)} {_n(width)} {_n(depth)}">',
        f"<title>{_title(verdict).translate(_ESCAPED)}</title><style>{_STYLE}</style>",
        f'<g transform="scale(1 -1)"><rect class="table" x="0" y="0" width="{_n(state.table.width_mm)}" '
        f'height="{_n(state.table.depth_mm)}"/>',
        *(_area(table.area(t.id), "ground forest" if t.kind == "forest" else "ground") for t in state.terrain),
        *(_area(table.area(e.id), "effect") for e in state.effects),
        *(_base(table, m) for m in state.miniatures),
        *(_witness(w) for w in verdict.witness),
        "</g>",
        *(_label(m) for m in state.miniatures),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(verdict: Verdict) -> str:
    said = verdict.answer.value if verdict.answer else verdict.status
    margin = "" if verdict.margin_mm is None else f", margin {verdict.margin_mm:.1f} mm"
    return f"{verdict.kind}: {said}{margin}"


def _window(state: TableState, verdict: Verdict) -> tuple[float, float, float, float]:
    """Left, low, width and depth of what has to be seen: the witness and everything named, with room around."""
    points = [p for w in verdict.witness for p in (w.points_mm or ())]
    points += [w.centre_mm for w in verdict.witness if w.centre_mm is not None]
    named = {value for value in verdict.query.values() if isinstance(value, str)} | set(verdict.blockers)
    points += [m.at_mm for m in state.miniatures if m.id in named]
    if not points:
        return (0.0, 0.0, state.table.width_mm, state.table.depth_mm)
    left, right = min(x for x, _ in points) - _MARGIN_MM, max(x for x, _ in points) + _MARGIN_MM
    low, high = min(y for _, y in points) - _MARGIN_MM, max(y for _, y in points) + _MARGIN_MM
    return (left, low, right - left, high - low)


def _area(area: Area, css: str) -> str:
    if area.outline:
        return f'<polygon class="{css}" points="{_points(area.outline)}"/>'
    return "".join(
        f'<circle class="{css}" cx="{_n(p.points[0][0])}" cy="{_n(p.points[0][1])}" r="{_n(p.radius_mm)}"/>'
        for p in area.parts
        if p.is_disc()
    )


def _base(table: Situation, miniature: Miniature) -> str:
    css = f"base {miniature.side}" if miniature.side in ("red", "blue") else "base"
    x, y = miniature.at_mm
    if miniature.base.shape != "round":
        if miniature.facing_rad is None:
            return f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(miniature.base.width_mm / 2)}"/>'
        return f'<polygon class="{css}" points="{_points(table.base(miniature.id).points)}"/>'
    r = miniature.base.radius_mm
    disc = f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'
    if miniature.facing_rad is None:
        return disc
    tip = (x + r * math.cos(miniature.facing_rad), y + r * math.sin(miniature.facing_rad))
    return f'{disc}<path class="facing" d="M{_n(x)} {_n(y)}L{_n(tip[0])} {_n(tip[1])}"/>'


def _witness(witness: Witness) -> str:
    css = f"witness {witness.role}"
    if witness.type == "circle" and witness.centre_mm is not None:
        x, y = witness.centre_mm
        return f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(witness.radius_mm or 0.0)}"/>'
    if witness.type == "arc" and witness.centre_mm is not None:
        return _arc(witness, witness.centre_mm, css)
    if witness.type == "point":
        x, y = witness.points_mm[0] if witness.points_mm else witness.centre_mm or (0.0, 0.0)
        return f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="3"/>'
    shape = "polygon" if witness.type == "polygon" else "polyline"
    return f'<{shape} class="{css}" points="{_points(witness.points_mm or ())}"/>'


def _arc(witness: Witness, centre: Point, css: str) -> str:
    r, first = witness.radius_mm or 0.0, math.radians(witness.from_deg or 0.0)
    sweep = math.radians((witness.to_deg or 0.0) - (witness.from_deg or 0.0)) % math.tau
    ends = [(centre[0] + r * math.cos(a), centre[1] + r * math.sin(a)) for a in (first, first + sweep)]
    (x0, y0), (x1, y1) = ends
    large = int(sweep > math.pi)
    return f'<path class="{css}" d="M{_n(x0)} {_n(y0)}A{_n(r)} {_n(r)} 0 {large} 1 {_n(x1)} {_n(y1)}"/>'


def _label(miniature: Miniature) -> str:
    x, y = miniature.at_mm
    return f'<text x="{_n(x)}" y="{_n(4 - y)}">{(miniature.name or miniature.id).translate(_ESCAPED)}</text>'


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    """To a hundredth of a millimetre, without a trailing zero or a minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
