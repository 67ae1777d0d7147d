"""Pursuit: whether those who flee are caught, and where both end."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pydantic import JsonValue

from models.queries import Pursuit
from models.terrain import Terrain
from models.verdict import CAPPED_MM, Witness
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.movement import movement_dice, path_legs
from referee.editions.warhammer_9.movement.flight import (
    Flight,
    casualties_of,
    flight_obstructions,
    resolve_flight,
    running_distance_mm,
    told_distance_mm,
)
from referee.editions.warhammer_9.movement.spacing import impassable_edges
from referee.editions.warhammer_9.movement.table_edge import find_edge_contact, unit_vector
from referee.editions.warhammer_9.movement.turn_ledger import ledger_of
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.quadrants import quadrant
from referee.editions.warhammer_9.units.regiment import are_friends, members_of, regiment
from referee.geometry.shapes import RoundedShape
from referee.motion.block_pose import BlockPose
from referee.motion.sweep import stretch_within
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_margin_met, is_more_than

_PURSUE = because(
    "Flee and Pursue", 50, "It turns to where they fled, goes straight on, and catches them if it runs as far."
)
_HALT = because("Move Pursuers", 51, "An inch short of friends and impassable terrain; a fresh enemy it charges.")


@dataclass(frozen=True)
class Chase:
    """Chase: where the pursuers end, what stops them, and the fresh enemy whom they reach."""

    end: BlockPose
    stopped_by: str | None
    contact: str | None
    leaves: bool
    """Whether they run over a table edge. Source: Pursuit off the Battlefield, p. 51."""

    def value(self) -> dict[str, JsonValue]:
        result = "returns" if self.leaves else "stays"
        return {"stopped_by": self.stopped_by, "contact": self.contact, "result": result}


def pursuit(table: ExactTable, query: Pursuit) -> RuleResult:
    """Pursuit: whether those who flee are caught, and where both end.

    Source: Roll to Pursue, Caught, p. 50; Move Pursuers, Overrun, Pursuit off the Battlefield, p. 51.
    """
    chasing = movement_dice.running_dice(table, query.winner)
    value: dict[str, JsonValue] = {}
    if query.loser is not None:
        handicap = movement_dice.barding_penalty_in(table, query.winner) - movement_dice.barding_penalty_in(
            table, query.loser
        )
        p = caught_chance(chasing, movement_dice.running_dice(table, query.loser), handicap)
        value["chance"] = {"needs": None, "dice": chasing, "exact": str(p), "p": float(p)}
    acts = ("pursue", "overrun") if query.loser is None else ("pursue",)
    if why := ledger_of(table, query.winner).rules_against(acts):
        return RuleResult(status="measured", value={"may_pursue": False}, because=tuple(why))
    if query.dice.pursue is None or (query.loser is not None and query.dice.flee is None):
        return RuleResult(status="measured", value=value, because=(_PURSUE,))
    chased = told_distance_mm(table, query.winner, query.dice.pursue, field="dice.pursue")
    ran = 0.0
    if query.loser is not None and query.dice.flee is not None:
        ran = told_distance_mm(table, query.loser, query.dice.flee, field="dice.flee")
    caught = query.loser is not None and is_margin_met(chased - ran)
    run = None if query.loser is None else resolve_flight(table, query.loser, (query.winner,), ran)
    chase = _resolve_pursuit(table, query, run, caught=caught)
    poses, paths = _run_poses_and_paths(table, query.winner, chase.end, "pursuit")
    if run is not None and query.loser is not None:
        more, ways = _run_poses_and_paths(table, query.loser, run.end, "flee")
        poses, paths = poses | more, paths | ways
    ahead = chased - ran if query.loser is not None else CAPPED_MM
    if chase.contact is not None:
        winner = regiment(table, query.winner)
        value["side"] = quadrant(regiment(table, chase.contact), winner.centre, winner.outline_ids)[0]
    if caught and query.loser is not None:
        value["casualties"] = casualties_of(table, query.winner, query.loser).value()
    return RuleResult(
        margin_mm=ahead,
        value=value | {"poses": poses, "paths": paths, **chase.value()},
        witness=_draw_runs(table, query, chase.end, run),
        because=(with_effect(table, _PURSUE, _explain_pursuit(table, query, chase, caught=caught)), _HALT),
        readings=("pursuit-landing", "toward-from"),
        deciding_house_rules=() if table.margins_only else tuple(_deciding_house_rules(table, query, run, ran, chased)),
        depends_on_place=members_of(table, query.winner)[:1],
    )


def _explain_pursuit(table: ExactTable, query: Pursuit, chase: Chase, *, caught: bool) -> str:
    text = "They overrun." if query.loser is None else "They are caught." if caught else "They get away."
    back = f" They leave over {chase.stopped_by} and return there as reinforcements in their next movement phase."
    halted = chase.stopped_by is not None and not chase.leaves
    halt = f" {name_of(table, chase.stopped_by)} stops them."
    return text + back * chase.leaves + halt * halted


def _deciding_house_rules(
    table: ExactTable, query: Pursuit, run: Flight | None, ran: float, chased: float
) -> Iterator[str]:
    """The house rules under whose other readings they end elsewhere: where they flee to, and who lands upon them."""
    if run is None or query.loser is None:
        return
    if any(
        resolve_flight(reading, query.loser, (query.winner,), ran) != run
        for reading in table.other_readings("toward-from")
    ):
        yield "toward-from"
    ends = {
        _resolve_pursuit(reading, query, run, caught=is_margin_met(chased - ran))
        for reading in (table, *table.other_readings("pursuit-landing"))
    }
    if len(ends) > 1:
        yield "pursuit-landing"


def _draw_runs(table: ExactTable, query: Pursuit, end_pose: BlockPose, run: Flight | None) -> tuple[Witness, ...]:
    """The ways of both, and where they end."""
    ends = [(query.winner, end_pose)] if run is None else [(query.winner, end_pose), (query.loser or "", run.end)]
    shown: list[Witness] = []
    for id_, end in ends:
        own = BlockPose.of(regiment(table, id_))
        shown += path_legs.draw_legs(own, end, path_legs.turn_and_run_legs(own, end), id_)
    return tuple(shown)


def _run_poses_and_paths(
    table: ExactTable, id_: str, end_pose: BlockPose, what: str
) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """Poses and paths of a unit that turned about its centre and ran on."""
    own = regiment(table, id_)
    legs = path_legs.label_legs(what, path_legs.turn_and_run_legs(BlockPose.of(own), end_pose))
    return path_legs.unit_poses(table, own, end_pose), {id_: legs}


def caught_chance(chasing: str, running: str, handicap: int = 0) -> Fraction:
    """The chance that the pursuers run at least as far. Source: Caught, p. 50; Barding, p. 77."""
    return sum(
        (
            p * movement_dice.chance_at_least(chasing, roll + handicap)
            for roll, p in movement_dice.roll_distribution(running).items()
        ),
        Fraction(0),
    )


def _resolve_pursuit(table: ExactTable, query: Pursuit, run: Flight | None, *, caught: bool) -> Chase:
    """Where the pursuers end, what stops them, and the fresh enemy whom they reach. Source: Move Pursuers, p. 51."""
    own = BlockPose.of(regiment(table, query.winner))
    start = own
    if run is not None:
        (x, y), (tx, ty) = own.centre, run.end.centre
        start = own.rotate(math.atan2(ty - y, tx - x) - own.facing_rad, own.centre)
    heading = unit_vector(start.facing_rad)
    by_mm, stopped_by, contact = running_distance_mm(table, query.winner, query.dice.pursue or 0), None, None
    fled = _find_fled(table, query, run, start, caught=caught)
    if fled is not None:
        landed_mm = _landing_mm(table, by_mm, fled, caught=caught)
        by_mm, stopped_by = landed_mm, query.loser if landed_mm != by_mm else None
    for id_, shape in (*flight_obstructions(table, query.winner), *impassable_edges(table, query.winner)):
        halt_mm = None if id_ == query.loser else _halt_mm(table, query.winner, start, id_, shape, by_mm)
        if halt_mm is not None:
            by_mm, stopped_by = halt_mm, id_
            contact = id_ if _is_fresh_enemy(table, query.winner, id_) else None
    edge, on = find_edge_contact(table, start, heading), members_of(table, query.winner)[:1]
    leaves = is_at_least(by_mm, edge.after_mm, f"pursues over {edge.edge},", on)
    if leaves:
        by_mm, stopped_by, contact = edge.after_mm, edge.edge, None
    elif fled is not None and (caught or table.reading("pursuit-landing") != "push") and fled[0] < by_mm < fled[1]:
        by_mm, contact = max(0.0, min(by_mm, fled[0])), None  # what stops it stands so near that it stays before
    return Chase(start.translate(by_mm), stopped_by, contact, leaves)


def _find_fled(
    table: ExactTable, query: Pursuit, run: Flight | None, start: BlockPose, *, caught: bool
) -> tuple[float, float] | None:
    """Between which travels the pursuers are within an inch of those who fled; None where nobody is left of them."""
    gone = run is None or query.loser is None or run.is_off
    if gone or run is None or (caught and casualties_of(table, query.winner, query.loser or "").is_all):
        return None
    return stretch_within(start.shape, unit_vector(start.facing_rad), run.end.shape, parameters.SPACING_MM)


def _landing_mm(table: ExactTable, by_mm: float, fled: tuple[float, float], *, caught: bool) -> float:
    """How far the pursuers go for those who fled: an inch behind the caught, an inch before who got away.

    Source: Caught, p. 50; Direction of Pursuit, p. 53.
    """
    how, (before, behind) = table.reading("pursuit-landing"), fled
    if caught:
        return max(0.0, behind)
    if how == "before":
        return max(0.0, before) if before < by_mm and behind > 0 else by_mm
    return behind if how == "behind" and before < by_mm < behind else by_mm


def _halt_mm(
    table: ExactTable, winner: str, start: BlockPose, id_: str, shape: RoundedShape, by_mm: float
) -> float | None:
    """How far the pursuers get that something halts before they have gone so far; None where it does not.

    A fresh enemy is touched; to all else an inch is left. What stands within the inch already halts them only if they
    would run into it. Source: Pursuit into an Obstruction, Pursuit into a New Enemy, p. 51.
    """
    heading, on = unit_vector(start.facing_rad), (members_of(table, winner)[0], id_)
    touched = stretch_within(start.shape, heading, shape)
    meets = touched is not None and is_at_least(touched[0], 0.0, "runs ahead into", on)
    if _is_fresh_enemy(table, winner, id_):
        if touched is None or not meets or not is_at_least(by_mm, touched[0], "runs as far as", on):
            return None
        return max(0.0, touched[0])
    near = stretch_within(start.shape, heading, shape, parameters.SPACING_MM)
    if near is None or not is_more_than(by_mm, max(0.0, near[0]), "comes within an inch of", on):
        return None
    return max(0.0, near[0]) if meets or is_at_least(near[0], 0.0, "stands an inch off", on) else None


def _is_fresh_enemy(table: ExactTable, winner: str, id_: str) -> bool:
    thing = table.state.by_id.get(id_)  # nothing but a table edge is not in it
    return thing is not None and not isinstance(thing, Terrain) and not are_friends(table, winner, id_)
