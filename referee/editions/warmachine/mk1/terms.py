"""Terms: what the first edition sets where the books of its family differ, and what it leaves in no doubt."""

from dataclasses import replace

from models.house_rules import HOUSE_RULES
from models.vocabulary import EditionId
from referee.editions.warmachine.mk1 import cards, terrain_class
from referee.editions.warmachine.mk1.charges import charge
from referee.editions.warmachine.mk1.command import formation
from referee.editions.warmachine.mk1.line_of_sight import blockers
from referee.editions.warmachine.mk1.melee import engagement, free_line
from referee.editions.warmachine.mk1_and_mk2 import terms
from referee.editions.warmachine.mk1_and_mk2.line_of_sight import reasons

_ID: EditionId = "warmachine-mk1"
_LATER: EditionId = "hordes-mk2"
_LATEST: EditionId = "warmachine-prime"

TERMS = replace(
    terms.shared_terms(
        why_ignored=blockers.why_ignored,
        looked_past_reasons={**reasons.LOOKED_PAST, "lower": blockers.LEVEL},
        counts_as=terrain_class.counts_as,
        charge_clauses=charge.charge_clauses,
    ),
    eye_mm=cards.eye_mm,
    is_charge_stopped_by=charge.is_charge_stopped_by,
    free_line=free_line.free_line,
    engagement=engagement.check_engagement,
    formation_check=formation.check_formation,
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
