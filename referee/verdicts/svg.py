"""SVG drawing: a verdict on its table, in table millimetres with y away from the near edge, so the picture is a text.

Shape tells the role as well as colour does: a clear line is whole, a blocked one dashed, one too close to call dashed
and dotted, a limit dotted. Text and strokes keep their size on the page, whatever part of the table is shown; a bar
tells the scale.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from models.miniature import Miniature
from models.state import TableState
from models.unit_conversion import MM_PER_INCH
from models.verdict import Answer, Verdict, Witness
from models.vocabulary import Point
from referee.editions.registry import EDITIONS
from referee.geometry.shapes import Area
from referee.rules.exact_table import ExactTable

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
_SIGMAS = 2.0
_WIDEST_RAD = math.radians(85.0)  # wider than this, and front and back would run into each other
_STEP_RAD = math.radians(4.0)


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
    table = ExactTable(state, EDITIONS[verdict.edition])
    window = _window(state, verdict)
    answers = {member.id: member.answer.value for member in verdict.members if member.answer is not None}
    parts = [
        _head(window, verdict),
        _backdrop(window),
        f'<g transform="scale(1 -1)"><rect class="table" x="0" y="0" width="{_num(state.table.width_mm)}" '
        f'height="{_num(state.table.depth_mm)}"/>',
        *(_area(table.area(t.id), "ground forest" if t.kind == "forest" else "ground") for t in state.terrain),
        *(_area(table.area(e.id), "effect") for e in state.effects),
        *(_base(table, m, answers.get(m.id, "")) for m in state.miniatures),
        *_fans(state, verdict),
        *_lines_beyond(verdict),
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
    sizes = {"text": _num(text), "bold": _num(text / 6), "thin": _num(text / 12)}
    sizes |= {"dash": f"{_num(text * 0.6)} {_num(text * 0.35)}", "dots": f"{_num(text / 6)} {_num(text * 0.3)}"}
    box = f"{_num(window.left_mm)} {_num(-window.low_mm - window.depth_mm)} {_num(window.width_mm)} {_num(depth)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{_PAGE_PX}" '
        f'height="{round(_PAGE_PX * depth / window.width_mm)}">\n'
        f"<title>{_caption(verdict)}</title><style>{_STYLE.format(**sizes)}</style>"
    )


def _backdrop(window: Window) -> str:
    """What lies beyond the table's edge."""
    left, top, width, depth = window.left_mm, -window.low_mm - window.depth_mm, window.width_mm, window.depth_mm
    return f'<rect class="beyond" x="{_num(left)}" y="{_num(top)}" width="{_num(width)}" height="{_num(depth)}"/>'


def _caption(verdict: Verdict) -> str:
    said = verdict.answer.value.replace("-", " ") if verdict.answer else verdict.status
    return f"{verdict.kind}: {said}{_caption_margin(verdict)}".translate(_ESCAPED)


def _caption_margin(verdict: Verdict) -> str:
    if verdict.margin_deg is not None:
        return f", margin {_with_sign(verdict.margin_deg)}\u00b0"
    if verdict.margin_mm is None:
        return ""
    if verdict.capped:
        return ", nothing can flip it"
    uncertainty = f" \u00b1 {verdict.sigma_mm:.1f}" if verdict.sigma_mm else ""
    mm, in_ = _with_sign(verdict.margin_mm), _with_sign(verdict.margin_mm / MM_PER_INCH, 2)
    return f", margin {mm}{uncertainty} mm ({in_} in)"


def _with_sign(value: float, digits: int = 1) -> str:
    return f"{round(value, digits) + 0.0:+.{digits}f}".replace("-", "\u2212")


def _lines_beyond(verdict: Verdict) -> list[str]:
    """What would decide where the likeliest condition turns, dotted."""
    beyond = verdict.flips_if[0].witness if verdict.flips_if else ()
    lines = [w for w in beyond if w.type in ("segment", "polyline") and w.role != "arc"]
    drawn = (_witness(w, w.role).replace("/>", ' style="stroke-dasharray:1 4"/>') for w in lines)
    return [f'<g class="flipped">{"".join(drawn)}</g>'] if lines else []


def _window(state: TableState, verdict: Verdict) -> Window:
    """What has to be seen: the witness and everything named, with room around; the whole table where nothing is."""
    points = [p for w in verdict.witness for p in _extent(w)]
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


def _extent(witness: Witness) -> list[Point]:
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
        f'<circle class="{css}" cx="{_num(p.points[0][0])}" cy="{_num(p.points[0][1])}" r="{_num(p.radius_mm)}"/>'
        for p in area.parts
        if p.is_disc()
    )


