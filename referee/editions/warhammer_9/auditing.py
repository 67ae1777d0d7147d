"""Auditing: whether all on the table keep the inch that they owe one another, as they stand."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from pydantic import JsonValue

from models.queries import OneInchRule
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Witness
from referee.clauses import Conditions, all_settled
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.engaged import contact_mm, engaged_with
from referee.editions.warhammer_9.measuring import Apart, apart, body, place_doubts, ruler
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import all_regiments, are_friends, garrisoned, kind_of, leading, members_of
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.spacing import is_closed, one_inch_of
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_APART = because('1" Apart', 15, "An inch is kept from every other unit and from impassable terrain.")
_CHARGED = because('1" Apart', 15, "Who came to stand there by a charge, or fights, may stand closer.")
_NEAR_MM = 5.0  # what is that much farther than the nearest may turn out the nearest
_INDOORS = frozenset({"infantry", "war-beast", "swarm"})


@dataclass(frozen=True)
class Pair:
    """Two that stand near one another, and why they may; None where they owe one another an inch."""

    a: str
    b: str
    between: Apart
    exempt: str | None

    @property
    def margin_mm(self) -> float:
        return self.between.mm - parameters.SPACING_MM


def one_inch_rule(table: Situation, query: OneInchRule) -> Ruling:
    """Whether an inch is kept wherever it is owed: by one on its way, or by all as they stand. Source: p. 15."""
    return _whole_table(table) if query.mover is None else one_inch_of(table, query, query.mover)


def _whole_table(table: Situation) -> Ruling:
    pairs = table.settled("pairs near one another", lambda still: tuple(_pairs(still)))
    owed = [one for one in pairs if one.exempt is None]
    found = Ruling(margin_mm=CAPPED_MM) if not owed else all_settled(table, "an inch apart", _conditions(owed))
    if table.nudges:
        return found
    close = [one for one in pairs if one.margin_mm < 0]
    told = "Nobody is near another." if not owed else _told(table, min(owed, key=lambda one: one.margin_mm))
    return replace(
        found,
        value={"pairs": [_spelt(one) for one in close], "shift_mm": max(0.0, -(found.margin_mm or 0.0))},
        witness=tuple(_witness(table, pairs)),
        members=() if table.lean else tuple(_members(table, owed)),
        because=(applied(table, _APART, told), *([_CHARGED] if any(one.exempt for one in close) else [])),
        readings=("one-inch-exact",),
        doubtful=_doubts(table, owed),
    )


def _conditions(owed: list[Pair]) -> Conditions:
    return tuple((f"{one.a}|{one.b}", partial(_kept, a=one.a, b=one.b)) for one in owed)


def _kept(table: Situation, *, a: str, b: str) -> Ruling:
    """Whether these two are an inch apart."""
    between = apart(table, a, b)
    legal = table.reading("one-inch-exact") == "legal"
    return Ruling(margin_mm=between.mm - parameters.SPACING_MM, zero_is_met=legal, touches=between.touches)


def _doubts(table: Situation, owed: list[Pair]) -> tuple[str, ...]:
    exact = ["one-inch-exact"] * any(abs(one.margin_mm) < 1e-6 for one in owed)
    return tuple(dict.fromkeys((*exact, *(key for one in owed for key in place_doubts(table, one.a, one.b)))))


def _pairs(table: Situation) -> Iterator[Pair]:
    """Of everybody the nearest ones, and all that are closer than an inch; each pair once."""
    units = [one for one in all_regiments(table) if garrisoned(table, one) is None]
    closed = [t.id for t in table.state.terrain if is_closed(t)]
    discs = {one: _disc(table, one) for one in (*units, *closed)}
    seen = set[tuple[str, str]]()
    for unit in units:
        for one in _near(table, unit, [other for other in discs if other != unit], discs):
            if (one.b, one.a) not in seen:
                seen.add((one.a, one.b))
                yield one


def _near(table: Situation, unit: str, others: list[str], discs: "Discs") -> list[Pair]:
    """Whom a unit stands nearest to of those it owes an inch, and all who are closer than that."""
    (x, y), reach = discs[unit]
    rough = sorted((abs(complex(*at) - complex(x, y)) - reach - far, one) for one in others for at, far in [discs[one]])
    found: list[Pair] = []
    least = CAPPED_MM
    for bound, other in rough:
        if bound > max(least, parameters.SPACING_MM) + _NEAR_MM:
            break
        between = apart(table, unit, other)
        found.append(Pair(unit, other, between, _exempt(table, unit, other, between.mm)))
        least = min([least, *(one.between.mm for one in found[-1:] if one.exempt is None)])
    return [one for one in found if one.between.mm <= max(least, parameters.SPACING_MM) + _NEAR_MM]


Discs = dict[str, tuple[tuple[float, float], float]]


def _disc(table: Situation, id_: str) -> tuple[tuple[float, float], float]:
    """A disc round all that is measured of it."""
    parts = [part for _, area in body(table, id_) for part in area.parts]
    x, y = (sum(part.centre[k] for part in parts) / len(parts) for k in (0, 1))
    return (x, y), max(abs(complex(*part.centre) - complex(x, y)) + part.reach_mm for part in parts)


def _exempt(table: Situation, a: str, b: str, mm: float) -> str | None:
    """Why they may be closer than an inch. Source: p. 15; Joining Units, p. 81; Buildings, p. 99."""
    touches = mm <= contact_mm(table)
    if isinstance(table.state.by_id[b], Terrain):
        enters = touches and table.state.by_id[b].kind == "building" and kind_of(leading(table, a)) in _INDOORS  # type: ignore[union-attr]
        return "entering" if enters else _by_charge(table, a)
    joins = touches and are_friends(table, a, b) and any(_is_character(table, one) for one in (a, b))
    return "joining" if joins else _by_charge(table, a) or _by_charge(table, b)


def _by_charge(table: Situation, id_: str) -> str | None:
    """Whether a charge brought it to where it stands, or it fights."""
    if engaged_with(table, id_):
        return "fighting"
    deeds = deeds_of(table, id_)
    return "charged" if deeds.charged is not None or "charge" in deeds.moved else None


def _is_character(table: Situation, id_: str) -> bool:
    return len(members_of(table, id_)) == 1 and "character" in leading(table, id_).role


def _members(table: Situation, owed: list[Pair]) -> Iterator[Candidate]:
    """Every unit with the least that it keeps."""
    for unit in dict.fromkeys(id_ for one in owed for id_ in (one.a, one.b)):
        if isinstance(table.state.by_id[unit], Terrain):
            continue
        conditions = _conditions([one for one in owed if unit in (one.a, one.b)])
        rule = partial(_kept_by, unit=unit, conditions=conditions)
        yield Candidate(unit, rule(table), rule)


def _kept_by(table: Situation, *, unit: str, conditions: Conditions) -> Ruling:
    return all_settled(table, ("an inch apart", unit), conditions)


def _spelt(one: Pair) -> JsonValue:
    at: JsonValue = [[*one.between.gap.at_a], [*one.between.gap.at_b]]
    return {"a": one.a, "b": one.b, "gap_mm": one.between.mm, "margin_mm": one.margin_mm, "exempt": one.exempt,
            "at": at}  # fmt: skip


def _witness(table: Situation, pairs: tuple[Pair, ...]) -> Iterator[Witness]:
    """The line between all who are too close, and between those who are nearest to it."""
    owed = [one for one in pairs if one.exempt is None]
    nearest = min(owed, key=lambda one: one.margin_mm, default=None)
    for one in pairs:
        if one.margin_mm < 0:
            yield ruler(table, one.between, "blocked" if one.exempt is None else "touching")
        elif one is nearest:
            yield ruler(table, one.between, "clear")


def _told(table: Situation, one: Pair) -> str:
    return f"{name_of(table, one.a)} and {name_of(table, one.b)} are {length(max(0.0, one.between.mm))} apart."
