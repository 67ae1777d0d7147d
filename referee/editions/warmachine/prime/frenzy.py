"""Frenzy: whom a frenzied warbeast charges, and where that charge ends."""

import math

from pydantic import JsonValue

from models.queries import Charge, Frenzy, Los
from referee.editions.warmachine.charges.charge import charge
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.prime.parameters import because
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingMissing, RuleResult
from referee.rules.switches import is_at_least

_FRENZY = because("Threshold & Frenzy", 98, "A frenzied warbeast charges the nearest model in sight, friend or foe.")
_PACK = because("Pack Frenzy", 100, "The other models of its pack are left out.")
_LOST = because("Threshold & Frenzy", 98, "Who cannot charge loses its activation.")


def frenzy(table: ExactTable, query: Frenzy) -> RuleResult:
    """Frenzy: whom a frenzied warbeast charges. Source: Threshold & Frenzy, p. 98; Pack Frenzy, p. 100."""
    me = table.miniature(query.who)
    mates = {m.id for m in table.state.miniatures if me.unit is not None and m.unit == me.unit}
    others = tuple(id_ for id_ in in_play(table, query.who) if id_ not in mates)
    apart = {id_: max(0.0, gap(table.base(query.who), table.base(id_)).mm) for id_ in others}
    ids = tuple(sorted(others, key=lambda id_: apart[id_]))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return line_of_sight(perturbed, Los(viewer=query.who, target=id_, purpose="charge"))

    seen = [id_ for id_ in ids if _is_in_sight(table, query.who, id_)]
    for rival in seen[1:2]:  # whom it would charge in its place
        on = (seen[0], rival, query.who)
        is_at_least(apart[rival], apart[seen[0]], f"is nearer to {query.who} than", on)
    ties: list[JsonValue] = [id_ for id_ in seen if apart[id_] <= apart[seen[0]] + 1e-6] if seen else []
    charges = bool(seen) and query.may_charge and "crippled-movement" not in me.status
    value: dict[str, JsonValue] = {
        "target": seen[0] if charges else None,
        "mode": "charge" if charges else "none",
        "ties": ties if len(ties) > 1 else [],
        "distance_mm": {id_: apart[id_] for id_ in seen},
    }
    if charges and not table.margins_only:
        value |= _describe_charge(table, query.who, seen[0])
    return RuleResult(
        status="measured",
        value=value,
        because=(_FRENZY, *((_PACK,) if len(mates) > 1 else ()), *(() if charges else (_LOST,))),
        depends_on_place=(query.who,),
        members=evaluate_each(table, ids, about),
    )


def _is_in_sight(table: ExactTable, who: str, id_: str) -> bool:
    return is_met(line_of_sight(table, Los(viewer=who, target=id_, purpose="charge")), "is seen to charge at")


def _describe_charge(table: ExactTable, who: str, target: str) -> dict[str, JsonValue]:
    """Where its charge straight at the target ends. Source: Threshold & Frenzy, p. 98."""
    (ax, ay), (bx, by) = table.centre(who), table.centre(target)
    heading = math.degrees(math.atan2(by - ay, bx - ax))
    try:
        found = charge(table, Charge(attacker=who, target=target, heading_deg=heading))
    except FacingMissing:
        return {}
    return {key: found.value[key] for key in ("travelled_mm", "poses", "stopped_by") if key in found.value}
