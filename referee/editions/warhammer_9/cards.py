"""Cards: what a troop type gives each of its miniatures without anybody telling."""

from models.miniature import Miniature
from models.vocabulary import Ability

# Source: Troop Types, p. 69-73; what no question reads is left out.
_BY_KIND: dict[str, frozenset[Ability]] = {
    "monstrous-infantry": frozenset({"swiftstride"}),
    "cavalry": frozenset({"impact-hits", "swiftstride"}),
    "monstrous-cavalry": frozenset({"impact-hits", "swiftstride"}),
    "swarm": frozenset({"expendable", "skirmishers", "unbreakable"}),
    "monstrous-beast": frozenset({"swiftstride"}),
    "war-beast": frozenset({"expendable", "swiftstride"}),
    "monster": frozenset({"stomp", "swiftstride", "terror", "towering"}),
    "chariot": frozenset({"impact-hits", "swiftstride"}),
}
# Source: Unbreakable, p. 67.
_WITH: dict[Ability, Ability] = {"unbreakable": "immunity-psychology"}


def read_card(miniature: Miniature) -> Miniature:
    """The miniature with what its troop type gives it. Source: Troop Types, p. 69-73."""
    known = frozenset(miniature.profile.abilities)
    granted = known | _BY_KIND.get(miniature.type or "", frozenset())
    granted |= {more for word, more in _WITH.items() if word in granted}
    if granted == known:
        return miniature
    profile = miniature.profile.model_dump() | {"abilities": sorted(granted)}
    return Miniature.model_validate(miniature.model_dump() | {"profile": profile})