def _base(table: ExactTable, miniature: Miniature, answer: str) -> str:
    side = miniature.side if miniature.side in ("red", "blue") else ""
    css = " ".join(word for word in ("base", side, answer if answer != "no" else "") if word)
    x, y = miniature.at_mm
    if miniature.base.shape != "round":
        if miniature.facing_rad is None:
            return f'<circle class="{css}" cx="{_num(x)}" cy="{_num(y)}" r="{_num(miniature.base.width_mm / 2)}"/>'
        return f'<polygon class="{css}" points="{_points(table.base(miniature.id).points)}"/>'
    r = miniature.base.radius_mm
    disc = f'<circle class="{css}" cx="{_num(x)}" cy="{_num(y)}" r="{_num(r)}"/>'
    if miniature.facing_rad is None:
        return disc
    ahead = (math.cos(miniature.facing_rad), math.sin(miniature.facing_rad))
    near, tip = ((x + part * r * ahead[0], y + part * r * ahead[1]) for part in (0.7, 1.25))
    return f'{disc}<path class="facing" d="M{_num(near[0])} {_num(near[1])}L{_num(tip[0])} {_num(tip[1])}"/>'


def _role(witness: Witness, verdict: Verdict) -> str:
    """How it is drawn: whether a line is clear cannot be told where that is too close to call."""
    tells = witness.role in ("clear", "blocked") and verdict.answer is Answer.TOO_CLOSE
    return "doubtful" if tells else witness.role


def _witness(witness: Witness, role: str) -> str:
    css = f"witness {role}"
    if witness.type == "circle" and witness.centre_mm is not None:
        x, y = witness.centre_mm
        return f'<circle class="{css}" cx="{_num(x)}" cy="{_num(y)}" r="{_num(witness.radius_mm or 0.0)}"/>'
    if witness.type == "arc" and witness.centre_mm is not None:
        return _arc(witness, witness.centre_mm, css)
    if witness.type == "point":
        x, y = witness.points_mm[0] if witness.points_mm else witness.centre_mm or (0.0, 0.0)
        return f'<circle class="{css}" cx="{_num(x)}" cy="{_num(y)}" r="3"/>'
    shape = "polygon" if witness.type == "polygon" else "polyline"
    return f'<{shape} class="{css}" points="{_points(witness.points_mm or ())}"/>'


def _fans(state: TableState, verdict: Verdict) -> list[str]:
    """How far its arc lines may swing; amber where that is why it is too close to call."""
    is_close = verdict.answer is Answer.TOO_CLOSE and is_by_arc(verdict)
    fill = 'fill="#b26a00" fill-opacity=".3"' if is_close else 'fill="#6b5bd2" fill-opacity=".15"'
    return [
        f'<polygon class="swing" {fill} points="{_points(outline)}"/>' for outline in facing_sigma_fans(state, verdict)
    ]


def _spot(value: object, window: Window) -> str:
    """A bare point that was asked about."""
    match value:
        case [int() | float() as x, int() | float() as y]:
            return f'<circle class="spot" cx="{_num(x)}" cy="{_num(y)}" r="{_num(window.text_mm / 3)}"/>'
    return ""


def _arc(witness: Witness, centre: Point, css: str) -> str:
    r, first = witness.radius_mm or 0.0, math.radians(witness.from_deg or 0.0)
    sweep = math.radians((witness.to_deg or 0.0) - (witness.from_deg or 0.0)) % math.tau
    ends = [(centre[0] + r * math.cos(a), centre[1] + r * math.sin(a)) for a in (first, first + sweep)]
    (x0, y0), (x1, y1) = ends
    large = int(sweep > math.pi)
    return f'<path class="{css}" d="M{_num(x0)} {_num(y0)}A{_num(r)} {_num(r)} 0 {large} 1 {_num(x1)} {_num(y1)}"/>'


def _label(miniature: Miniature, window: Window) -> str:
    """The name on the base, or below it where it would not fit."""
    (x, y), text, name = miniature.at_mm, window.text_mm, miniature.name or miniature.id
    fits = 0.55 * text * len(name) < 1.4 * _half_mm(miniature)
    down = 0.35 * text if fits else _half_mm(miniature) + text
    return f'<text class="name" x="{_num(x)}" y="{_num(down - y)}">{name.translate(_ESCAPED)}</text>'


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
    return f'<text class="kind" x="{_num(x)}" y="{_num(1.1 * window.text_mm - high)}">{kind}</text>'


def _figure(state: TableState, verdict: Verdict, window: Window) -> list[str]:
    """The length of the first line whose length was measured, written beside it."""
    for witness in verdict.witness:
        ends = witness.points_mm or ()
        if witness.type != "segment" or len(ends) != 2:
            continue
        long = math.dist(*ends)
        figure = next((m for m in verdict.measured if abs(m.value_mm - long) < 0.05), None)
        if figure is not None and long > 0:
            said = f"{figure.value_mm:.1f} mm ({figure.value_mm / MM_PER_INCH:.2f} in)"
            bases = [_half_mm(m) for m in state.miniatures if m.id in witness.of]
            return [_length_label(ends[0], ends[1], said, window, past_mm=max(bases, default=0.0))]
    return []


