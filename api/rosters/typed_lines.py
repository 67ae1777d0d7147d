"""Typed lines: `3 Trencher, red, 30`, how many, name, side, size; the last resort for a text of no known layout."""

import re

from api.errors import UnclearRoster
from api.rosters.base_sizes import read_base_size
from api.rosters.conservation import MOST_IN_A_LINE, LineLedger, has_price, is_frame
from models.roster import LineKind, Remark, RosterList, RosterModel, RosterQuestion, RosterUnit

_LINE = re.compile(r"^(?:(\d{1,6})\s*[x×]?\s+)?([^,]+?)\s*(?:,\s*(.*))?$")
_SIZE = re.compile(r"(?i)(?:\d|[\s.x×*/()–-]|mm|bases?|round|square|oval|or|to|by)+")

_NUMBER_WORD = re.compile(
    r"(?i)(?:a (?:few|couple|pair)|some|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|zwei|drei|vier|fünf"
    r"|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|vingt|dos|tres|cuatro|cinco"
    r"|siete|ocho|nueve|diez|doce|veinte|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|venti|dwa|dwie|trzy"
    r"|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć)\b"
)


def read_typed_lines(text: str, *, name: str) -> RosterList:
    """A list as `3 Trencher, red, 30`; side and size may be left out, and so may the number where others have one.

    Raises: UnclearRoster when no line is a miniature.
    """
    units: list[RosterUnit] = []
    remarks: list[Remark] = []
    ledger = LineLedger(text)
    doubtful: list[str] = []
    for index, line in enumerate(map(str.strip, ledger.texts)):
        if not line:
            continue
        match = _LINE.match(line)
        if why := _why_no_unit(line, match):
            kind: LineKind = "title" if is_frame(line) else "unread"
            ledger.enter(index, kind, where=f"line {index + 1}", why=why)
            if kind == "title":
                remarks.append(Remark(where=f"line {index + 1}", text=line[:120], why=why))
        elif match is not None:
            units.append(_read_unit(match, remarks))
            ledger.enter(index, "unit")
            is_uncounted = match[1] is None and (match[3] is None or _may_count_in_words(match))
            if has_price(line) or is_uncounted or _has_second_number(match):
                doubtful.append(line)
                ledger.doubt(index)
    commas = [line.count(",") for line in ledger.texts if line.strip()]
    if len(commas) > 2 and len(set(commas[:-1])) == 1 and commas[-1] < commas[0]:  # cut in its last line
        doubtful.append(ledger.texts[-1].strip())
        ledger.doubt(len(ledger.texts) - 1)
    if not units:
        raise UnclearRoster("No line of this text names a miniature.", field="file", value=name)
    hint = "begin each line with a number, as “1 Name, side, 30”"
    questions = ledger.questions(hint=hint)
    if doubtful and not questions:
        shown = "; ".join(f"“{line[:60]}”" for line in doubtful[:5])
        says = f"No layout is known of this text, and it was read line by line: check {shown}, or {hint}."
        questions = (RosterQuestion(where="list", asks="lines", says=says),)
    return RosterList(
        format="lines",
        units=tuple(units),
        remarks=(*remarks, *ledger.remarks()),
        questions=questions,
        lines=ledger.lines(),
    )


def _may_count_in_words(match: re.Match[str]) -> bool:
    """Whether a line without a number says one in words, or more than a size: `three lads, 40 mm each`."""
    columns = [part.strip() for part in match[3].split(",") if any(ch.isdigit() for ch in part)]
    return _NUMBER_WORD.match(match[2]) is not None or not all(map(_SIZE.fullmatch, columns))


def _has_second_number(match: re.Match[str]) -> bool:
    """Whether points, or a second count, may stand in the name."""
    return any(ch.isdigit() or ch in "()[]{}:|@/\t" for ch in match[2])


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
