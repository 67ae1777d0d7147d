"""Column table: a list as CSV or as pasted from a spreadsheet, its columns known by what stands above them."""

import csv
import re

from api.rosters.base_sizes import read_base_size
from api.rosters.conservation import MOST_IN_A_LINE, LineLedger, ask_about_points, is_frame, is_name, price_of
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterUnit

_COLUMNS = {
    "name": r"units?|names?|entry|miniatures?|einheit|name|unité|nom|unidad|nombre|unità|nome|jednostka|nazwa",
    "count": r"counts?|qty|quantity|models?|no\.?|number|#|size|anzahl|modelle|nombre de figurines|effectif|cantidad"
             r"|modelos|quantità|modelli|ilość|modele",
    "points": r"points?|pts\.?|cost|punkte|kosten|coût|puntos|coste|punti|costo|punkty|koszt",
    "base": r"bases?( size)?|basegröße|socle|peana|basetta|podstawka",
}  # fmt: skip
_SEPARATORS = "\t;,|"


def separator_of(text: str) -> str | None:
    """What parts the columns, where the first line names a unit and its count or points; None for any other text."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for separator in _SEPARATORS:
        columns = _columns_of(first, separator)
        if "name" in columns and ("count" in columns or "points" in columns):
            return separator
    return None


def read_column_table(text: str, separator: str) -> RosterList:
    """The list in this table; a row that is no unit is shown as not understood."""
    ledger = LineLedger(text)
    rows = [(index, line) for index, line in enumerate(ledger.texts) if line.strip()]
    columns = _columns_of(rows[0][1], separator)
    ledger.enter(rows[0][0], "title")
    units: list[RosterUnit] = []
    costs, totals = 0, list[int]()
    remarks = [Remark(where="list", text="no game named", why="no rulebook of ours: names and counts only")]
    for index, line in rows[1:]:
        parts = _split(line, separator)
        cells = {kind: parts[column] for kind, column in columns.items() if column < len(parts)}
        price = price_of(cells.get("points", "")) or 0
        if len(parts) <= max(columns.values()):
            ledger.enter(index, "unread", why="fewer columns than the first row")
        elif is_frame(cells.get("name", "")):
            ledger.enter(index, "title")
            totals += [price] if price else []
        elif (unit := _read_row(cells, has_count="count" in columns, remarks=remarks)) is not None:
            units.append(unit)
            costs += price
            ledger.enter(index, "unit")
        else:
            ledger.enter(index, "unread", why="no name, or no count from 1 to 200")
    return RosterList(
        format="text", program="a table", units=tuple(units), counts=RosterCounts(unit_selections=len(units)),
        remarks=(*remarks, *ledger.remarks()), lines=ledger.lines(),
        questions=(*ledger.questions(hint="export the table again"), *ask_about_points(totals, (costs,))),
    )  # fmt: skip


def _read_row(cells: dict[str, str], *, has_count: bool, remarks: list[Remark]) -> RosterUnit | None:
    name, written = cells.get("name", "")[:80], cells.get("count", "")
    count = int(written) if written.isdecimal() and len(written) < 5 else 1 if not has_count else 0
    if not is_name(name) or not 1 <= count <= MOST_IN_A_LINE:
        return None
    size = cells.get("base", "")
    read = read_base_size(size) if size else None
    if read is not None and read.why is not None:
        remarks.append(Remark(where=name, text=f"base {size}", why=read.why))
    model = RosterModel(name=name, count=count, base=None if read is None else read.base)
    return RosterUnit(name=name, models=(model,), points=price_of(cells.get("points", "")))


def _columns_of(line: str, separator: str) -> dict[str, int]:
    columns: dict[str, int] = {}
    for index, title in enumerate(_split(line, separator)):
        kind = next((kind for kind, titles in _COLUMNS.items() if re.fullmatch(titles, title, re.IGNORECASE)), None)
        if kind is not None:
            columns.setdefault(kind, index)
    return columns


def _split(line: str, separator: str) -> list[str]:
    return [part.strip() for part in next(csv.reader([line], delimiter=separator), [])]
