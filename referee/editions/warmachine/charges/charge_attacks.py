"""Attacks of a charge: the charge of a whole unit, impact attacks, and assault."""

import math
from collections.abc import Iterator
from dataclasses import replace

from models.pose import Pose
from models.profile import Profile
from models.queries import Assault, Charge, ChargeUnit, ImpactAttacks, Move, Range, RegroupMove
from models.queries.charges import UnitMove
from models.unit_conversion import MM_PER_INCH, inches, radians
from models.verdict import Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.charges.charge import EXTRA_MM
from referee.editions.warmachine.command.formation import list_members
from referee.editions.warmachine.melee.attack_eligibility import check_formation, may_attack
from referee.editions.warmachine.melee.in_melee import check_link, melee_state
from referee.editions.warmachine.melee.melee_range import check_reach
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.miniatures.distances import in_range
from referee.editions.warmachine.miniatures.turn_ledger import actions_of, check_turn, ledger_of
from referee.editions.warmachine.movement.path import (
    Path,
    passability_of_charge,
    path_of,
    speed_mm,
    trace_order,
    trace_things_on_way,
)
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, DEFAULT_REACH_MM, because
from referee.geometry.circle_intersection import bearing
from referee.motion.travel_budget import (
    Stop,
    farthest_within_budget,
    meetings,
    place_after,
    slow_stretches,
    straight_path,
)
from referee.rules.candidates import answer_word, evaluate_each, in_play, is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingMissing, RuleResult, Value, ask_for, plain_condition
from referee.rules.switches import EXACT_MM, is_at_least

_ORDER = because("Press Forward Order", 64, "Who is in formation when the order is given has to run or charge.")
_STRAIGHT = because("Charge", 31, "A charge goes straight on.")
_UNABLE = because("Press Forward Order", 64, "Who cannot run makes a full advance and no Combat Action instead.")
_STRAIGHT_MM = 0.5  # how far a charge that was told as a path may bend
_IMPACT = because("Impact Attacks", 75, "Contact after 3 in or more of a charge earns impact attacks.")
_MOUNT = because("Mount Attacks", 75, "The mount reaches half an inch, and strikes everybody in its reach.")
_TOO_SOON = because("Impact Attacks", 75, "Contact before 3 in ends the movement without impact attacks.")
_CAVALRY = because("Cavalry", 75, "Only cavalry makes impact attacks.")
_ASSAULT = because("Assault", 52, "With Assault one ranged attack at the charge's target follows the movement.")
_IN_MELEE = because("Assault", 52, "Not when the charge began in melee.")
_CHARGED = because("Assault", 52, "The shot goes at the model that was charged, and belongs to the charge.")


def charge_unit(table: ExactTable, query: ChargeUnit) -> RuleResult:
    """Charge of a unit: whether each obeys: in formation by a run or a charge, out of it by its way back.

    Each moves when those named before it have ended. Source: Press Forward Order, p. 64; Charge, p. 31.
    """
    unit = next(u for u in table.state.units if u.id == query.unit)
    members = list_members(table, unit)
    stranger = next((check.mover for check in query.moves or () if check.mover not in members), None)
    if stranger is not None:
        return RuleResult(status="refused", because=(_ORDER,), advice=f"{stranger} is not of {query.unit}.")
    if commander_of(table, unit) is None:
        return ask_for(f"commander of {unit.id}", because=(_ORDER,))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_member(perturbed, query, id_)

    checks = {id_: about(table, id_) for id_ in members}
    result = all_of(tuple(checks.items()))
    return replace(
        result,
        value={
            "by_id": {id_: {"moved": _movement_word(table, query, id_), "answer": answer_word(check)}
                      for id_, check in checks.items()}
        },
        because=tuple(dict.fromkeys((_ORDER, *result.because))),
        members=evaluate_each(table, members, about),
    )  # fmt: skip


def _check_member(table: ExactTable, query: ChargeUnit, id_: str) -> RuleResult:
    """What it means to do, or what it did where no moves are stated."""
    formed = check_formation(_table_at_start(table, query), id_)
    if formed.status != "decided":
        return formed
    if query.moves is None:
        return _check_deed(table, id_, is_ordered=is_met(formed, "is in formation with"))
    move = next((candidate for candidate in query.moves if candidate.mover == id_), None)
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
    far = math.hypot(path[-1][0] - path[0][0], path[-1][1] - path[0][1])
    if max((_offset_mm(path[0], path[-1], point) for point in path), default=0.0) > _STRAIGHT_MM or far == 0.0:
        return plain_condition(move.mover, False, _STRAIGHT)
    heading = math.degrees(bearing(path[0], path[-1])) % 360.0
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
        yield from ((moved.mover, _whole_path(table, moved)[0]) for moved in query.moves)
        return
    for moved in table.miniatures.values():
        if moved.unit == query.unit and (path := path_of(table, moved.id)) is not None:
            yield moved.id, path[0]


