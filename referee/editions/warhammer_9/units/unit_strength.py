"""Unit strength: how many a unit counts for, whom casualties remove, and what it has done this turn."""

import math
from typing import Literal

from pydantic import JsonValue

from models.errors import BadQuery
from models.queries import Casualties, UnitStrength
from models.turn import ThisTurn
from models.unit import Unit
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    kind_of,
    leading_miniature,
    members_left,
    members_of,
    regiment,
)
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_STRENGTH = because("Unit Strength", 11, "The strengths of all its miniatures are added up.")
UNCOUNTED_MOVES = frozenset({"vanguard"})  # Source: Vanguard, p. 67: it does not count as having moved
_REMOVING = because("Removing Casualties", 11, "They come off the last rank; of a single rank from both ends in turn.")


def unit_strength(table: ExactTable, query: UnitStrength) -> RuleResult:
    """Unit strength: how many the unit counts for. Source: Unit Strength, p. 11; p. 69-73; Large Target, p. 36."""
    needs = [f"profile.wounds of {m}" for m in members_left(table, query.unit) if strength_of(table, m) is None]
    if needs:
        return RuleResult(status="unknown", needs=tuple(needs), because=(_STRENGTH,))
    strength = total_strength(table, query.unit)
    passed = [step for step in (parameters.FEW, parameters.MANY, parameters.LARGE_TARGET) if strength >= step]
    return RuleResult(
        status="measured",
        value={"strength": strength, "passed": list(passed), "large_target": strength >= parameters.LARGE_TARGET},
        because=(
            with_effect(table, _STRENGTH, f"{len(members_left(table, query.unit))} of them come to {strength:g}."),
        ),
        readings=("ridden-monster",),
        deciding_house_rules=("ridden-monster",) * _is_ridden_monster(table, query.unit),
    )


def total_strength(table: ExactTable, id_: str) -> float:
    """The strength of a unit; miniatures whose strength is not told count nothing. Source: Unit Strength, p. 11."""
    return sum(strength_of(table, m) or 0.0 for m in members_left(table, id_))


def strength_of(table: ExactTable, id_: str) -> float | None:
    """The strength of one miniature; None where it is its starting Wounds and the card lacks them.

    Source: p. 69-73; Unit Strength, p. 72: one more than its Wounds.
    """
    miniature = table.miniature(id_)
    if miniature.profile.unit_strength is not None:
        return miniature.profile.unit_strength
    by_kind = parameters.STRENGTH.get(kind_of(miniature))
    if by_kind is not None:
        return float(by_kind)
    wounds = miniature.profile.wounds
    more = table.reading("ridden-monster") == "character-rides" and _is_ridden_monster(table, id_)
    return None if wounds is None else wounds + more


def _is_ridden_monster(table: ExactTable, id_: str) -> bool:
    """Whether it may be one that a character rides, which no card tells from a monster that leads."""
    first = leading_miniature(table, id_)
    return kind_of(first) == "monster" and "character" in first.role and first.profile.unit_strength is None


def this_turn_of(table: ExactTable, id_: str) -> ThisTurn:
    """This turn's record of a unit: its own, else that of its first member."""
    thing = table.state.by_id[id_]
    if isinstance(thing, Unit) and thing.this_turn != ThisTurn():
        return thing.this_turn
    return leading_miniature(table, id_).this_turn


def has_moved(table: ExactTable, id_: str) -> bool:
    """Whether the unit, or a character in it, moved or turned this turn in a way that counts for shooting.

    Source: Moving and Shooting, p. 36; Movement, p. 82.
    """
    each = (this_turn_of(table, id_), *(table.miniature(m).this_turn for m in members_of(table, id_)))
    return any(not UNCOUNTED_MOVES.issuperset(deeds.moved) for deeds in each)


def has_charged(deeds: ThisTurn) -> bool:
    """Whether it charged this turn, in whichever of two ways that was told."""
    return deeds.charged is not None or "charge" in deeds.moved


def casualties(table: ExactTable, query: Casualties) -> RuleResult:
    """Casualties: who is removed, and where the others stand.

    Source: Removing Casualties, p. 11; Command Groups, p. 78-80.
    """
    own = regiment(table, query.unit)
    if query.lost > len(own.members):
        detail = f"lost: {query.unit} has {len(own.members)} left, so it cannot lose {query.lost}"
        raise BadQuery(detail, field="lost", value=query.lost)
    gone = _removal_order(table, own, query.lost)
    left = len(own.members) - len(gone)
    poses: dict[str, JsonValue] = {m: {"at_mm": [*at]} for m, at in _recentre_last_rank(own, gone).items()}
    ranks = sum(any(m not in gone for m in own.rank(rank)) for rank in range(own.ranks))
    return RuleResult(
        status="measured",
        value={
            "removed": list(gone),
            "poses": poses,
            "files": min(own.files, left) if own.ranks > 1 else left,
            "ranks": ranks,
        },
        because=(with_effect(table, _REMOVING, f"{len(gone)} come off, {left} are left."),),
    )


def _removal_order(table: ExactTable, own: Regiment, lost: int) -> list[str]:
    """Rank and file from the last rank's right; of a single rank from both ends in turn; the command last of all."""
    kept_last = command_group_order(table, own)
    gone: list[str] = []
    for rank in range(own.ranks - 1, -1, -1):
        row = [m for m in own.rank(rank) if m not in kept_last]
        ends = rank == 0
        while row and len(gone) < lost:
            gone.append(row.pop(0 if ends and len(gone) % 2 else -1))
    return [*gone, *kept_last][:lost]


def has_office(table: ExactTable, id_: str, office: Literal["standard", "musician", "champion"]) -> bool:
    """Whether a unit has one who bears that office: as it says itself, or by the role of a member. Source: p. 78-80."""
    unit = table.state.by_id[id_]
    has_one = isinstance(unit, Unit) and bool(getattr(unit, office))
    return has_one or any(office in table.miniature(m).role for m in members_of(table, id_))


def command_group_order(table: ExactTable, own: Regiment) -> list[str]:
    """Those whom others replace as long as anybody is there, in the order in which they fall at last.

    Source: Command Group Casualties, p. 81: musician, standard, champion; characters are no part of the unit's own.
    """
    unit = table.state.by_id.get(own.id)
    order = ("musician", "standard", "champion", "character")
    offices_by_id = {getattr(unit, word): word for word in order[:3]} if isinstance(unit, Unit) else {}
    ranked = [(order.index(word), m) for m in own.members if (word := _command_role(table, m, offices_by_id)) in order]
    return [m for _, m in sorted(ranked)]


def _command_role(table: ExactTable, id_: str, offices_by_id: dict[object, str]) -> str:
    offices = [word for word in ("character", "champion", "standard", "musician") if word in table.miniature(id_).role]
    return offices[0] if offices else offices_by_id.get(id_, "")


def _recentre_last_rank(own: Regiment, gone: list[str]) -> dict[str, Point]:
    """Where those of the short last rank stand, so that it is in the middle again."""
    if own.ranks == 1:
        return {}
    where = dict(zip(own.members, own.places, strict=True))
    ranks = [[m for m in own.rank(k) if m not in gone] for k in range(own.ranks)]
    last = max((k for k, row in enumerate(ranks) if row), default=0)
    if last == 0:
        return {}
    pitch = own.width_mm / own.files
    poses = {}
    for k, m in enumerate(ranks[last]):
        x = own.to_local(where[m], own.front)[0]
        at = own.to_table(x, ((len(ranks[last]) - 1) / 2 - k) * pitch, own.front)
        if math.dist(at, where[m]) > 1e-6:
            poses[m] = at
    return poses
