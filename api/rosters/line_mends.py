"""Line mends: what a player says of lines of a text that were not understood: each a unit of so many, or none."""

import re
from collections.abc import Sequence

from pydantic import Field

from api.errors import BadRoster, UnclearRoster
from api.rosters.conservation import MOST_IN_A_LINE, POINTS_WORD, LineLedger, is_name
from api.rosters.file_opening import clean_text
from api.rosters.html_page import is_html_page, page_text, with_page_question
from api.rosters.read import read_roster
from models.frozen import Frozen
from models.roster import Remark, RosterLine, RosterList, RosterModel, RosterUnit

_PRICE = re.compile(rf"(?i)[(\[]?\s*\d[\d.,]*\s*{POINTS_WORD}\s*[)\]]?|\.{{3,}}.*$")
_COUNT_BEFORE = re.compile(r"^(\d{1,3})\s*[x×:;|.)-]?\s*(?=[^\W\d])")
_COUNT_BEHIND = re.compile(r"(?i)(?:[(\[]\s*|\b[x×]\s*)(\d{1,3})\s*(?:[x×]|models?|minis?)?\s*[)\]]?\W*$")


class LineMend(Frozen):
    """A line is this unit, or none and left out."""

    line: int = Field(ge=1, description="of the text, from 1")
    name: str | None = Field(None, min_length=1, max_length=80, description="of the unit; null: the line is left out")
    count: int = Field(1, ge=1, le=MOST_IN_A_LINE)


def read_mended(text: str, mends: Sequence[LineMend] = (), *, name: str = "list") -> RosterList:
    """The list in this text, with the mended lines as the player says; a text of which nothing is understood is one of
    no unit. Raises: BadRoster for what is no text of a list, or a mend of a line that is not in it.
    """
    plain = clean_text(text, name)
    is_page = is_html_page(plain.encode())
    lines = (page_text(plain, name) if is_page else plain).splitlines()
    said = {mend.line: mend for mend in mends}
    for number, mend in said.items():
        if number > len(lines) or not lines[number - 1].strip():
            raise BadRoster(f"There is no line {number} in the text to mend.", field="mends", value=number)
        if mend.name is not None and not is_name(mend.name):
            raise BadRoster(f"No unit is called {mend.name!r}.", field="mends", value=mend.name)
    rest = "\n".join("" if number in said else line for number, line in enumerate(lines, start=1))
    read = _read_rest(rest, name)
    units = tuple(_unit_of(mend.name, mend.count) for mend in said.values() if mend.name is not None)
    remarks = tuple(_remark(mend, lines[mend.line - 1]) for mend in said.values())
    mended = tuple(
        RosterLine(
            number=number,
            text=lines[number - 1].strip()[:200],
            kind="unit" if said[number].name is not None else "title",
        )
        for number in said
    )
    everything = sorted((*read.lines, *mended), key=lambda line: line.number)
    changed = {"units": (*read.units, *units), "remarks": (*remarks, *read.remarks), "lines": tuple(everything)}
    roster = RosterList(**{**dict(read), **changed})
    return with_page_question(roster) if is_page else roster


def _read_rest(text: str, name: str) -> RosterList:
    if not text.strip():
        return RosterList(format="lines", units=())
    try:
        return read_roster(text.encode(), name=name)
    except UnclearRoster:
        ledger = LineLedger(text)
        return RosterList(
            format="lines", units=(), remarks=ledger.remarks(), questions=ledger.questions(), lines=ledger.lines()
        )


def _unit_of(name: str, count: int) -> RosterUnit:
    return RosterUnit(name=name, models=(RosterModel(name=name, count=count),))


def _remark(mend: LineMend, line: str) -> Remark:
    why = "left out by a player" if mend.name is None else f"a player says: {mend.count} {mend.name}"
    return Remark(where=f"line {mend.line}", text=line.strip()[:120], why=why)


def propose_unit(line: str) -> tuple[str, int]:
    """What a line would be as a unit, for a player to mend: its words without prices, and a number beside them."""
    bare = re.sub(r"\s+", " ", _PRICE.sub(" ", line)).strip(" \t•◦▪‣∙·*+#=>-–—:;|.,")
    before = _COUNT_BEFORE.match(bare)
    behind = None if before is not None else _COUNT_BEHIND.search(bare)
    match = before or behind
    count = int(match[1]) if match is not None else 1
    label = bare if match is None else bare[match.end() :] if before is not None else bare[: match.start()]
    name = label.split(",")[0].strip(" \t:;|.,-–—([")[:80]
    return (name if is_name(name) else "", count if 1 <= count <= MOST_IN_A_LINE else 1)
