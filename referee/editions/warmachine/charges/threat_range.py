"""Threat range: how far its blows and shots get in one activation, straight on over open ground."""

from collections.abc import Iterator
from dataclasses import replace

from models.miniature import Miniature
from models.queries import ThreatRange
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.charges.charge import EXTRA_MM, check_card
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.melee.melee_range import weapon_reaches
from referee.editions.warmachine.miniatures.distances import draw_ruler
from referee.editions.warmachine.movement.path import speed_mm
from referee.editions.warmachine.parameters import because
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for

_CHARGE = because("Charge", 31, "A charge goes SPD + 3 in, and has its target in reach at the end.")
_ADVANCE = because("Full Advance", 30, "A full advance goes SPD; then it strikes as far as it reaches, or shoots.")
_REASONS = {"charge": _CHARGE, "advance-and-strike": _ADVANCE, "advance-and-shoot": _ADVANCE}


def threat_range(table: ExactTable, query: ThreatRange) -> RuleResult:
    """Threat range: how far it threatens, or whether it threatens that; the limit itself is threatened.

    Source: Charge, p. 31; Full Advance, p. 30; Melee Range, p. 43; Measuring Range, p. 40.
    """
    me = table.miniature(query.attacker)
    able = may_attack(table, query.attacker)
    if not is_zero_or_more(able):
        return _answer_harmless(query, able)
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    if speed is None:
        return _name_missing(query, "profile.spd_in")
    ways = dict(_list_ways(table, query, me, speed))
    if not ways:
        return _name_missing(query, "profile.melee") if not (me.profile.melee or me.profile.ranged) else _none(query)
    by = max(ways, key=lambda manner: ways[manner])
    value: Value = {"threat_mm": ways[by], "by": by, "ways": {**ways}}
    if query.target is None:
        return RuleResult(
            status="measured",
            value=value,
            lengths_mm={"threat": ways[by]},
            witness=(_draw_rim(table, query.attacker, ways[by]),),
            because=(_REASONS[by],),
            depends_on_place=(query.attacker,),
        )
    return replace(_check_target(table, query.attacker, query.target, ways[by], by), value=value)


def _check_target(table: ExactTable, attacker: str, target: str, limit: float, by: str) -> RuleResult:
    between = gap(table.base(attacker), table.base(target))
    apart = max(0.0, between.mm)
    effect = f"It is {format_length(apart)} away; {by.replace('-', ' ')} gets {format_length(limit)} far."
    return RuleResult(
        margin_mm=limit - apart,
        lengths_mm={"distance": apart},
        witness=(
            draw_ruler(between, attacker, target, role="clear" if apart <= limit else "blocked"),
            _draw_rim(table, attacker, limit),
        ),
        because=(with_effect(table, _REASONS[by], effect),),
        depends_on_place=(attacker, target),
        form=limit_form(table, attacker, target, limit),
    )


def _list_ways(table: ExactTable, query: ThreatRange, me: Miniature, speed: float) -> Iterator[tuple[str, float]]:
    """Each way that its card has, and how far it gets."""
    reach = max(weapon_reaches(me, query.weapon).values(), default=None)
    if reach is not None:
        if is_zero_or_more(check_card(table, query.attacker, None)):
            yield "charge", speed + EXTRA_MM + reach
        yield "advance-and-strike", speed + reach
    guns = [w.rng_in for w in me.profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    lengths = [range_in if isinstance(range_in, float | int) else range_in[1] for range_in in guns]
    if lengths:
        yield "advance-and-shoot", speed + inches(max(lengths))


def _answer_harmless(query: ThreatRange, able: RuleResult) -> RuleResult:
    if query.target is None:
        return replace(_none(query), because=able.because)
    return replace(able, margin_mm=-CAPPED_MM, value={"threat_mm": 0.0, "by": None, "ways": {}})


def _none(query: ThreatRange) -> RuleResult:
    """Nothing on its card threatens anybody."""
    value: Value = {"threat_mm": 0.0, "by": None, "ways": {}}
    on = (query.attacker,)
    if query.target is None:
        return RuleResult(status="measured", value=value, because=(_ADVANCE,), depends_on_place=on)
    return RuleResult(margin_mm=-CAPPED_MM, value=value, because=(_ADVANCE,), depends_on_place=on)


def _name_missing(query: ThreatRange, field: str) -> RuleResult:
    return ask_for(f"{field} of {query.attacker}", because=(_ADVANCE,), on=(query.attacker,))


def _draw_rim(table: ExactTable, attacker: str, limit: float) -> Witness:
    base = table.base(attacker)
    return Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(attacker,))
