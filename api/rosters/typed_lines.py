"""Typed lines: `3 Trencher, red, 30`, how many, who, whose, how large; side and size may be left out."""

import re

from api.errors import BadRoster
from api.rosters.base_sizes import read_base_size
from models.roster import Remark, RosterList, RosterModel, RosterUnit

_LINE = re.compile(r"^(?:(\d{1,4})\s*[x×]?\s+)?([^,]+?)\s*(?:,\s*(.*))?$")


def read_typed_lines(text: str, *, name: str) -> RosterList:
    """The list in these lines; what is no miniature is kept as a remark. Raises: BadRoster when none is one."""
    units, remarks = [], []
    for number, line in enumerate((line.strip() for line in text.splitlines()), start=1):
        if not line:
            continue
        found = _LINE.match(line)
        if found is None or len(line) > 200 or not any(ch.isalpha() for ch in found[2]):
            remarks.append(Remark(where=f"line {number}", text=line[:120], why="no count and name"))
            continue
        sizes = [part for part in (found[3] or "").split(",") if any(ch.isdigit() for ch in part)]
        read = read_base_size(sizes[-1]) if sizes else None
        if read is not None and read.why is not None:
            remarks.append(Remark(where=found[2], text=f"base {sizes[-1].strip()}", why=read.why))
        model = RosterModel(
            name=found[2][:80], count=max(1, int(found[1] or 1)), base=None if read is None else read.base
        )
        units.append(RosterUnit(name=found[2][:80], models=(model,)))
    if not units:
        raise BadRoster("No line of this text names a miniature.", field="file", value=name)
    return RosterList(format="lines", units=tuple(units), remarks=tuple(remarks))
