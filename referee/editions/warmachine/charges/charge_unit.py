"""Charge of a unit: whether everybody who got the order runs or charges."""

import math
from collections.abc import Iterator
from dataclasses import replace

from models.queries import Charge, ChargeUnit, Move, RegroupMove
from models.queries.charges import UnitMove
from models.unit_conversion import MM_PER_INCH
from models.vocabulary import Point
from referee.editions.warmachine.command.formation import list_members
from referee.editions.warmachine.melee.attack_eligibility import actions_of, check_formation
from referee.editions.warmachine.movement.path import Path, path_of
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.candidates import answer_word, evaluate_each, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_ORDER = because("Press Forward Order", 64, "Who is in formation when the order is given has to run or charge.")
_STRAIGHT = because("Charge", 31, "A charge goes straight on.")
_UNABLE = because("Press Forward Order", 64, "Who cannot run makes a full advance and no Combat Action instead.")
_STRAIGHT_MM = 0.5  # how far a charge that was told as a path may bend


def charge_unit(table: ExactTable, query: ChargeUnit) -> RuleResult:
    """Charge of a unit: whether each obeys: in formation by a run or a charge, out of it by its way back.

    Each moves when those named before it have ended. Source: Press Forward Order, p. 64; Charge, p. 31.
    """
    unit = next(u for u in table.state.units if u.id == query.unit)
    members = list_members(table, unit)
    stranger = next((one.mover for one in query.moves or () if one.mover not in members), None)
    if stranger is not None:
        return RuleResult(status="refused", because=(_ORDER,), advice=f"{stranger} is not of {query.unit}.")
    if unit.commander is None or unit.commander not in table.miniatures:
        return RuleResult(status="unknown", needs=(f"commander of {unit.id}",), because=(_ORDER,))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_member(perturbed, query, id_)

    found = {id_: about(table, id_) for id_ in members}
    result = all_of(tuple(found.items()))
    return replace(
        result,
        value={
            "by_id": {id_: {"moved": _movement_word(table, query, id_), "answer": answer_word(one)}
                      for id_, one in found.items()}
        },
        because=tuple(dict.fromkeys((_ORDER, *result.because))),
        members=evaluate_each(table, members, about),
    )  # fmt: skip


def _check_member(table: ExactTable, query: ChargeUnit, id_: str) -> RuleResult:
    """What it means to do, or what it did where nobody has told any moves."""
    formed = check_formation(_table_at_start(table, query), id_)
    if formed.status != "decided":
        return formed
    if query.moves is None:
        return _check_deed(table, id_, is_ordered=is_met(formed, "is in formation with"))
    move = next((one for one in query.moves if one.mover == id_), None)
    if is_met(formed, "is in formation with"):
        return _check_move(_table_before(table, query, id_), id_, move)
    if move is None:
        return plain_condition(id_, True)
    return _table_before(table, query, id_).evaluate_query(RegroupMove(mover=id_, path_mm=_whole_path(table, move)))


def _check_deed(table: ExactTable, id_: str, *, is_ordered: bool) -> RuleResult:
    """Source: Press Forward Order, p. 64: nobody stays, and nobody who can run makes a mere advance."""
    done = actions_of(table, id_)
    may_stay = not is_ordered or not _can_run(table, id_)
    return plain_condition(id_, may_stay or not done.isdisjoint({"run", "charge"}), _ORDER)


def _check_move(table: ExactTable, id_: str, move: UnitMove | None) -> RuleResult:
    if not _can_run(table, id_):
        return plain_condition(id_, True, _UNABLE)
    if move is None:
        return plain_condition(id_, False, _ORDER)
    path = _whole_path(table, move)
    if move.target is None:
        return table.evaluate_query(Move(mover=id_, path_mm=path, manner="run"))
    return _check_charge(table, move, move.target, path)


def _check_charge(table: ExactTable, move: UnitMove, target: str, path: Path) -> RuleResult:
    (ax, ay), (bx, by) = path[0], path[-1]
    far = math.hypot(bx - ax, by - ay)
    if max((_offset_mm(path[0], path[-1], point) for point in path), default=0.0) > _STRAIGHT_MM or far == 0.0:
        return plain_condition(move.mover, False, _STRAIGHT)
    heading = math.degrees(math.atan2(by - ay, bx - ax)) % 360.0
    asked = Charge(attacker=move.mover, target=target, heading_deg=heading, stop_after_in=far / MM_PER_INCH)
    return table.evaluate_query(asked)


def _offset_mm(a: Point, b: Point, point: Point) -> float:
    """How far a point lies beside the line between two others."""
    far = math.dist(a, b)
    return abs((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])) / far if far else 0.0


def _can_run(table: ExactTable, id_: str) -> bool:
    """Source: Press Forward Order, p. 64; Knockdown and Stationary Models, p. 61."""
    return {"knocked-down", "stationary", "crippled-movement"}.isdisjoint(table.miniature(id_).status)


def _whole_path(table: ExactTable, move: UnitMove) -> Path:
    return path_of(table, move.mover, move.path_mm) or move.path_mm


def _table_at_start(table: ExactTable, query: ChargeUnit) -> ExactTable:
    """Everybody where the activation found them."""
    for id_, start in _starts(table, query):
        if start != table.centre(id_):
            table = table.with_end(id_, start)
    return table


def _starts(table: ExactTable, query: ChargeUnit) -> Iterator[tuple[str, Point]]:
    if query.moves is not None:
        yield from ((one.mover, _whole_path(table, one)[0]) for one in query.moves)
        return
    for one in table.miniatures.values():
        if one.unit == query.unit and (path := path_of(table, one.id)) is not None:
            yield one.id, path[0]


def _table_before(table: ExactTable, query: ChargeUnit, id_: str) -> ExactTable:
    """As it begins to move: those before it have ended, those after it have not begun."""
    moves = query.moves or ()
    order = [one.mover for one in moves]
    before = _table_at_start(table, query)
    for one in moves[: order.index(id_)] if id_ in order else moves:
        before = before.with_end(one.mover, _whole_path(table, one)[-1])
    return before


def _movement_word(table: ExactTable, query: ChargeUnit, id_: str) -> str:
    move = next((one for one in query.moves or () if one.mover == id_), None)
    if move is not None:
        return "run" if move.target is None else "charge"
    done = actions_of(table, id_)
    return next((word for word in ("charge", "run") if word in done), "neither" if done else "not-yet")
