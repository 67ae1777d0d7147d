"""House rules: every ambiguity of the books by its key. A state names its choices, a verdict the keys it used."""

from models.house_rules.actions import ACTION_HOUSE_RULES
from models.house_rules.house_rule import HouseRule
from models.house_rules.open_settings import OPEN_SETTINGS, PRESET_KEY, PRESETS
from models.house_rules.ranked_units import RANKED_UNIT_HOUSE_RULES
from models.house_rules.sight import SIGHT_HOUSE_RULES

HOUSE_RULES: dict[str, HouseRule] = {
    rule.key: rule for rule in (*SIGHT_HOUSE_RULES, *ACTION_HOUSE_RULES, *RANKED_UNIT_HOUSE_RULES, *OPEN_SETTINGS)
}


def reading_in_force(key: str, *, edition: str, chosen: dict[str, str]) -> str:
    """The reading in force: the table's choice, else that of the preset it chose, else the edition's default."""
    if (own := chosen.get(key)) is not None:
        return own
    preset = PRESETS.get(chosen.get(PRESET_KEY, ""), {})
    return preset.get(key) or HOUSE_RULES[key].defaults[edition]


__all__ = ["HOUSE_RULES", "OPEN_SETTINGS", "PRESETS", "PRESET_KEY", "HouseRule", "reading_in_force"]
