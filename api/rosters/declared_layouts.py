"""Text layouts declared as data: by its signature a text is known, and each of its lines is one of a few kinds."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from api.rosters.base_sizes import edition_of
from api.rosters.conservation import MOST_IN_A_LINE, LineLedger, ask_about_points, is_frame, is_name, price_of
from api.rosters.layout_file import Layout
from models.roster import LineKind, Remark, RosterCounts, RosterList, RosterModel, RosterQuestion, RosterUnit

Cells = dict[str, str | None]
_LEDGER_KINDS: dict[str, LineKind] = {
    "total": "title", "frame": "title", "free": "unit", "uncounted": "unit", "unit": "unit", "model": "model",
    "option": "option",
}  # fmt: skip


def layout_of(text: str, layouts: Sequence[Layout]) -> Layout | None:
    """The first layout of which as many lines stand in the text as are its signature."""
    lines = [line for line in text.splitlines() if line.strip()]
    return next((layout for layout in layouts if _has_signs(lines, layout)), None)


def _has_signs(lines: Sequence[str], layout: Layout) -> bool:
    signs = (line for line in lines if any(sign.match(line) for sign in layout.signature))
    return sum(1 for _ in islice(signs, layout.signs)) == layout.signs


def read_declared(text: str, layout: Layout) -> RosterList:
    """The list as this layout reads it; what none of its patterns matches is a remark, and asked about."""
    reading = _Reading(text, layout)
    for index, line in enumerate(reading.ledger.texts):
        if line.strip():
            reading.read_line(index, line)
    game = layout.game_of(text)
    why = "no rulebook of ours: names and counts only"
    known = edition_of(game)
    remarks = () if known is not None else (Remark(where="list", text=game or layout.program, why=why),)
    return RosterList(
        format="text",
        program=layout.program,
        name=reading.name,
        game=game,
        edition=known,
        units=tuple(unit for entry in reading.entries for unit in entry.units()),
        counts=RosterCounts(unit_selections=len(reading.entries)),
        remarks=(*remarks, *reading.ledger.remarks()),
        questions=(
            *(question for entry in reading.entries for question in entry.questions()),
            *reading.ledger.questions(),
            *ask_about_points(reading.totals, reading.sums(), is_total_printed=layout.has_total),
        ),
        lines=reading.ledger.lines(),
    )


class _Entry:
    """A unit of the list while its lines are read."""

    def __init__(self, cells: Cells, kind: str) -> None:
        members = cells.get("members")
        self.name = (cells["name"] or "").strip(" -–")[:80]
        self.count = int(cells.get("count") or 1) if members is None else sum(_counts_of(members))
        self.times = int(cells.get("units") or 1)
        self.cost = 0 if kind == "free" else (price_of(cells.get("cost") or "") or 0) * self.times
        self.spent = price_of(cells.get("spent") or "") or 0
        self.is_open = kind == "uncounted"
        maybe = int(cells.get("maybe") or 0)  # “Keeper 3”: three of them, or one for three points
        self.maybe = maybe if 1 < maybe <= MOST_IN_A_LINE else None
        self.models: list[RosterModel] = []

    @property
    def is_believed(self) -> bool:
        return is_name(self.name) and 1 <= self.count <= MOST_IN_A_LINE and 1 <= self.times <= MOST_IN_A_LINE

    def units(self) -> Iterator[RosterUnit]:
        models = tuple(self.models) or (RosterModel(name=self.name, count=self.count, may_be_count=self.maybe),)
        for _ in range(self.times):
            yield RosterUnit(name=self.name, models=models, points=self.cost // self.times)

    def questions(self) -> Iterator[RosterQuestion]:
        below = sum(model.count for model in self.models)
        if self.is_open and not self.models:
            says = f"How many miniatures is {self.name}? The list does not say."
            yield RosterQuestion(where=self.name, asks="count", says=says)
        elif self.models and self.count > 1 and below != self.count:
            says = f"{self.name} says {self.count} miniatures, and its models are {below}: how many is it?"
            yield RosterQuestion(where=self.name, asks="count", says=says)
        elif self.maybe is not None:
            says = f"Is {self.name} {self.count} or {self.maybe}?"
            yield RosterQuestion(where=self.name, asks="count", says=says)


class _Reading:
    """A text while a layout reads it."""

    def __init__(self, text: str, layout: Layout) -> None:
        self.layout = layout
        self.ledger = LineLedger(text)
        self.name: str | None = None
        self.entries: list[_Entry] = []
        self.totals: list[int] = []
        self._is_title_next = layout.is_title_first

    def sums(self) -> tuple[int, int]:
        """What the units cost together, and without what was spent of another's points."""
        costs = sum(entry.cost for entry in self.entries)
        return costs, costs - sum(entry.spent for entry in self.entries)

    def read_line(self, index: int, line: str) -> None:
        layout = self.layout
        kind, cells = self._match(line)
        if self._is_title_next and layout.first_line is not None:
            self._is_title_next = False
            if (first := layout.first_line.match(line)) is not None:
                self._enter_first_line(index, first.groupdict())
                return
        if self._is_title_next and (
            layout.title_after is not None or kind not in ("unit", "uncounted", "free", "total")
        ):
            self._is_title_next, self.name = False, line.strip(" #*=+-")[:80] or None
            self.ledger.enter(index, "title")
            return
        self._is_title_next = layout.title_after is not None and layout.title_after.match(line) is not None
        if layout.title is not None and self.name is None and (title := layout.title.match(line)) is not None:
            self.name = title["title"].strip()[:80]
        if kind in ("unit", "free", "uncounted"):
            self._enter_unit(index, kind, cells)
        elif kind == "model" and self.entries:
            self._enter_model(index, cells)
        elif kind in _LEDGER_KINDS and kind != "model":
            self.totals += [price_of(cells["total"] or "") or 0] if kind == "total" else []
            self.ledger.enter(index, _LEDGER_KINDS[kind])
        elif (
            is_frame(line)
            or (not self.entries and not any(map(str.isdigit, line)))
            or any(sign.match(line) for sign in layout.signature)
        ):
            self.ledger.enter(index, "title")
        else:
            self.ledger.enter(index, "unread", why=f"no line of {layout.program}")

    def _enter_first_line(self, index: int, cells: Cells) -> None:
        """A title with what the list costs, in the shape of a unit."""
        self.name = (cells.get("title") or "").strip()[:80] or None
        self.totals += [price_of(cells["total"] or "") or 0] if cells.get("total") else []
        self.ledger.enter(index, "title")

    def _match(self, line: str) -> tuple[str, Cells]:
        for kind, pattern in self.layout.lines:
            if (match := pattern.match(line)) is not None and not (kind != "total" and _is_plain_total(line)):
                return kind, match.groupdict()
        return "", {}

    def _enter_unit(self, index: int, kind: str, cells: Cells) -> None:
        entry = _Entry(cells, kind)
        if entry.is_believed:
            self.entries.append(entry)
            self.ledger.enter(index, "unit")
        else:
            self.ledger.enter(index, "unread", why="no unit has this name, or so many")

    def _enter_model(self, index: int, cells: Cells) -> None:
        count, name = int(cells.get("count") or 1), (cells.get("name") or self.entries[-1].name)[:80]
        if is_name(name) and 1 <= count <= MOST_IN_A_LINE:
            self.entries[-1].models.append(RosterModel(name=name, count=count))
            self.ledger.enter(index, "model")
        else:
            self.ledger.enter(index, "unread", why="no unit has so many models")


def _is_plain_total(line: str) -> bool:
    """A line of a total or a footer, which a pattern of units would take too."""
    return is_frame(line) and any(ch.isalpha() for ch in line)


def _counts_of(members: str) -> Iterator[int]:
    """Of `Leader & 9 Grunts` one and nine."""
    for part in re.split(r"\s*(?:&|,|\band\b)\s*", members):
        number = re.match(r"(\d{1,4})\s", part)
        yield int(number[1]) if number is not None else 1
