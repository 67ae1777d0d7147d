"""Sweep: one blow of a colossal's arm against everybody in its field and reach."""

from models.miniature import Miniature
from models.queries import Los, Sweep
from models.units import inches
from models.verdict import CAPPED_MM
from referee.candidates import considered, in_play, is_met
from referee.clauses import all_of
from referee.editions.warmachine_prime.fields_of_fire import field_ruling
from referee.editions.warmachine_prime.ground import is_colossus
from referee.editions.warmachine_prime.melee import HELPLESS, reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, names

_SWEEP = because(
    "Sweep",
    46,
    "It strikes everybody in the arm's field of fire and reach; models do not hide one another, terrain does.",
)
_FAR_MM = 25.4  # this far out of reach neither field nor sight decides


def sweep(table: Situation, query: Sweep) -> Ruling:
    """Everybody a sweep strikes at. Source: Sweep, p. 46."""
    attacker = table.miniature(query.attacker)
    if not is_colossus(attacker):
        return Ruling(status="refused", because=(_SWEEP,), advice=f"Only colossals sweep; {query.attacker} is none.")
    reach, location = _arm(attacker, query)
    if reach is None or location is None:
        missing = "profile.melee" if reach is None else "location"
        return Ruling(status="unknown", needs=(f"{missing} of {query.attacker}",), because=(_SWEEP,))

    def about(nudged: Situation, id_: str) -> Ruling:
        return _struck(nudged, query.attacker, id_, reach, location)

    ids = in_play(table, query.attacker)
    members = considered(table, ids, about)
    struck = [c.id for c in members if c.ruling is not None and is_met(c.ruling)]
    told = applied(table, _SWEEP, f"Struck at: {names(table, struck)}.")
    return Ruling(status="measured", because=(told,), members=members)


def _arm(attacker: Miniature, query: Sweep) -> tuple[float | None, str | None]:
    """The reach of the arm in millimetres and its side."""
    arms = [w for w in attacker.profile.melee if query.weapon in (None, w.name) and "crippled" not in w.rules]
    arms = [w for w in arms if query.location in (None, w.location)] or arms
    weapon = arms[0] if arms and (query.weapon or len(arms) == 1 or query.location) else None
    location = query.location or (weapon.location if weapon is not None else None)
    if query.reach_in is not None:
        return inches(query.reach_in), location
    reach = weapon_reaches(attacker, weapon.name)[weapon.name] if weapon is not None else None
    return reach, location if location in ("left", "right") else None


def _struck(table: Situation, attacker: str, target: str, reach: float, location: str) -> Ruling:
    helpless = next((why for status, why in HELPLESS.items() if status in table.miniature(attacker).status), None)
    if helpless is not None:
        return Ruling(margin_mm=-CAPPED_MM, because=(helpless,), touches=(attacker,))
    short = reach - max(0.0, gap(table.base(attacker), table.base(target)).mm)
    if short < -_FAR_MM:
        return Ruling(margin_mm=short, because=(_SWEEP,), touches=(attacker, target))
    others = in_play(table, attacker, target)
    return all_of(
        (
            ("reach", reach_ruling(table, attacker, target, {"arm": reach})),
            ("field", field_ruling(table, attacker, target, location)),
            ("sight", line_of_sight(table, Los(viewer=attacker, target=target, ignoring=others, purpose="melee"))),
        )
    )