def _length_label(a: Point, b: Point, said: str, window: Window, *, past_mm: float) -> str:
    """Text beside the middle of a line, above it or to its right; clear of its bases where the line is too short."""
    long, text = math.dist(a, b), window.text_mm
    across = (-(b[1] - a[1]) / long, (b[0] - a[0]) / long)
    up = 1.0 if (across[1], across[0]) >= (0.0, 0.0) else -1.0
    half = 0.28 * text * len(said)
    fits = 2 * half * abs(across[1]) + text * abs(across[0]) < long
    off = up * (0.7 * text + abs(across[0]) * half + (0.0 if fits else past_mm))
    x, y = (a[0] + b[0]) / 2 + across[0] * off, (a[1] + b[1]) / 2 + across[1] * off
    return f'<text x="{_num(x)}" y="{_num(0.35 * text - y)}">{said}</text>'


def _strip(verdict: Verdict, window: Window) -> list[str]:
    """Below the picture: what was answered, and a bar an inch long."""
    text, top, left = window.text_mm, -window.low_mm, window.left_mm
    line, right = top + 1.2 * text, left + window.width_mm - text
    bar = f"M{_num(right - MM_PER_INCH)} {_num(line)}H{_num(right)}"
    return [
        f'<rect class="strip" x="{_num(left)}" y="{_num(top)}" width="{_num(window.width_mm)}" '
        f'height="{_num(window.strip_mm)}"/>',
        f'<text class="said" x="{_num(left + 0.5 * text)}" y="{_num(line)}">{_caption(verdict)}</text>',
        f'<path class="scale" d="{bar}"/>',
        f'<text class="scale" style="text-anchor:end;stroke:none" x="{_num(right - MM_PER_INCH - 0.4 * text)}" '
        f'y="{_num(line)}">1 in</text>',
    ]


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_num(x)},{_num(y)}" for x, y in points)


def _num(value: float) -> str:
    """To a hundredth of a millimetre, without a trailing zero or a minus before nothing."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def facing_sigma_fans(state: TableState, verdict: Verdict) -> Iterator[tuple[Point, ...]]:
    """The outlines of all that is within twice the facing's sigma of an arc line, on either side of it."""
    for witness in verdict.witness:
        if witness.role != "arc" or witness.type != "segment" or not witness.points_mm or not witness.of:
            continue
        sigma_rad, middle = _facing_sigma_and_centre(state, witness.of[0])
        if sigma_rad > 0.0:
            yield from _fans_of_arc_line(witness, middle, min(_SIGMAS * sigma_rad, _WIDEST_RAD))


def is_by_arc(verdict: Verdict) -> bool:
    """Whether the arc is what decides: it says so, or no other line of the answer could."""
    if "decided_by" in verdict.value:
        return verdict.value["decided_by"] == "arc"
    return not any(witness.role in ("clear", "blocked", "touching") for witness in verdict.witness)


def _facing_sigma_and_centre(state: TableState, id_: str) -> tuple[float, Point]:
    """How surely it is known to look where it looks, all of its unit together, and its middle."""
    those = [m for m in state.miniatures if id_ in (m.id, m.unit) and m.facing_deg is not None]
    if not those:
        return 0.0, (0.0, 0.0)
    x, y = (sum(m.at_mm[axis] for m in those) / len(those) for axis in (0, 1))
    return math.radians(max(m.sigma.facing_deg for m in those)), (x, y)


def _fans_of_arc_line(witness: Witness, middle: Point, swing_rad: float) -> Iterator[tuple[Point, ...]]:
    start, end = (witness.points_mm or ())[0], (witness.points_mm or ())[-1]
    halfway = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    # an arc line runs through the middle of its base, or begins there or at a corner
    pivot = min((halfway, start, end), key=lambda place: math.dist(place, middle))
    for tip in (start, end):
        if tip != pivot:
            yield (pivot, *_arc_points(pivot, tip, swing_rad))


def _arc_points(pivot: Point, tip: Point, swing_rad: float) -> Iterator[Point]:
    long_mm, ahead_rad = math.dist(pivot, tip), math.atan2(tip[1] - pivot[1], tip[0] - pivot[0])
    steps = max(2, math.ceil(2 * swing_rad / _STEP_RAD))
    for i in range(steps + 1):
        turn_rad = ahead_rad - swing_rad + 2 * swing_rad * i / steps
        yield pivot[0] + long_mm * math.cos(turn_rad), pivot[1] + long_mm * math.sin(turn_rad)
