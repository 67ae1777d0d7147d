"""A verdict drawn on its table: plain SVG in table millimetres, y away from the near edge, so the picture is a text.

Shape tells the role as well as colour does: a clear line is whole, a blocked one dashed, one too close to call dashed
and dotted, a limit dotted. Text and strokes keep their size on the page, whatever part of the table is shown; a bar
tells the scale.
"""

import math
from dataclasses import dataclass

from models.miniature import Miniature
from models.state import TableState
from models.units import MM_PER_INCH
from models.verdict import Answer, Verdict, Witness
from models.words import Point
from referee.shapes import Area
from referee.situation import Situation
from referee.swings import is_by_arc, swings

_STYLE = (
    ".beyond{{fill:#cfcabd;stroke:none}}.table{{fill:#f4f1ea;stroke:#8a8577}}.ground{{fill:#d8d2c2;stroke:#8a8577}}.forest{{fill:#cfdcc6}}"
    ".effect{{fill:#bbb;fill-opacity:.4;stroke:#777}}.base{{fill:#fff;stroke:#333}}.red{{fill:#f7d9d6}}"
    ".blue{{fill:#d8e2f6}}.facing{{stroke:#333;fill:none}}.yes{{stroke:#0a7d3c;stroke-width:{bold}}}"
    ".too-close{{stroke:#b26a00;stroke-width:{bold}}}.clear,.touching{{stroke:#0a7d3c}}"
    ".doubtful{{stroke:#b26a00;stroke-dasharray:{dash} {dots}}}"
    ".blocked{{stroke:#c0392b;stroke-dasharray:{dash}}}.limit{{stroke:#555;stroke-dasharray:{dots}}}"
    ".arc{{stroke:#6b5bd2;stroke-dasharray:{dash} {dots}}}.path{{stroke:#333}}"
    ".hit{{stroke:#c0392b;fill:#c0392b;fill-opacity:.25}}.blocker{{stroke:#c0392b}}"
    "*{{stroke-width:{thin}}}.witness{{fill:none;stroke-width:{bold}}}.hit.witness{{fill:#c0392b}}"
    ".path.witness{{stroke-width:{thin}}}"
    "text{{font:{text}px sans-serif;fill:#222;text-anchor:middle;stroke:#f4f1ea;stroke-width:{bold};"
    "paint-order:stroke}}.name{{font-weight:bold}}.strip{{fill:#fff;stroke:none}}.said{{text-anchor:start;stroke:none}}"
    ".kind{{font-style:italic;fill:#666}}.scale{{stroke:#222}}.spot{{fill:#222;stroke:none}}"
)
_PAGE_PX = 600
_TEXT_PX = 15
_ROOM = 0.12  # share of what is shown that is left free around it
_WIDE, _FLAT = 1.4, 2.6  # the page's width by its depth, at least and at most
_LEAST_MM = 220.0  # so that a base never fills the picture
_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


@dataclass(frozen=True)
class Window:
    """The part of the table that is shown, and the height of a line of text there."""

    left_mm: float
    low_mm: float
    width_mm: float
    depth_mm: float

    @property
    def text_mm(self) -> float:
        return self.width_mm * _TEXT_PX / _PAGE_PX

    @property
    def strip_mm(self) -> float:
        return 1.7 * self.text_mm


def draw(state: TableState, verdict: Verdict) -> str:
    """The table around a verdict's witness as one SVG document. Same state and verdict, same text."""
    table = Situation(state, verdict.edition)
    window = _window(state, verdict)
    answers = {member.id: member.answer.value for member in verdict.members}
    parts = [
        _head(window, verdict),
        _backdrop(window),
        f'<g transform="scale(1 -1)"><rect class="table" x="0" y="0" width="{_n(state.table.width_mm)}" '
        f'height="{_n(state.table.depth_mm)}"/>',
        *(_area(table.area(t.id), "ground forest" if t.kind == "forest" else "ground") for t in state.terrain),
        *(_area(table.area(e.id), "effect") for e in state.effects),
        *(_base(table, m, answers.get(m.id, "")) for m in state.miniatures),
        *_fans(state, verdict),
        *(_witness(w, _role(w, verdict)) for w in sorted(verdict.witness, key=lambda w: w.role != "path")),
        *(_spot(value, window) for value in verdict.query.values()),
        "</g>",
        *(_kind(table.area(t.id), t.kind, window) for t in state.terrain),
        *(_kind(table.area(e.id), e.kind, window) for e in state.effects),
        *(_label(m, window) for m in state.miniatures),
        *_figure(state, verdict, window),
        *_strip(verdict, window),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _head(window: Window, verdict: Verdict) -> str:
    text = window.text_mm
    depth = window.depth_mm + window.strip_mm
    sizes = {"text": _n(text), "bold": _n(text / 6), "thin": _n(text / 12)}
    sizes |= {"dash": f"{_n(text * 0.6)} {_n(text * 0.35)}", "dots": f"{_n(text / 6)} {_n(text * 0.3)}"}
    box = f"{_n(window.left_mm)} {_n(-window.low_mm - window.depth_mm)} {_n(window.width_mm)} {_n(depth)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_PAGE_PX}" '
        f'height="{round(_PAGE_PX * depth / window.width_mm)}">\n'
        f"<title>{_said(verdict)}</title><style>{_STYLE.format(**sizes)}</style>"
    )


