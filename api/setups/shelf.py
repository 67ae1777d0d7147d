"""Where setups are kept: a folder with one file each, or the memory of the process."""

import logging
from pathlib import Path

from api.errors import JournalFailed, NoSuchSetup
from api.files import load, save
from api.setups.words import Setup
from models.errors import BadFile, BadInput

log = logging.getLogger(__name__)
MOST_SETUPS = 500


class Shelf:
    """Setups by name; blanks and capitals do not tell two apart. Without a folder they end with the process."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._setups: dict[str, Setup] = {}
        for path in sorted(folder.glob("*.json")) if folder is not None else ():
            self._take(path)

    def all(self) -> tuple[Setup, ...]:
        """Every setup by name."""
        return tuple(setup for _, setup in sorted(self._setups.items()))

    def named(self, name: str) -> Setup:
        """Raises: NoSuchSetup."""
        if _key(name) not in self._setups:
            raise NoSuchSetup(f"No setup {name!r} is kept.", field="name", value=name)
        return self._setups[_key(name)]

    def put(self, setup: Setup) -> None:
        """Keep it, in place of one of the same name. Raises: BadInput when the shelf is full; JournalFailed."""
        if len(self._setups) >= MOST_SETUPS and _key(setup.name) not in self._setups:
            raise BadInput(f"at most {MOST_SETUPS} setups are kept", field="name", value=setup.name)
        if self._folder is not None:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                save(setup, self._folder / f"{_key(setup.name)}.json")
            except (OSError, BadFile) as wrong:
                raise JournalFailed(f"The setup cannot be kept: {wrong}.") from wrong
        self._setups[_key(setup.name)] = setup

    def remove(self, name: str) -> Setup:
        """The setup that is kept no more. Raises: NoSuchSetup."""
        self.named(name)
        if self._folder is not None:
            (self._folder / f"{_key(name)}.json").unlink(missing_ok=True)
        return self._setups.pop(_key(name))

    def _take(self, path: Path) -> None:
        try:
            setup = load(Setup, path, error=BadInput)
        except BadInput as wrong:
            log.warning("setup passed over file=%s why=%s", path.name, wrong.detail)
            return
        self._setups[_key(setup.name)] = setup


def _key(name: str) -> str:
    return "-".join(name.lower().split())
