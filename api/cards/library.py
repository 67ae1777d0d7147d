"""Card library: the faction files of a folder beside the invented one that is shipped."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from api.cards.card_file import read_cards
from api.storage.files import read_bytes
from models.profile import Card, CardFaction

SHIPPED = Path(__file__).parent / "marches.toml"


@dataclass(frozen=True)
class CardLibrary:
    """Factions in the order in which they were given: of two cards of one id the first counts."""

    factions: tuple[CardFaction, ...] = ()

    def cards(self) -> tuple[Card, ...]:
        """Every card, each id once."""
        cards: dict[str, Card] = {}
        for faction in self.factions:
            for card in faction.cards:
                cards.setdefault(card.id, card)
        return tuple(cards.values())


def library_folder(folder: Path | None = None) -> Path:
    """Where the user's own cards lie."""
    return folder if folder is not None else Path(platformdirs.user_data_dir("tableside", appauthor=False)) / "cards"


def load_library(folder: Path | None = None) -> CardLibrary:
    """The user's cards, then the shipped ones. Raises: BadFile, BadCards naming the file."""
    return load_files([*sorted(library_folder(folder).glob("*.toml")), SHIPPED])


def load_files(files: Iterable[Path]) -> CardLibrary:
    """The factions in these files. Raises: BadFile, BadCards."""
    return CardLibrary(tuple(read_cards(read_bytes(path), path.name) for path in files))
