"""Every house rule by its key. A state names its choices in `house_rules`; a verdict names the keys it used."""

from models.doubts_of_doing import DOUBTS_OF_DOING
from models.doubts_of_ranks import DOUBTS_OF_RANKS
from models.doubts_of_seeing import DOUBTS_OF_SEEING
from models.house_rule import HouseRule

HOUSE_RULES: dict[str, HouseRule] = {rule.key: rule for rule in (*DOUBTS_OF_SEEING, *DOUBTS_OF_DOING, *DOUBTS_OF_RANKS)}


def reading(key: str, *, edition: str, chosen: dict[str, str]) -> str:
    """The reading in force: the table's choice, else the edition's default."""
    return chosen.get(key) or HOUSE_RULES[key].defaults[edition]
