"""Shield wall: whether the order protects a trooper from what hurts it."""

from dataclasses import replace

from models.queries import B2b, DamageArc, ShieldWall
from models.verdict import CAPPED_MM
from referee.editions.warmachine.miniatures.damage_arc import damage_arc
from referee.editions.warmachine.miniatures.distances import b2b
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.plain_condition import plain_condition
from referee.rules.candidates import in_play, is_met
from referee.rules.conditions import all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_ORDER = because("Issuing Orders", 64, "Its unit has been given the Shield Wall order of its card.")
_BESIDE = because("Issuing Orders", 64, "The card asks for base contact with another that has the order: +4 ARM.")
_ORIGIN = because("Point of Impact & Origin of Damage", 53, "No shield wall against damage from the back arc.")
_WALL_BONUS = 4


def shield_wall(table: ExactTable, query: ShieldWall) -> RuleResult:
    """Shield wall: whether the wall protects it: ordered, beside another of it, and not hurt from behind.

    The book leaves the order itself to the card. Source: Issuing Orders, p. 64; Point of Impact & Origin of Damage,
    p. 53.
    """
    ordered = [id_ for id_ in _comrades(table, query.target) if _is_ordered(table, id_)]
    beside = {id_: b2b(table, B2b(a=query.target, b=id_)) for id_ in ordered}
    clauses = (
        ("ordered", plain_condition(query.target, _is_ordered(table, query.target), _ORDER)),
        ("beside", _check_beside(table, query.target, beside)),
        *_arc_clause(table, query),
    )
    result = all_of(clauses)
    touching = [id_ for id_, one in beside.items() if is_met(one, "touches")]
    return replace(
        result,
        value={
            **result.value,
            "neighbours": [*touching],
            "bonus": _WALL_BONUS if is_met(result, "is behind a shield wall") else 0,
            "bonus_to": "armour",
        },
        because=tuple(dict.fromkeys((_ORDER, *result.because))),
        readings=tuple(dict.fromkeys(("shield-wall-needs", *result.readings))),
        doubtful=(*result.doubtful, *(("shield-wall-needs",) if touching else ())),
    )


def _comrades(table: ExactTable, id_: str) -> tuple[str, ...]:
    unit = table.miniature(id_).unit
    return tuple(o for o in in_play(table, id_) if unit is not None and table.miniature(o).unit == unit)


def _is_ordered(table: ExactTable, id_: str) -> bool:
    """Whether it, or its unit, has been told to have the order. Source: Issuing Orders, p. 64."""
    me = table.miniature(id_)
    units = (u for u in table.state.units if u.id == me.unit)
    return "shield-wall" in me.status or any("shield-wall" in u.orders for u in units)


def _check_beside(table: ExactTable, id_: str, beside: dict[str, RuleResult]) -> RuleResult:
    """One neighbour in contact is enough, or one to each hand where players read the card so."""
    nearest = sorted(beside.values(), key=lambda one: -one.decisive_mm)
    wanted = 2 if table.reading("shield-wall-needs") == "neighbours-both" else 1
    if len(nearest) < wanted:
        return plain_condition(id_, False, _BESIDE)
    if wanted == 1:
        return replace(any_of(tuple(nearest)), because=(_BESIDE,))
    return replace(all_of(tuple(("beside", one) for one in nearest[:2])), because=(_BESIDE,))


def _arc_clause(table: ExactTable, query: ShieldWall) -> tuple[tuple[str, RuleResult], ...]:
    """Where the damage comes from; nothing to ask where nobody has told who hurts it."""
    if query.attacker is None and query.origin is None:
        return (("from-the-front", RuleResult(margin_mm=CAPPED_MM, depends_on_place=(query.target,))),)
    arc = damage_arc(table, DamageArc(target=query.target, attacker=query.attacker, origin=query.origin))
    return (("from-the-front", replace(arc, because=(_ORIGIN, *arc.because[1:]))),)
