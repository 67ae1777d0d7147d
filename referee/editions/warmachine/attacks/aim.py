"""Aim: who has stood still, and gains 2 on its ranged attack rolls."""

import math
from dataclasses import replace

from pydantic import JsonValue

from models.pose import Pose
from models.queries import Aim
from models.unit_conversion import radians, wrap_rad
from models.verdict import CAPPED_MM
from referee.editions.warmachine.melee.attack_eligibility import ABLE, actions_of, forfeited_parts, may_attack
from referee.editions.warmachine.melee.in_melee import melee_state
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.margins.front_arc import direction, dot
from referee.rules.candidates import is_met, is_zero_or_more
from referee.rules.conditions import Clauses, all_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import EXACT_MM

_AIM = because("Aim", 30, "To aim it must neither move nor turn in its Normal Movement, and must not be in melee.")
_DIRECTIONS = 24
_MOVED = because("Aim", 30, "It has used its Normal Movement otherwise.")


def aim(table: ExactTable, query: Aim) -> RuleResult:
    """Aim: whether it stood still, within the table's tolerances, and may aim.

    Source: Aim, p. 30.
    """
    moved = actions_of(table, query.who) & {"advance", "run", "charge", "slam", "trample", "fly", "pivot"}
    start = table.miniature(query.who).this_turn.start
    if not isinstance(start, Pose):
        return _answer_untracked(table, query.who, bool(moved) or "movement" in forfeited_parts(table, query.who))
    shift, turn = _shift_mm(table, query.who, start), _turn_rad(table, query.who, start)
    still = _check_stillness(table, query.who, start, shift, turn)
    turned = None if turn is None else abs(math.degrees(turn))
    if (moved and is_met(still, "stands where its activation began")) or "movement" in forfeited_parts(
        table, query.who
    ):
        still = RuleResult(margin_mm=-CAPPED_MM, because=(_MOVED,), depends_on_place=(query.who,))
    clauses = (
        ("still", still),
        ("able", may_attack(table, query.who)),
        *melee_clauses(table, query.who),
    )
    result = all_of(clauses)
    if is_zero_or_more(result):
        result = replace(result, slack_mm=result.margin_mm, margin_mm=still.margin_mm)
    value: dict[str, JsonValue] = {
        **result.value,
        "shift_mm": shift,
        "turn_deg": turned,
        "bonus": 2 * is_zero_or_more(result),
    }
    told = with_effect(table, _AIM, _describe_shift(table, query.who, shift, turned))
    return replace(result, value=value, because=(told, *(r for r in result.because if r not in (_AIM, ABLE))))


def melee_clauses(table: ExactTable, who: str) -> Clauses:
    """That it is in no melee, where the book asks for it. Source: Aim, p. 30."""
    return () if terms_of(table).may_aim_in_melee else (("not-in-melee", negate(melee_state(table, who))),)


def _describe_shift(table: ExactTable, who: str, shift_mm: float, turn_deg: float | None) -> str:
    turned = "" if turn_deg is None else f" and turned by {turn_deg:.1f} degrees"
    return f"{name_of(table, who)} has moved {format_length(shift_mm)}{turned} since its activation began."


def _answer_untracked(table: ExactTable, who: str, moved: bool) -> RuleResult:
    """Of one whose start is not told: no, where anything else forbids it."""
    if moved:
        return RuleResult(margin_mm=-CAPPED_MM, value={"bonus": 0}, because=(_AIM, _MOVED), depends_on_place=(who,))
    untold = RuleResult(
        status="unknown", needs=(f"this_turn.start of {who}",), because=(_AIM,), depends_on_place=(who,)
    )
    result = all_of((("still", untold), ("able", may_attack(table, who)), *melee_clauses(table, who)))
    if result.status != "decided":
        return untold
    return replace(result, value={**result.value, "bonus": 0}, because=(_AIM, *result.because))


def _check_stillness(table: ExactTable, who: str, start: Pose, shift_mm: float, turn_rad: float | None) -> RuleResult:
    """Whether place and facing are those of the start; a turn is told in millimetres of the rim."""
    rest = table.state.still_tolerance_mm - shift_mm
    sides = [table.state.still_tolerance_mm - mm for mm in _shifts_mm(table, who, start)]
    rims = []
    if turn_rad is not None:
        allowed, reach = radians(table.state.facing_tolerance_deg), table.base(who).reach_mm
        rims = [reach * (allowed - turn_rad), reach * (allowed + turn_rad)]
    parts = tuple(RuleResult(margin_mm=mm, depends_on_place=(who,)) for mm in (*sides, *rims))
    turned = min(rims, default=CAPPED_MM)
    return RuleResult(
        margin_mm=min(rest, turned) if turned < -EXACT_MM else rest,
        slack_mm=min(part.decisive_mm for part in parts),
        conditions=parts,
        because=(_AIM,),
        depends_on_place=(who,),
        depends_on_facing=() if turn_rad is None else (who,),
    )


def _shifts_mm(table: ExactTable, who: str, start: Pose) -> list[float]:
    """How far it has moved in directions all round, the first of which it has at rest: steady, as its length is not."""
    (x, y), (sx, sy) = table.unperturbed.centre(who), start.at_mm
    first = math.atan2(y - sy, x - sx)
    here = table.centre(who)
    ways = (direction(first + math.tau * k / _DIRECTIONS) for k in range(_DIRECTIONS))
    on_its_way = [math.dist(start.at_mm, at) for at in table.miniature(who).this_turn.path_mm or ()]
    return [*on_its_way, *(dot((here[0] - sx, here[1] - sy), way) for way in ways)]


def _shift_mm(table: ExactTable, who: str, start: Pose) -> float:
    path = table.miniature(who).this_turn.path_mm or ()
    return max(math.dist(start.at_mm, at) for at in (table.centre(who), *path))


def _turn_rad(table: ExactTable, who: str, start: Pose) -> float | None:
    """How far it has turned, anticlockwise."""
    if table.miniature(who).facing_rad is None or start.facing_deg is None:
        return None
    return wrap_rad(table.facing_rad(who) - radians(start.facing_deg))