def _backdrop(window: Window) -> str:
    """What lies beyond the table's edge."""
    left, top, width, depth = window.left_mm, -window.low_mm - window.depth_mm, window.width_mm, window.depth_mm
    return f'<rect class="beyond" x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(depth)}"/>'


def _said(verdict: Verdict) -> str:
    said = verdict.answer.value.replace("-", " ") if verdict.answer else verdict.status
    return f"{verdict.kind}: {said}{_by(verdict)}".translate(_ESCAPED)


def _by(verdict: Verdict) -> str:
    if verdict.margin_deg is not None:
        return f", margin {_signed(verdict.margin_deg)}\u00b0"
    if verdict.margin_mm is None:
        return ""
    if verdict.capped:
        return ", nothing can flip it"
    doubt = f" \u00b1 {verdict.sigma_mm:.1f}" if verdict.sigma_mm else ""
    return f", margin {_signed(verdict.margin_mm)}{doubt} mm ({_signed(verdict.margin_mm / MM_PER_INCH, 2)} in)"


def _signed(value: float, digits: int = 1) -> str:
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "\u2212")


def _window(state: TableState, verdict: Verdict) -> Window:
    """What has to be seen: the witness and everything named, with room around; the whole table where nothing is."""
    points = [p for w in verdict.witness for p in _reached(w)]
    fields = (value if isinstance(value, list) else [value] for value in verdict.query.values())
    named = {name for names in fields for name in names if isinstance(name, str)} | set(verdict.blockers)
    named |= {member.id for member in verdict.members}
    for miniature in state.miniatures:
        if miniature.id in named:
            points += _around(miniature.at_mm, _half_mm(miniature))
    if not points:
        return Window(0.0, 0.0, state.table.width_mm, state.table.depth_mm)
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    wide, deep = (right - left) * (1 + 2 * _ROOM), (high - low) * (1 + 2 * _ROOM)
    width = max(_LEAST_MM, wide, deep * _WIDE)
    depth = max(deep, width / _FLAT)
    return Window((left + right - width) / 2, (low + high - depth) / 2, width, depth)


def _reached(witness: Witness) -> list[Point]:
    if witness.role == "arc":  # an arc line goes on for ever; what it parts is in the picture anyhow
        return []
    if witness.centre_mm is not None:
        return _around(witness.centre_mm, witness.radius_mm or 0.0)
    return list(witness.points_mm or ())


def _around(centre: Point, by_mm: float) -> list[Point]:
    return [(centre[0] - by_mm, centre[1] - by_mm), (centre[0] + by_mm, centre[1] + by_mm)]


def _half_mm(miniature: Miniature) -> float:
    base = miniature.base
    return base.radius_mm if base.shape == "round" else math.hypot(base.width_mm, base.depth_mm) / 2


def _area(area: Area, css: str) -> str:
    if area.outline:
        return f'<polygon class="{css}" points="{_points(area.outline)}"/>'
    return "".join(
        f'<circle class="{css}" cx="{_n(p.points[0][0])}" cy="{_n(p.points[0][1])}" r="{_n(p.radius_mm)}"/>'
        for p in area.parts
        if p.is_disc()
    )


def _base(table: Situation, miniature: Miniature, answer: str) -> str:
    side = miniature.side if miniature.side in ("red", "blue") else ""
    css = " ".join(word for word in ("base", side, answer if answer != "no" else "") if word)
    x, y = miniature.at_mm
    if miniature.base.shape != "round":
        if miniature.facing_rad is None:
            return f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(miniature.base.width_mm / 2)}"/>'
        return f'<polygon class="{css}" points="{_points(table.base(miniature.id).points)}"/>'
    r = miniature.base.radius_mm
    disc = f'<circle class="{css}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'
    if miniature.facing_rad is None:
        return disc
    ahead = (math.cos(miniature.facing_rad), math.sin(miniature.facing_rad))
    near, tip = ((x + part * r * ahead[0], y + part * r * ahead[1]) for part in (0.7, 1.25))
    return f'{disc}<path class="facing" d="M{_n(near[0])} {_n(near[1])}L{_n(tip[0])} {_n(tip[1])}"/>'


def _role(witness: Witness, verdict: Verdict) -> str:
    """How it is drawn: whether a line is clear cannot be told where that is too close to call."""
    tells = witness.role in ("clear", "blocked") and verdict.answer is Answer.TOO_CLOSE
    return "doubtful" if tells else witness.role


def _witness(witness: Witness, role: str) -> str:
    css = f"witness {role}"
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


def _fans(state: TableState, verdict: Verdict) -> list[str]:
    """How far its arc lines may swing; amber where that is why it is too close to call."""
    is_close = verdict.answer is Answer.TOO_CLOSE and is_by_arc(verdict)
    fill = 'fill="#b26a00" fill-opacity=".3"' if is_close else 'fill="#6b5bd2" fill-opacity=".15"'
    return [f'<polygon class="swing" {fill} points="{_points(outline)}"/>' for outline in swings(state, verdict)]


