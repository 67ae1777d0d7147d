"""Shield wall: whether it protects one who is hit."""

from models.queries import DamageArc, ShieldWall
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1.command.ranks import Rank, neighbours_by_slack, rank_slack
from referee.editions.warmachine.mk1.parameters import because
from referee.rules.conditions import list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_WALL = because("Shield Wall; Deviation, Prime p. 47", "Ordered, standing in a rank, and hit from the front: +4 ARM.")
_WALL_BONUS = 4


def shield_wall(table: ExactTable, query: ShieldWall) -> RuleResult:
    """Shield wall: whether the wall protects it from that.

    Source: Shield Wall; Deviation, Prime p. 47; Q/A on slams.
    """
    me = table.miniature(query.target)
    unit = next((u for u in table.state.units if u.id == me.unit), None)
    ids = [m.id for m in table.state.miniatures if m.unit is not None and m.unit == me.unit]
    ordered = "shield-wall" in me.status or (unit is not None and "shield-wall" in unit.orders)
    place = _find_place(table, me.id, ids)
    arc = table.evaluate_query(DamageArc(target=query.target, attacker=query.attacker, origin=query.origin))
    clauses = {
        "ordered": CAPPED_MM if ordered else -CAPPED_MM,
        "in-rank": place.mm,
        "from-the-front": arc.decisive_mm if arc.margin_mm is not None else CAPPED_MM,
    }
    margin = min(clauses.values())
    on = tuple(dict.fromkeys((query.target, *place.near, *arc.depends_on_place)))
    rank = RuleResult(margin_mm=place.mm, depends_on_place=(me.id, *place.near), depends_on_facing=(me.id, *place.near))
    parts = (RuleResult(margin_mm=clauses["ordered"]), rank, *((arc,) if arc.margin_mm is not None else ()))
    holds = is_at_least(margin, 0.0, "is behind a shield wall against", on)
    return RuleResult(
        margin_mm=margin,
        value={
            "neighbours": [*place.near],
            "bonus": _WALL_BONUS if holds else 0,
            "bonus_to": "armour",
            "clauses": list_margins(clauses),
        },
        witness=arc.witness,
        because=(with_effect(table, _WALL, _describe_worst(clauses)),),
        readings=("shield-wall-needs", "rank-contact-in"),
        depends_on_place=on,
        depends_on_facing=(query.target, *place.near),
        conditions=parts,
    )


def _find_place(table: ExactTable, id_: str, ids: list[str]) -> Rank:
    """By how much it stands in a legal rank; beside one or two of its unit, where players read the order so."""
    reading = table.reading("shield-wall-needs")
    if len(ids) > 1 and reading == "legal-rank":
        return rank_slack(table, id_, ids)
    wanted = 2 if reading == "neighbours-both" else 1
    nearest = neighbours_by_slack(table, id_, ids)[:wanted]
    if len(nearest) < wanted:
        return Rank(-CAPPED_MM, "alone", ())
    return Rank(nearest[-1][0], "gap", tuple(other for _, other in nearest))


def _describe_worst(clauses: dict[str, float]) -> str:
    """What comes nearest to failing, and by how much it holds or fails."""
    name = min(clauses, key=lambda n: clauses[n])
    margin = clauses[name]
    how = f"holds by {format_length(margin)}" if margin >= 0 else f"fails by {format_length(-margin)}"
    return f"It stands and is {name.replace('-', ' ')}: that {how}."
