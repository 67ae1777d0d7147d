"""Water: who is in it, and what it grants."""

from models.queries import Water
from models.verdict import CAPPED_MM
from referee.editions.warmachine.miniatures.base_state import depth_in
from referee.editions.warmachine.prime.elevation import draw_perimeter
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.terrain.terrain_class import WATERS, dry_value
from referee.rules.candidates import is_zero_or_more
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult

_WATER = because("Advantages", 17, "Completely in shallow water an Amphibious model has concealment and hides nobody.")
_ROUGH = because("Shallow Water", 79, "Shallow water is rough terrain.")


def water(table: ExactTable, query: Water) -> RuleResult:
    """Water: whether it stands wholly in shallow water, and what follows.

    Source: Advantages, p. 17; Shallow Water, p. 79.
    """
    pools = [t for t in table.state.terrain if t.kind in WATERS and query.feature in (None, t.id)]
    depths = {pool.id: depth_in(table, query.who, (pool.id,)) for pool in pools}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    if best is None:
        return RuleResult(margin_mm=-CAPPED_MM, value=dry_value(), because=(_WATER,), depends_on_place=(query.who,))
    result = RuleResult(margin_mm=max(-CAPPED_MM, depths[best]), depends_on_place=(query.who, best))
    wet = is_zero_or_more(result)
    concealed = wet and table.miniature(query.who).has("amphibious")
    return RuleResult(
        margin_mm=result.margin_mm,
        value={"kind": "shallow-water" if wet else None, "barred": [], "def_base": None, "concealed": concealed},
        lengths_mm={"inside": depths[best]},
        witness=draw_perimeter(table, best),
        because=(_WATER, _ROUGH),
        depends_on_place=result.depends_on_place,
    )
