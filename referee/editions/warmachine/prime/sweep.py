"""Sweep: one blow of a colossal's arm against everybody in its field and reach."""

from models.miniature import Miniature
from models.queries import Los, Sweep
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.melee_range import HELPLESS, check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.base_state import is_colossus
from referee.editions.warmachine.miniatures.field_of_fire import check_field
from referee.editions.warmachine.prime.parameters import because
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_out_of_reach

_SWEEP = because(
    "Sweep",
    46,
    "It strikes everybody in the arm's field of fire and reach; models do not hide one another, terrain does.",
)
_FAR_MM = 25.4  # this far out of reach neither field nor sight decides


def sweep(table: ExactTable, query: Sweep) -> RuleResult:
    """Sweep: everybody a sweep strikes at. Source: Sweep, p. 46."""
    attacker = table.miniature(query.attacker)
    if not is_colossus(attacker):
        return RuleResult(
            status="refused", because=(_SWEEP,), advice=f"Only colossals sweep; {query.attacker} is none."
        )
    reach, location = _reach_and_side(attacker, query)
    if reach is None or location is None:
        missing = "profile.melee" if reach is None else "location"
        return RuleResult(status="unknown", needs=(f"{missing} of {query.attacker}",), because=(_SWEEP,))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_struck(perturbed, query.attacker, id_, reach, location)

    ids = in_play(table, query.attacker)
    members = evaluate_each(table, ids, about)
    struck = [c.id for c in members if c.result is not None and is_zero_or_more(c.result)]
    told = with_effect(table, _SWEEP, f"Struck at: {format_names(table, struck)}.")
    return RuleResult(status="measured", because=(told,), members=members)


def _reach_and_side(attacker: Miniature, query: Sweep) -> tuple[float | None, str | None]:
    """The reach of the arm in millimetres and its side."""
    arms = [w for w in attacker.profile.melee if query.weapon in (None, w.name) and "crippled" not in w.rules]
    arms = [w for w in arms if query.location in (None, w.location)] or arms
    weapon = arms[0] if arms and (query.weapon or len(arms) == 1 or query.location) else None
    location = query.location or (weapon.location if weapon is not None else None)
    if query.reach_in is not None:
        return inches(query.reach_in), location
    reach = weapon_reaches(attacker, weapon.name)[weapon.name] if weapon is not None else None
    return reach, location if location in ("left", "right") else None


def _check_struck(table: ExactTable, attacker: str, target: str, reach: float, location: str) -> RuleResult:
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(attacker).status), None)
    if helpless is not None:
        return RuleResult(margin_mm=-CAPPED_MM, because=(helpless,), depends_on_place=(attacker,))
    short = reach - max(0.0, gap(table.base(attacker), table.base(target)).mm)
    if is_out_of_reach(-short, _FAR_MM):
        return RuleResult(margin_mm=short, because=(_SWEEP,), depends_on_place=(attacker, target))
    others = in_play(table, attacker, target)
    return all_of(
        (
            ("reach", check_reach(table, attacker, target, {"arm": reach})),
            ("field", check_field(table, attacker, target, location)),
            ("sight", line_of_sight(table, Los(viewer=attacker, target=target, ignoring=others, purpose="melee"))),
        )
    )
