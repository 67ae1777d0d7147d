"""Bolt thrower: whom a bolt pierces, rank after rank."""

from models.queries import BoltThrower
from models.verdict import Witness
from models.vocabulary import Point
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.shooting.war_machine_aim import certain_hit, muzzle
from referee.editions.warhammer_9.units.quadrants import quadrant_of
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    garrisoned_building,
    is_skirmishing,
    members_of,
    regiment,
)
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_BOLT = because("Bolt Throwers", 87, "The bolt goes on through the ranks, a point weaker each.")
_BOLT_STRENGTH = 6


def bolt_thrower(table: ExactTable, query: BoltThrower) -> RuleResult:
    """Bolt thrower: whom the bolt pierces, and with what strength.

    Source: Bolt Throwers, p. 87-88; Buildings, p. 99.
    """
    own, start = regiment(table, query.target), muzzle(table, query.attacker)
    side, border = quadrant_of(table, own, start, members_of(table, query.attacker)[:1])
    line = _bolt_line(table, own, start, side)
    if is_skirmishing(table, query.target) or garrisoned_building(table, query.target) is not None:
        line = line[:1]  # no ranks to go through
    pierced = line[:_BOLT_STRENGTH]
    plain = [m for m in own.members if "character" not in table.miniature(m).role]
    safe = len(plain) >= parameters.LOOK_OUT_RANK_AND_FILE
    return RuleResult(
        status="measured",
        value={
            "side": side,
            "border_mm": border,
            "by_id": {id_: {"strength": _BOLT_STRENGTH - k} for k, id_ in enumerate(pierced)},
            "characters_safe": safe,
        },
        lengths_mm={"border": border},
        members=tuple(certain_hit(table, id_) for id_ in pierced),
        witness=(
            Witness(type="segment", role="path", points_mm=(start, own.centre), of=(query.attacker, query.target)),
        ),
        because=(with_effect(table, _BOLT, f"It comes from the {side}: {len(pierced)} ranks at most."),),
        advice=None if safe else "Fewer than five of the rank and file: roll who of the rank is hit (p. 88).",
        readings=("arc-corners",),
        doubtful=("arc-corners",) if len(own.members) > 1 else (),
        depends_on_place=(*members_of(table, query.attacker)[:1], *own.rank(0)),
    )


def _bolt_line(table: ExactTable, own: Regiment, start: Point, side: str) -> list[str]:
    """One of each rank in the order in which the bolt comes to them; from a flank the files are the ranks.

    Characters are passed over where others stand in their rank. Source: Bolt Throwers, p. 87-88.
    """
    local = {m: own.to_local(p, own.front) for m, p in zip(own.members, own.places, strict=True)}
    x, y = own.to_local(start, own.front)
    if side in ("left", "right"):
        files = [[m for m in own.members if own.file_of(m) == k] for k in range(own.files)]
        rows = files if side == "left" else files[::-1]
        picked = [min(row, key=lambda m: (_is_character(table, m), abs(local[m][0] - x))) for row in rows if row]
    else:
        ranks = [own.rank(k) for k in range(own.ranks)]
        rows_ = ranks if side != "rear" else ranks[::-1]
        picked = [min(row, key=lambda m: (_is_character(table, m), abs(local[m][1] - y))) for row in rows_ if row]
    return picked


def _is_character(table: ExactTable, id_: str) -> bool:
    return "character" in table.miniature(id_).role