def _table_before(table: ExactTable, query: ChargeUnit, id_: str) -> ExactTable:
    """As it begins to move: those before it have ended, those after it have not begun."""
    moves = query.moves or ()
    order = [move.mover for move in moves]
    before = _table_at_start(table, query)
    for move in moves[: order.index(id_)] if id_ in order else moves:
        before = before.with_end(move.mover, _whole_path(table, move)[-1])
    return before


def _movement_word(table: ExactTable, query: ChargeUnit, id_: str) -> str:
    move = next((candidate for candidate in query.moves or () if candidate.mover == id_), None)
    if move is not None:
        return "run" if move.target is None else "charge"
    done = actions_of(table, id_)
    return next((word for word in ("charge", "run") if word in done), "neither" if done else "not-yet")


def impact_attacks(table: ExactTable, query: ImpactAttacks) -> RuleResult:
    """Impact attacks: whom impact attacks strike where the charge first touches somebody.

    Source: Impact Attacks, p. 75.
    """
    me = table.miniature(query.attacker)
    if query.attack == "stomp":
        return RuleResult(status="refused", because=(_IMPACT,), advice="The book knows no stomp.")
    if me.has("light-cavalry") or (not me.has("cavalry") and me.profile != Profile()):
        kind = "light" if me.has("light-cavalry") else "no"
        return RuleResult(status="refused", because=(_CAVALRY,), advice=f"{me.id} is {kind} cavalry.")
    if barred := ledger_of(table, me.id, judged="charge").rules_against(["charge"]):
        return RuleResult(status="refused", because=barred, advice=f"{me.id} cannot charge in this turn.")
    heading, speed = _heading(table, query), speed_mm(table, query.attacker)
    if heading is None or speed is None:
        need = "target or heading_deg" if heading is None else f"profile.spd_in of {query.attacker}"
        return ask_for(need, because=(_IMPACT,), on=(query.attacker,))
    contact = _find_contact(table, query, heading, speed + EXTRA_MM)
    return _answer_contact(table, query, heading, speed + EXTRA_MM, contact)


def _heading(table: ExactTable, query: ImpactAttacks) -> float | None:
    if query.heading_deg is not None:
        return radians(query.heading_deg)
    if query.target is None:
        return None
    return bearing(table.centre(query.attacker), table.centre(query.target))


def _find_contact(table: ExactTable, query: ImpactAttacks, heading: float, budget: float) -> Stop | None:
    """The first base it touches within its movement. Source: Charge, p. 31; Impact Attacks, p. 75."""
    base, path = table.base(query.attacker), straight_path(table.centre(query.attacker), heading, budget)
    going = passability_of_charge(table, query.attacker)
    bases = tuple((id_, table.area(id_)) for id_ in in_play(table, query.attacker))
    solid = tuple(thing for thing in going.stops if thing[0] not in table.miniatures)
    reach = farthest_within_budget(budget, slow_stretches(base, path, going.slow), budget)
    grazing = table.reading("graze") != "passes"
    walls = [stop.after_mm for stop in meetings(base, path, solid)]
    met = meetings(base, path, bases, grazing=grazing)
    walked = straight_path(table.centre(query.attacker), heading, reach)
    trace_things_on_way(table, query.attacker, walked, (*bases, *solid), grazing=grazing)
    trace_order(table, query.attacker, sorted([*met, *meetings(base, path, solid)], key=lambda stop: stop.after_mm))
    return next((stop for stop in met if stop.after_mm <= min([reach, *walls]) + EXACT_MM), None)


def _answer_contact(
    table: ExactTable, query: ImpactAttacks, heading: float, budget: float, contact: Stop | None
) -> RuleResult:
    start = table.centre(query.attacker)
    end = start if contact is None else place_after(straight_path(start, heading, budget), contact.after_mm)
    earned = contact is not None and is_at_least(
        contact.after_mm, CHARGE_ATTACK_MM, "comes 3 in before it touches", (query.attacker, contact.id)
    )

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_mount_reach(perturbed, query.attacker, id_, end, heading)

    resumes = earned and contact is not None and contact.id != query.target
    ids = tuple(id_ for id_ in in_play(table, query.attacker)) if earned else ()
    return RuleResult(
        status="measured",
        value={
            "contact_mm": None if contact is None else contact.after_mm,
            "contact": None if contact is None else contact.id,
            "resumes": resumes,
            "poses": {query.attacker: {"at_mm": list(end), "facing_deg": math.degrees(heading) % 360.0}},
        },
        lengths_mm={} if contact is None else {"contact": contact.after_mm},
        witness=(Witness(type="segment", role="path", points_mm=(start, end), of=(query.attacker,)),),
        because=(_IMPACT, _MOUNT) if earned or contact is None else (_IMPACT, _TOO_SOON),
        depends_on_place=(query.attacker, *(() if contact is None else (contact.id,))),
        members=evaluate_each(table, ids, about),
    )


