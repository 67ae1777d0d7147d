"""Text layouts declared as data: by its signature a text is known, and each of its lines is one of a few patterns."""

import re
from collections.abc import Iterator
from typing import Literal

from api.rosters.pasted_text import MOST_IN_A_LINE, ask_about_lines, ask_about_points, is_frame, price_of
from models.frozen import Frozen
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterUnit

LineKind = Literal["frame", "total", "unit", "option"]


class Layout(Frozen):
    """A program's text: what gives it away, and its lines; the first pattern that matches says what a line is.

    A unit has the groups `name`, `count` or `members` (`Leader & 9 Grunts`), `cost`; a `free` cost adds nothing to the
    `total`, and `spent` points may have been taken off it.
    """

    program: str
    signature: str
    games: tuple[tuple[str, str], ...] = ()
    title: str
    lines: tuple[tuple[LineKind, str], ...]


LAYOUTS = (
    Layout(
        program="War Room 2",
        signature=r"^\W*war room army\W*$",
        games=((r"\bWB\s*:", "HORDES"), (r"\bWJ\s*:|\bPC\s*:", "WARMACHINE")),
        title=r"\A\W*war room army\W*\n\s*(?P<title>.+)$",
        lines=(
            ("total", r"^\s*(?P<total>\d+)\s*/\s*\d+\b.*$"),
            ("unit", r"^\s*(?:-\s+)?(?P<name>.+?)\s*(?:<!.*!>\s*)?-\s+(?:WJ|WB|PC)\s*:\s*(?P<free>\+)?(?P<cost>\d+)"
                     r"\s*(?:\(\D*(?P<spent>\d+)\))?$"),
            ("unit", r"^\s*(?:-\s+)?(?P<name>.+?)\s*(?:<!.*!>\s*)?-\s+(?P<members>[^\d:-][^:-]*?|\d+ [^:-]+?)"
                     r"\s*(?P<colon>:)?\s+(?P<cost>\d+)$"),
        ),
    ),
    Layout(
        program="Army Builder",
        signature=r"^\s*\d+\s+[^@\n]+@\s*\d[\d.,]*\s*pts\b",
        title=r"^\s*\d[\d.,]*\s*pts\s*-\s*(?P<title>.+)$",
        lines=(
            ("total", r"^\s*total roster cost\s*:\s*(?P<total>\d[\d.,]*).*$"),
            ("frame", r"^\s*\d[\d.,]*\s*pts\s*-.*$"),
            ("unit", r"^\s*(?P<count>\d+)\s+(?P<name>[^@]+?)\s*@\s*(?P<cost>\d[\d.,]*)\s*pts\b.*$"),
            ("option", r"^\s{4,}[^@]+$"),
        ),
    ),
)  # fmt: skip


def layout_of(text: str) -> Layout | None:
    """The layout whose signature stands in the text."""
    lines = [line for line in text.splitlines() if line.strip()]
    return next((a for a in LAYOUTS if any(re.match(f"(?i){a.signature}", line) for line in lines)), None)


def read_declared(text: str, layout: Layout) -> RosterList:
    """The list as this layout reads it; what none of its patterns matches is a remark, and asked about."""
    lines = [line for line in text.splitlines() if line.strip()]
    title = re.search(f"(?im){layout.title}", "\n".join(lines))
    units: list[RosterUnit] = []
    remarks = [Remark(where="list", text=layout.program, why="no rulebook of ours: names and counts only")]
    doubtful: list[str] = []
    costs, spent, totals = 0, 0, list[int]()
    for line in lines:
        kind, match = _match_line(line, layout, title)
        if kind == "unit" and match is not None and (unit := _read_unit(match.groupdict())) is not None:
            units.append(unit)
            cells = match.groupdict()
            costs += 0 if cells.get("free") else price_of(cells["cost"]) or 0
            spent += price_of(cells.get("spent") or "") or 0
        elif kind == "total" and match is not None:
            totals.append(price_of(match["total"]) or 0)
        elif kind in (None, "unit"):
            doubtful.append(line)
            remarks.append(Remark(where="list", text=line.strip()[:120], why=f"no line of {layout.program}"))
    return RosterList(
        format="text",
        name=title["title"].strip()[:80] if title is not None else None,
        game=next((game for pattern, game in layout.games if re.search(pattern, text)), None),
        units=tuple(units),
        counts=RosterCounts(unit_selections=len(units)),
        remarks=tuple(remarks),
        questions=(
            *ask_about_lines(doubtful, len(lines), hint="export the list again"),
            *ask_about_points(totals, (costs, costs - spent)),
        ),
    )


def _match_line(line: str, layout: Layout, title: re.Match[str] | None) -> tuple[LineKind | None, re.Match[str] | None]:
    is_title = title is not None and line.strip() in (title["title"].strip(), title[0].strip())
    if is_title or (re.match(f"(?i){layout.signature}", line) and not _matches_of(line, layout)):
        return "frame", None
    return next(iter(_matches_of(line, layout)), ("frame" if is_frame(line) else None, None))


def _matches_of(line: str, layout: Layout) -> list[tuple[LineKind | None, re.Match[str] | None]]:
    matches = ((kind, re.match(f"(?i){pattern}", line)) for kind, pattern in layout.lines)
    return [] if is_frame(line) and "total" not in line.lower() else [(k, m) for k, m in matches if m is not None]


def _read_unit(cells: dict[str, str | None]) -> RosterUnit | None:
    """None where it would be more than any unit has."""
    name, members = (cells["name"] or "").strip()[:80], cells.get("members")
    count = int(cells.get("count") or 1) if members is None else sum(_counts_of(members))
    if not 1 <= count <= MOST_IN_A_LINE:
        return None
    cost = int(cells.get("cost") or 0) if members is not None and not cells.get("colon") else 0
    doubt = cost if 1 < cost <= MOST_IN_A_LINE else None  # “Keeper 3”: three of them, or one for three points
    return RosterUnit(name=name, models=(RosterModel(name=name, count=count, may_be_count=doubt),))


def _counts_of(members: str) -> Iterator[int]:
    """Of `Leader & 9 Grunts` one and nine."""
    for part in re.split(r"\s*(?:&|,|\band\b)\s*", members):
        number = re.match(r"(\d{1,4})\s", part)
        yield int(number[1]) if number is not None else 1
