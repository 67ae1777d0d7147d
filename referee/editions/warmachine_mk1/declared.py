"""What this book sets where it differs from HORDES Mk II, and what it leaves in no doubt."""

from dataclasses import replace

from models.house_rules import HOUSE_RULES
from models.words import EditionId
from referee.editions.hordes_mk2 import declared as of_mk2
from referee.editions.warmachine_mk1 import cards, formations, looking, melee, moves, terrain

_ID: EditionId = "warmachine-mk1"
_LATER: EditionId = "hordes-mk2"
_LATEST: EditionId = "warmachine-prime"

TERMS = replace(
    of_mk2.TERMS,
    why_ignored=looking.why_ignored,
    looked_past={**of_mk2.TERMS.looked_past, "lower": looking.LEVEL},
    eye_mm=cards.eye_mm,
    rough_stops=moves.rough_stops,
    charge_clauses=moves.charge_clauses,
    counts_as=terrain.counts_as,
    free_line=melee.free_line,
    engaging=melee.engaging,
    formed=formations.formed,
    missed_strike=True,  # Trample, Apotheosis p. 27
    aims_in_melee=True,  # Aiming, Remix p. 45
    butts_larger=True,  # Head-butt, Prime p. 41
    locked_strike_plainly=True,  # Q/A on component locking
    brutes=frozenset({"warjack", "warbeast"}),
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
    | {key: reading for key, reading in of_mk2.SETTLED.items() if _ID not in HOUSE_RULES[key].defaults}
    | _OWN
)
