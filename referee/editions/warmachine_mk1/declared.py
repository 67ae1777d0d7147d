"""What this book sets where it differs from HORDES Mk II, and what it leaves in no doubt."""

from dataclasses import replace

from models.house_rules import HOUSE_RULES
from models.words import EditionId
from referee.editions.hordes_mk2 import declared as of_mk2
from referee.editions.warmachine_mk1 import cards, melee
from referee.editions.warmachine_mk1.moves import rough_stops

_ID: EditionId = "warmachine-mk1"
_LATER: EditionId = "hordes-mk2"
_LATEST: EditionId = "warmachine-prime"

TERMS = replace(
    of_mk2.TERMS,
    why_ignored=melee.why_ignored,
    eye_mm=cards.eye_mm,
    rough_stops=rough_stops,
    brutes=frozenset({"warjack", "warbeast"}),
)

_OWN = {
    "los-start": "centre",  # Line of Sight, Prime p. 33: over the centre of the base
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
