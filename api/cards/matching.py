"""Card matching: which card an entry of a list means, by its id, else by its name as people write it."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

from models.frozen import Frozen
from models.profile import Card
from models.roster import RosterModel, RosterUnit

_WORD = re.compile(r"[a-z0-9]+")
_LEAST_LETTERS = 4  # of a shorter word every slip makes another word
_LETTERS_A_SLIP = 6  # so many letters a name has for each slip that is forgiven


class CardMatch(Frozen):
    """The card of an entry, and how it was found; `candidates` where several fit and a player has to say."""

    card: Card | None = None
    by: Literal["id", "name", "likeness"] | None = None
    candidates: tuple[Card, ...] = ()


def match_card(model: RosterModel, unit: RosterUnit, cards: Sequence[Card]) -> CardMatch:
    """The card of these miniatures: by id, by a name but for accents, case and plural, or by likeness."""
    ids = {part for id_ in (model.entry_id, unit.entry_id) if id_ for part in (id_, id_.rpartition("::")[2])}
    if candidates := [card for card in cards if card.id in ids]:
        return CardMatch(card=candidates[0], by="id")
    for name in _names_of(model, unit):
        same = [card for card in cards if any(fold_name(name) == fold_name(other) for other in (card.name, *card.also))]
        if same:
            return _choose(same, by="name")
    for name in _names_of(model, unit):
        if like := _alike(name, cards):
            return _choose(like, by="likeness")
    return CardMatch()


def find_by_name(name: str, named: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The keys of those that are called so, else of those that are called nearly so."""
    pairs = list(named)
    folded = fold_name(name)
    same = tuple(dict.fromkeys(key for key, other in pairs if fold_name(other) == folded))
    if same:
        return same
    distances = [(edit_distance(folded, fold_name(other)), key) for key, other in pairs]
    least = min((distance for distance, _ in distances), default=None)
    if least is None or least > _forgiven(folded):
        return ()
    return tuple(dict.fromkeys(key for distance, key in distances if distance == least))


def fold_name(name: str) -> str:
    """The name without accents, capitals, signs and plurals."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).casefold()
    plain = "".join(ch for ch in plain if not unicodedata.combining(ch)).replace("'", "").replace("’", "")
    return " ".join(_singular(word) for word in _WORD.findall(plain))


def edit_distance(a: str, b: str) -> int:
    """How many letters to change, add, drop or swap with a neighbour."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        earlier, before, row = before, row, [i]
        for j, y in enumerate(b, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _names_of(model: RosterModel, unit: RosterUnit) -> tuple[str, ...]:
    """The model's name, as it is and without what it carries, then that of its unit."""
    bare = re.split(r",| w/| with | \(", model.name, maxsplit=1)[0]
    return tuple(dict.fromkeys((model.name, bare, unit.name)))


def _alike(name: str, cards: Sequence[Card]) -> list[Card]:
    named = [(card.id, other) for card in cards for other in (card.name, *card.also)]
    ids = find_by_name(name, named)
    return [card for card in cards if card.id in ids]


def _choose(candidates: Sequence[Card], *, by: Literal["name", "likeness"]) -> CardMatch:
    return CardMatch(card=candidates[0], by=by) if len(candidates) == 1 else CardMatch(candidates=tuple(candidates))


def _forgiven(folded: str) -> int:
    letters = len(folded.replace(" ", ""))
    return 0 if letters < _LEAST_LETTERS else max(1, letters // _LETTERS_A_SLIP)


def _singular(word: str) -> str:
    if word.endswith("men") and len(word) > 3:
        return word[:-2] + "an"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if word.endswith("wolves"):
        return word[:-3] + "f"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
