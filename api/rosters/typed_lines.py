"""Typed lines: `3 Trencher, red, 30`, how many, name, side, size; the last resort for a text of no known layout."""

import re

from api.errors import BadRoster
from api.rosters.base_sizes import read_base_size
from api.rosters.conservation import MOST_IN_A_LINE, ask_about_lines, has_price, is_frame
from models.roster import Remark, RosterList, RosterModel, RosterUnit

_LINE = re.compile(r"^(?:(\d{1,6})\s*[x×]?\s+)?([^,]+?)\s*(?:,\s*(.*))?$")
_SIZE = re.compile(r"(?i)(?:\d|[\s.x×*/()–-]|mm|bases?|round|square|oval|or|to|by)+")


def read_typed_lines(text: str, *, name: str) -> RosterList:
    """A list as `3 Trencher, red, 30`; side and size may be left out, and so may the number where others have one.

    Raises: BadRoster when no line is a miniature.
    """
    units: list[RosterUnit] = []
    remarks: list[Remark] = []
    doubtful: list[str] = []
    written = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for number, line in written:
        match = _LINE.match(line)
        if why := _why_no_unit(line, match):
            remarks.append(Remark(where=f"line {number}", text=line[:120], why=why))
            doubtful += [line] * (not is_frame(line))
        elif match is not None:
            units.append(_read_unit(match, remarks))
            doubtful += [line] * (has_price(line) or (match[1] is None and match[3] is None))
    if not units:
        raise BadRoster("No line of this text names a miniature.", field="file", value=name)
    return RosterList(
        format="lines", units=tuple(units), remarks=tuple(remarks),
        questions=ask_about_lines(doubtful, len(written), hint="begin each line with a number, as “1 Name, side, 30”"),
    )  # fmt: skip


def _why_no_unit(line: str, match: re.Match[str] | None) -> str | None:
    if match is None or len(line) > 200 or not any(ch.isalpha() for ch in match[2]):
        return "no count and name"
    if is_frame(line):
        return "a title, a total or a footer"
    if (match[1] is not None and match[2][0] in "-–—:;|/") or re.match(r"\d+\s*[:;|]", match[2]):
        return "a number that may be points"
    if sum(any(ch.isdigit() for ch in part) for part in (match[3] or "").split(",")) > 1:
        return "several numbers: which is the count, which the size?"
    if match[1] is not None and not 1 <= int(match[1]) <= MOST_IN_A_LINE:
        return "no unit has so many" if int(match[1]) else "none of them"
    return "points, and no count" if match[1] is not None and has_price(f"{match[1]} {match[2]}") else None


def _read_unit(match: re.Match[str], remarks: list[Remark]) -> RosterUnit:
    columns = [part.strip() for part in (match[3] or "").split(",") if any(ch.isdigit() for ch in part)]
    sizes = [column for column in columns if _SIZE.fullmatch(column)]
    read = read_base_size(sizes[-1]) if sizes else None
    if read is not None and read.why is not None:
        remarks.append(Remark(where=match[2], text=f"base {sizes[-1]}", why=read.why))
    remarks += [
        Remark(where=match[2], text=column[:120], why="points, or no size of a base")
        for column in columns
        if column not in sizes
    ]
    model = RosterModel(name=match[2][:80], count=int(match[1] or 1), base=None if read is None else read.base)
    return RosterUnit(name=match[2][:80], models=(model,))
