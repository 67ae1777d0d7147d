"""Water: who is in it, and what follows."""

from models.queries import Water
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.hordes_mk2.parameters import because
from referee.editions.warmachine.mk1_and_mk2.parameters import WATER_DEFENCE
from referee.editions.warmachine.mk1_and_mk2.terrain.deep_water import list_deep_water
from referee.editions.warmachine.terrain.terrain_class import dry_value, ground_of
from referee.geometry.containment import reach_into
from referee.rules.candidates import is_met
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_DEEP = because("Deep Water", "With any part of its base in deep water it moves at half rate and fights nobody.")
_SHALLOW = because("Shallow Water", "Shallow water is rough terrain and keeps nobody from anything.")
BARRED = ("run", "charge", "actions", "attacks", "engaging", "spells", "feats", "orders")  # Source: Deep Water
_SHALLOW_KINDS = frozenset({"shallow-water", "water"})


def water(table: ExactTable, query: Water) -> RuleResult:
    """Water: whether any part of the base is in water, and what follows. Source: Deep Water; Shallow Water."""
    pools = [t for t in table.state.terrain if query.feature in (None, t.id)]
    wet = [t for t in pools if ground_of(t) == "deep-water" or t.kind in _SHALLOW_KINDS]
    reach = {t.id: reach_into(table.base(query.who), table.area(t.id)) for t in wet}
    if not reach:
        return RuleResult(margin_mm=-CAPPED_MM, value=dry_value(), because=(_DEEP,), depends_on_place=(query.who,))
    deep = {id_: mm for id_, mm in reach.items() if id_ in list_deep_water(table)}
    is_deep = any(is_at_least(mm, 0.0, "stands in", (query.who, id_)) for id_, mm in deep.items())
    best = max(deep if is_deep else reach, key=lambda id_: reach[id_])
    rivals = tuple(id_ for id_, mm in reach.items() if id_ == best or mm > reach[best] - RIVAL_MM)
    result = RuleResult(margin_mm=max(-CAPPED_MM, reach[best]), depends_on_place=(query.who, best, *rivals))
    is_in, is_deep_one = is_met(result, "stands in"), best in deep
    told = f"{name_of(table, query.who)} {'reaches' if is_in else 'stays'} {format_length(abs(reach[best]))} "
    outline = table.area(best).outline
    return RuleResult(
        margin_mm=result.margin_mm,
        value={
            "kind": ("deep-water" if is_deep_one else "shallow-water") if is_in else None,
            "barred": list(BARRED) if is_in and is_deep_one else [],
            "def_base": WATER_DEFENCE if is_in and is_deep_one else None,
            "concealed": False,
        },
        lengths_mm={"inside": reach[best]},
        witness=(Witness(type="polygon", role="limit", points_mm=outline, of=(best,)),) if outline else (),
        because=(
            with_effect(table, _DEEP if is_deep_one else _SHALLOW, f"{told}{'into' if is_in else 'out of'} {best}."),
        ),
        depends_on_place=tuple(dict.fromkeys(result.depends_on_place)),
    )