def _spot(value: object, window: Window) -> str:
    """A bare point that was asked about."""
    match value:
        case [int() | float() as x, int() | float() as y]:
            return f'<circle class="spot" cx="{_n(x)}" cy="{_n(y)}" r="{_n(window.text_mm / 3)}"/>'
    return ""


def _arc(witness: Witness, centre: Point, css: str) -> str:
    r, first = witness.radius_mm or 0.0, math.radians(witness.from_deg or 0.0)
    sweep = math.radians((witness.to_deg or 0.0) - (witness.from_deg or 0.0)) % math.tau
    ends = [(centre[0] + r * math.cos(a), centre[1] + r * math.sin(a)) for a in (first, first + sweep)]
    (x0, y0), (x1, y1) = ends
    large = int(sweep > math.pi)
    return f'<path class="{css}" d="M{_n(x0)} {_n(y0)}A{_n(r)} {_n(r)} 0 {large} 1 {_n(x1)} {_n(y1)}"/>'


def _label(miniature: Miniature, window: Window) -> str:
    """The name on the base, or below it where it would not fit."""
    (x, y), text, name = miniature.at_mm, window.text_mm, miniature.name or miniature.id
    fits = 0.55 * text * len(name) < 1.4 * _half_mm(miniature)
    down = 0.35 * text if fits else _half_mm(miniature) + text
    return f'<text class="name" x="{_n(x)}" y="{_n(down - y)}">{name.translate(_ESCAPED)}</text>'


def _kind(area: Area, kind: str, window: Window) -> str:
    """What a piece of ground is, written below its far edge or what is shown of it."""
    points = area.outline or tuple(p for part in area.parts for p in _around(part.centre, part.reach_mm))
    left, right = (clamp(x for x, _ in points) for clamp in (min, max))
    low, high = (clamp(y for _, y in points) for clamp in (min, max))
    left, right = max(left, window.left_mm), min(right, window.left_mm + window.width_mm)
    low, high = max(low, window.low_mm), min(high, window.low_mm + window.depth_mm)
    if left > right or low > high:
        return ""
    half = 0.3 * window.text_mm * len(kind)
    x = min(max((left + right) / 2, window.left_mm + half), window.left_mm + window.width_mm - half)
    return f'<text class="kind" x="{_n(x)}" y="{_n(1.1 * window.text_mm - high)}">{kind}</text>'


def _figure(state: TableState, verdict: Verdict, window: Window) -> list[str]:
    """The length of the first line whose length was measured, written beside it."""
    for witness in verdict.witness:
        ends = witness.points_mm or ()
        if witness.type != "segment" or len(ends) != 2:
            continue
        long = math.dist(*ends)
        told = next((m for m in verdict.measured if abs(m.value_mm - long) < 0.05), None)
        if told is not None and long > 0:
            said = f"{told.value_mm:.1f} mm ({told.value_mm / MM_PER_INCH:.2f} in)"
            bases = [_half_mm(m) for m in state.miniatures if m.id in witness.of]
            return [_beside(ends[0], ends[1], said, window, past_mm=max(bases, default=0.0))]
    return []


def _beside(a: Point, b: Point, said: str, window: Window, *, past_mm: float) -> str:
    """Text beside the middle of a line, above it or to its right; clear of its bases where the line is too short."""
    long, text = math.dist(a, b), window.text_mm
    across = (-(b[1] - a[1]) / long, (b[0] - a[0]) / long)
    up = 1.0 if (across[1], across[0]) >= (0.0, 0.0) else -1.0
    half = 0.28 * text * len(said)
    fits = 2 * half * abs(across[1]) + text * abs(across[0]) < long
    off = up * (0.7 * text + abs(across[0]) * half + (0.0 if fits else past_mm))
    x, y = (a[0] + b[0]) / 2 + across[0] * off, (a[1] + b[1]) / 2 + across[1] * off
    return f'<text x="{_n(x)}" y="{_n(0.35 * text - y)}">{said}</text>'


def _strip(verdict: Verdict, window: Window) -> list[str]:
    """Below the picture: what was answered, and a bar an inch long."""
    text, top, left = window.text_mm, -window.low_mm, window.left_mm
    line, right = top + 1.2 * text, left + window.width_mm - text
    bar = f"M{_n(right - MM_PER_INCH)} {_n(line)}H{_n(right)}"
    return [
        f'<rect class="strip" x="{_n(left)}" y="{_n(top)}" width="{_n(window.width_mm)}" '
        f'height="{_n(window.strip_mm)}"/>',
        f'<text class="said" x="{_n(left + 0.5 * text)}" y="{_n(line)}">{_said(verdict)}</text>',
        f'<path class="scale" d="{bar}"/>',
        f'<text class="scale" style="text-anchor:end;stroke:none" x="{_n(right - MM_PER_INCH - 0.4 * text)}" '
        f'y="{_n(line)}">1 in</text>',
    ]


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(value: float) -> str:
    """To a hundredth of a millimetre, without a trailing zero or a minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
