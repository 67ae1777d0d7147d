"""Several: who must be charged along with whom, and how several chargers share the side of one target."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from pydantic import JsonValue

from models.queries import MultiCharge
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import dice
from referee.editions.warhammer_9.arriving import Arrival, arrival
from referee.editions.warhammer_9.charging import side_of_charge
from referee.editions.warhammer_9.flush import Flush
from referee.editions.warhammer_9.odds import Odds, line_doubts, odds_to
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import garrisoned, members_of, regiment
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied

_SEVERAL = because("Declare Charge", 17, "An enemy whom every way would touch as well must be charged too.")
_SHARE = because("Multiple Charges", 21, "Together they bring the most into contact, then as evenly as they can.")


class Line(NamedTuple):
    """Chargers side by side along one side of a target: how many files of each touch, and how much room is to spare."""

    files: dict[str, int]
    theirs: int
    spare_mm: float

    @property
    def rank(self) -> tuple[int, int]:
        """The most in contact, then the most even."""
        return sum(self.files.values()) + self.theirs, min(self.files.values(), default=0)


def multi_charge(table: Situation, query: MultiCharge) -> Ruling:
    """Whether just those may be charged, and who finds room. Source: Declare Charge, p. 18; Multiple Charges, p. 21."""
    sides = {(a, t): side_of_charge(table, a, t)[0] or "front" for a in query.attackers for t in query.targets}
    ways = [_arrival(table, query, *pair, side) for pair, side in sides.items()]
    must = sorted({one for way in ways for one in way.must_also})
    lines = [_line(table, t, side, [a for a in query.attackers if sides[a, t] == side])
             for t, side in {(t, side) for (_, t), side in sides.items()}]  # fmt: skip
    places = {a: max((line.files.get(a, 0) for line in lines), default=0) for a in query.attackers}
    odds = {pair: found for pair in sides if (found := odds_to(table, *pair)) is not None}
    short = min((one.longest_mm - one.mm for one in odds.values()), default=CAPPED_MM)
    return Ruling(
        margin_mm=-CAPPED_MM if must else min(short, *(line.spare_mm for line in lines)),
        value={
            "must_also": [*must],
            "places": {a: files or None for a, files in places.items()},
            "fail": [a for a, files in places.items() if not files],
            "chances": _chances(odds),
        },
        because=(applied(table, _SEVERAL, f"Also touched: {', '.join(must) or 'nobody'}."), _SHARE),
        readings=("multi-charge-search", "most-contact", "charge-line"),
        doubtful=tuple(_in_doubt(table, ways, odds)),
        touches=members_of(table, query.attackers[0]),
    )


def _arrival(table: Situation, query: MultiCharge, attacker: str, target: str, side: str) -> Arrival:
    """One of the charges; the others who charge or are charged do not bar its way."""
    with_ = tuple(one for one in (*query.attackers, *query.targets) if one not in (attacker, target))
    return arrival(table, attacker, target, side, with_=with_)


def _in_doubt(table: Situation, ways: list[Arrival], odds: dict[tuple[str, str], Odds]) -> Iterator[str]:
    """The house rules on which it may hang here."""
    if not all(way.is_obvious for way in ways):
        yield "multi-charge-search"
    if any(key for (a, t), one in odds.items() for key in line_doubts(table, a, t, one)):
        yield "charge-line"


def _chances(odds: dict[tuple[str, str], Odds]) -> dict[str, JsonValue]:
    """The chance of each charge, and of reaching several targets with one roll: the farthest decides."""
    found: dict[str, JsonValue] = {}
    for attacker in {a for a, _ in odds}:
        own = {t: one for (a, t), one in odds.items() if a == attacker}
        for count in range(1, len(own) + 1):
            for some in combinations(own, count):
                least = max(own[t].needs(own[t].mm) for t in some)
                found[f"{attacker}>{'+'.join(some)}"] = dice.told(own[some[0]].name, least)
    return found


def _line(table: Situation, target: str, side: str, chargers: list[str]) -> Line:
    """The best way for chargers to stand along a side, in the order in which they come."""
    if garrisoned(table, target) is not None:
        return Line({a: regiment(table, a).files for a in chargers[:1]}, 0, CAPPED_MM)
    rows = {a: Flush.of(table, regiment(table, a), regiment(table, target), side) for a in chargers}
    order = sorted(chargers, key=lambda a: rows[a].straight_on_mm)
    within = sum(rows[a].own.width_mm for a in order[1:-1])
    long = max((one.long_mm for one in rows.values()), default=0.0)
    best = Line({}, 0, CAPPED_MM)
    for count in range(len(order), 0, -1):
        lines = [line for some in combinations(order, count) for line in _arranged(rows, some)]
        best = max(lines, key=lambda line: line.rank, default=best)
        if best.files and all(best.files.values()):
            break
    return best._replace(spare_mm=long - within if order else CAPPED_MM)


def _arranged(rows: dict[str, Flush], order: tuple[str, ...]) -> list[Line]:
    """These chargers side by side, wherever their files begin to touch."""
    first = rows[order[0]]
    whole = sum(rows[a].own.width_mm for a in order)
    wide = first.own.width_mm / first.files
    starts = {k * first.step_mm - j * wide for k in range(round(first.long_mm / first.step_mm) + 1) for j in range(200)
              if k * first.step_mm - j * wide > -whole}  # fmt: skip
    return [_counted(rows, order, start) for start in sorted(starts | {(first.long_mm - whole) / 2})]


def _counted(rows: dict[str, Flush], order: tuple[str, ...], start: float) -> Line:
    files, theirs = dict[str, int](), 0
    at = start
    for a in order:
        width = rows[a].own.width_mm
        files[a] = rows[a].touching(at + width / 2)[0]
        at += width
    first = rows[order[0]]
    for k in range(max(1, round(first.long_mm / first.step_mm))):
        low, high = k * first.step_mm, (k + 1) * first.step_mm
        theirs += low <= at + first.slack_mm and high >= start - first.slack_mm
    return Line(files, theirs, 0.0)
