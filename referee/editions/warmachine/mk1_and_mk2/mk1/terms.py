"""Terms: what the first edition sets otherwise, how it reads cards, and what may be measured."""

from dataclasses import replace
from typing import get_args

from models.house_rules import HOUSE_RULES
from models.miniature import Miniature
from models.queries import Assault, Charge, Cover, Formation, RankedFormation, Screening, ShieldWall
from models.queries.base import BaseQuery
from models.terrain import Terrain
from models.vocabulary import Ability, EditionId, Status
from referee.editions.warmachine.mk1_and_mk2 import measuring_licences, terms, terrain
from referee.editions.warmachine.mk1_and_mk2.mk1 import charges, command, line_of_sight, melee
from referee.editions.warmachine.mk1_and_mk2.parameters import HEIGHT_MM, THIN_MM
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence

# Source: the entries that name them; the rest of the words belong to other books.
_ABILITIES = frozenset(
    {"stealth", "incorporeal", "arc-node", "commander", "jack-marshal", "assault", "combined-melee-attack",
     "combined-ranged-attack", "cavalry", "ride-by", "terror", "abomination", "fearless"}
)  # fmt: skip
_STATUSES = frozenset(
    {"knocked-down", "stationary", "inert", "fleeing", "cowering", "shield-wall", "out-of-formation", "cannot-attack",
     "disabled", "movement-barred", "removed"}
)  # fmt: skip
_UNUSABLE = frozenset({"locked", "crippled"})  # Source: Melee Range, Prime p. 39; Armlock/Headlock, p. 42
_UNKNOWN = frozenset({*get_args(Ability), *get_args(Status)}) - _ABILITIES - _STATUSES
_DUST_MM = 1e-6
_RESOLVED = Cover(attacker="attacker", target="target")  # any question that is measured when an attack is resolved
_ID: EditionId = "warmachine-mk1"
_LATER: EditionId = "hordes-mk2"
_LATEST: EditionId = "warmachine-prime"


def read_card(miniature: Miniature) -> Miniature:
    """The miniature as this book knows it: the knocked down look all round, locked weapons strike nobody.

    Source: Knockdown, Prime p. 49; Armlock/Headlock, p. 42.
    """
    known = miniature.without(_UNKNOWN)
    more: dict[str, object] = {"front_arc_deg": 360} if "knocked-down" in known.status else {}
    usable = tuple(w for w in known.profile.melee if not _UNUSABLE.intersection(w.rules))
    if len(usable) < len(known.profile.melee):
        more["profile"] = known.profile.model_copy(update={"melee": usable})
    return known.model_copy(update=more) if more else known


def eye_mm(miniature: Miniature) -> float | None:
    """The height of its head, where that is told. Source: Line of Sight, Prime p. 33: from over the base centre."""
    return miniature.head_mm


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """What it counts as by its size: up to 1 in tall and less thick it is linear. Source: Obstacles, Prime p. 60."""
    counted = terrain.counts_as(table, feature)
    if counted != "obstruction" or feature.height_mm is None or abs(feature.height_mm - HEIGHT_MM) > _DUST_MM:
        return counted
    thin = feature.kind == "linear-obstacle" or terrain.thickness_mm(feature) < THIN_MM - _DUST_MM
    return "linear-obstacle" if thin else counted


def licence(table: ExactTable, query: BaseQuery) -> Licence | None:
    """The licence a question falls under. Source: Remix p. 33; Prime p. 33."""
    if isinstance(query, Screening | ShieldWall):
        query = _RESOLVED
    if isinstance(query, RankedFormation):
        query = Formation(unit=query.unit, asked_by=query.asked_by)
    if isinstance(query, Assault):
        query = Charge(attacker=query.attacker, target=query.target, step="outcome", asked_by=query.asked_by)
    granted = measuring_licences.licence(table, query)
    if granted is not None and granted.name == "own-unit":
        return replace(granted, only_within=False)
    if granted is None or granted.name != "sight" or granted.disclosed == "figures":
        return granted
    resolved = measuring_licences.licence(table, _RESOLVED)
    return resolved if resolved is not None and resolved.is_open else granted


TERMS = replace(
    terms.shared_terms(
        why_ignored=line_of_sight.why_ignored,
        looked_past_reasons={**terms.LOOKED_PAST, "lower": line_of_sight.LEVEL},
        counts_as=counts_as,
        charge_clauses=charges.charge_clauses,
    ),
    eye_mm=eye_mm,
    is_charge_stopped_by=charges.is_charge_stopped_by,
    free_line=melee.free_line,
    engagement=melee.check_engagement,
    formation_check=command.check_formation,
    turn_traits=frozenset({"runs-without-action"}),  # Running, Prime p. 35
    missed_may_strike=True,  # Trample, Apotheosis p. 27
    may_aim_in_melee=True,  # Aiming, Remix p. 45
    may_head_butt_larger=True,  # Head-butt, Prime p. 41
    lock_bars_power_attacks=True,  # Q/A on component locking
    power_attackers=frozenset({"warjack", "warbeast"}),
)

_OWN = {
    "los-start": "centre",  # Line of Sight, Prime p. 33: over the centre of the base
    "looking-down-needs": "screen-and-target",  # Elevation and LOS, Prime p. 33
}

# What the book does not speak of is settled as the next edition reads it; the house rule missing-text names that.
SETTLED = (
    {
        key: rule.defaults.get(_LATER) or rule.defaults[_LATEST]
        for key, rule in HOUSE_RULES.items()
        if _ID not in rule.defaults and (_LATER in rule.defaults or _LATEST in rule.defaults)
    }
    | {key: reading for key, reading in terms.SETTLED.items() if _ID not in HOUSE_RULES[key].defaults}
    | _OWN
)
