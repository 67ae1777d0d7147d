"""Game name: which of our rulebooks a list is for, by what it calls its game."""

from models.vocabulary import EditionId

_OURS: tuple[tuple[str, EditionId], ...] = (
    ("warmachine: prime", "warmachine-prime"),
    ("warmachine prime", "warmachine-prime"),
    ("hordes mk ii", "hordes-mk2"),
    ("hordes mk2", "hordes-mk2"),
    ("warmachine mk i", "warmachine-mk1"),
    ("warmachine mk1", "warmachine-mk1"),
    ("warhammer 9th edition", "warhammer-9"),
    ("the 9th age", "warhammer-9"),
)
_NEWER = ("mk iv", "mkiv", "mk4", "mk iii", "mkiii", "mk3", "mk ii", "mkii")


def edition_of(game: str | None) -> EditionId | None:
    """Our rulebook for a game of this name; None for every other game."""
    title = " ".join((game or "").lower().split())
    if any(title.startswith("warmachine") and newer in title for newer in _NEWER):
        return None
    return next((edition for name, edition in _OURS if title.startswith(name)), None)
