"""Cards: what a troop type gives each of its miniatures without anybody telling."""

from models.miniature import Miniature
from models.profile import Profile
from models.vocabulary import Ability

# Source: Troop Types, p. 69-73; what no question reads is left out.
_BY_KIND: dict[str, frozenset[Ability]] = {
    "monstrous-infantry": frozenset({"fear", "swiftstride"}),
    "cavalry": frozenset({"impact-hits", "swiftstride"}),
    "monstrous-cavalry": frozenset({"fear", "impact-hits", "swiftstride"}),
    "swarm": frozenset({"expendable", "skirmishers", "unbreakable"}),
    "monstrous-beast": frozenset({"fear", "swiftstride"}),
    "war-beast": frozenset({"expendable", "swiftstride"}),
    "monster": frozenset({"stomp", "swiftstride", "terror", "towering"}),
    "chariot": frozenset({"impact-hits", "swiftstride"}),
}
# Words that bring others, those before what they bring. Source: Animated Constructs, p. 57; Ethereal, p. 58;
# Fast Cavalry, p. 58; Frenzy, p. 60; Skirmishers, p. 65; Stupidity, p. 66; Terror, Unbreakable, p. 67.
_WITH: dict[str, Ability] = {
    "construct": "unbreakable",
    "ethereal": "unbreakable",
    "unbreakable": "immunity-psychology",
    "frenzy": "immunity-psychology",
    "stupid": "immunity-psychology",
    "fast-cavalry": "vanguard",
    "skirmishers": "vanguard",
    "terror": "fear",
}


def read_card(miniature: Miniature) -> Miniature:
    """The miniature with what its troop type gives it. Source: Troop Types, p. 69-73."""
    known = frozenset(miniature.profile.abilities)
    granted = known | _BY_KIND.get(miniature.type or "", frozenset())
    traits = granted | set(miniature.status)
    for word, more in _WITH.items():
        traits |= {more} if word in traits else set()
    granted |= {more for more in _WITH.values() if more in traits}
    granted -= {"fast-cavalry"} if "barding" in granted else set()  # Source: Fast Cavalry: Armour Saves, p. 59
    if granted & {"fly", "hover"} and "fast-cavalry" not in granted:  # Source: Skirmishers: Vanguard, p. 65
        granted -= {"vanguard"} - known
    if granted == known:
        return miniature
    profile = miniature.profile.model_dump() | {"abilities": sorted(granted)}
    return Miniature.model_validate(miniature.model_dump() | {"profile": profile})


def lacks_rule(miniature: Miniature, rule: Ability) -> bool:
    """Whether its card, as far as it is told, is without a rule. Source: Special Rules, p. 56."""
    return miniature.profile != Profile() and not miniature.has(rule)
