"""Setup store: a folder with one file each, or the memory of the process."""

import logging
from pathlib import Path

from api.errors import JournalFailed, NoSuchSetup
from api.setups.schemas import Setup
from api.storage.files import load, portable_name, save
from models.errors import BadFile, BadInput

log = logging.getLogger(__name__)
MOST_SETUPS = 500


class SetupStore:
    """Setups by name; blanks and capitals do not tell two apart. Without a folder they end with the process."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._setups: dict[str, Setup] = {}
        for path in sorted(folder.glob("*.json")) if folder is not None else ():
            self._read(path)

    def all(self) -> tuple[Setup, ...]:
        """Every setup by name."""
        return tuple(setup for _, setup in sorted(self._setups.items()))

    def find_setup(self, name: str) -> Setup:
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
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # as private as the journal beside it
                save(setup, self._path(setup.name), is_private=True)
            except (OSError, BadFile) as wrong:
                raise JournalFailed(f"The setup cannot be kept: {wrong}.") from wrong
        self._setups[_key(setup.name)] = setup

    def remove(self, name: str) -> Setup:
        """The setup that is kept no more. Raises: NoSuchSetup; JournalFailed, and then it is still kept."""
        self.find_setup(name)
        if self._folder is not None:
            try:
                self._path(name).unlink(missing_ok=True)
            except OSError as wrong:
                raise JournalFailed(f"The setup cannot be removed: {wrong.strerror}.") from wrong
        return self._setups.pop(_key(name))

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{portable_name(_key(name))}.json"

    def _read(self, path: Path) -> None:
        try:
            setup = load(Setup, path, error=BadInput)
        except BadInput as wrong:
            log.warning("setup passed over file=%s why=%s", path.name, wrong.detail)
            return
        self._setups[_key(setup.name)] = setup


def _key(name: str) -> str:
    return "-".join(name.lower().split())