def _check_mount_reach(table: ExactTable, attacker: str, id_: str, end: Point, heading: float) -> RuleResult:
    """Source: Mount Attacks, p. 75."""
    mounts = [w for w in table.miniature(attacker).profile.melee if "mount" in w.rules]
    reach = inches(mounts[0].reach_in) if mounts else DEFAULT_REACH_MM
    return check_reach(table.with_end(attacker, end).with_facing(attacker, heading), attacker, id_, {"mount": reach})


def assault(table: ExactTable, query: Assault) -> RuleResult:
    """Assault: whether the assault shot is made, and reaches. Source: Assault, p. 52."""
    return join_assault(table, query, check_began_free(table, query.attacker, _IN_MELEE))


def check_began_free(table: ExactTable, attacker: str, why: Reason, partner: str | None = None) -> RuleResult:
    """Whether it was in no melee when its charge began, or in none with that partner: as told, else as it stood.

    Where it began is the start of its activation, or its place now as long as it has not moved; where neither is
    told, it was in none unless that is told. Source: Assault, p. 52.
    """
    turn = table.miniature(attacker).this_turn
    if turn.engaged_before:
        engaged = partner is None or partner in turn.engaged_before
        return plain_condition(attacker, not engaged, why)
    started = turn.start if isinstance(turn.start, Pose) else None
    if started is None and (actions_of(table, attacker) or turn.charged is not None):
        return plain_condition(attacker, True, why)
    then = table if started is None else _put_back(table, attacker, started)
    melee = melee_state(then, attacker) if partner is None else check_link(then, attacker, partner)
    return replace(negate(melee), because=(why,))


def _put_back(table: ExactTable, attacker: str, start: Pose) -> ExactTable:
    """The table as it was when the activation of that one began."""
    started = table.with_place(attacker, start.at_mm)
    return started if start.facing_deg is None else started.with_facing(attacker, radians(start.facing_deg))


def join_assault(table: ExactTable, query: Assault, began: RuleResult) -> RuleResult:
    """The shot of an assault, of which `began` says whether its charge began as the book asks."""
    me = table.miniature(query.attacker)
    range_ = in_range(table, Range(attacker=query.attacker, target=query.target, weapon=query.weapon))
    clauses: Clauses = (
        ("ability", plain_condition(query.attacker, me.has("assault"), _ASSAULT)),
        ("able", may_attack(table, query.attacker)),
        ("turn", _check_assault_turn(table, query.attacker)),
        ("charge", _check_charged(table, query)),
        ("began", began),
        ("range", range_),
    )
    result = all_of(clauses)
    failed = [r for name, r in clauses if name != "range" and r.status == "decided" and not is_zero_or_more(r)]
    margin = result.margin_mm if failed or range_.status != "decided" else range_.margin_mm
    charged = me.this_turn.charged == query.target
    return replace(
        result,
        margin_mm=margin,
        slack_mm=result.decisive_mm,
        value={**result.value, "charge": "charge" in me.this_turn.moved or charged, "order": None},
        witness=range_.witness,
        because=(_ASSAULT, *(r for r in result.because if r != _ASSAULT)),
    )


def _check_assault_turn(table: ExactTable, id_: str) -> RuleResult:
    """Whether its turn leaves or left it the charge, and leaves it the shot. Source: Charge, p. 31; Assault, p. 52."""
    rules = ledger_of(table, id_, judged="charge").rules_against(["charge"])
    return plain_condition(id_, not rules, *rules) if rules else check_turn(table, id_, "ranged-attack")


def _check_charged(table: ExactTable, query: Assault) -> RuleResult:
    """Source: Assault, p. 52: the target is the model charged, whether the charge got there or not."""
    me, turn = table.miniature(query.attacker), table.state.turn
    declared = turn.declared if turn is not None else None
    if declared is not None and declared.what == "charge" and declared.by == me.id:
        return plain_condition(query.attacker, declared.target in (None, query.target), _CHARGED)
    if me.this_turn.charged is not None:
        return plain_condition(query.attacker, me.this_turn.charged == query.target, _CHARGED)
    if "charge" in me.this_turn.moved:
        return plain_condition(query.attacker, True, _CHARGED)
    need = f"this_turn.charged of {query.attacker}"
    moved = bool(me.this_turn.moved)
    unknown = ask_for(need, because=(_CHARGED,), on=(me.id,))
    return plain_condition(query.attacker, False, _CHARGED) if moved else unknown


def describe_straight_charge(table: ExactTable, attacker: str, target: str) -> Value:
    """Where a charge straight at the target ends. Source: Charge, p. 31; Threshold & Frenzy, p. 98."""
    heading = math.degrees(bearing(table.centre(attacker), table.centre(target)))
    try:
        outcome = table.evaluate_query(Charge(attacker=attacker, target=target, heading_deg=heading, step="outcome"))
    except FacingMissing:
        return {}
    return {key: outcome.value[key] for key in ("travelled_mm", "poses", "stopped_by") if key in outcome.value}
