"""Live picture: the newest picture of the table, and what changed in it since an earlier one."""

import secrets
from collections import deque

from api.camera.protocol import ChangedPart

_MOST_KEPT = 32  # versions whose changes are known: a phone that missed more gets the whole


class LivePicture:
    """Versions count from 1; a phone names the one it holds by `name`, which no other server's picture has."""

    def __init__(self) -> None:
        self.jpeg: bytes | None = None
        self.version = 0
        self._run = secrets.token_hex(4)
        self._changes: deque[ChangedPart | None] = deque(maxlen=_MOST_KEPT)

    @property
    def name(self) -> str:
        """Which picture of which run of the server this is."""
        return f"{self._run}-{self.version}"

    def renew(self, jpeg: bytes, changed: ChangedPart | None = None) -> None:
        """This is the picture now; None: it may have changed anywhere."""
        self.jpeg, self.version = jpeg, self.version + 1
        self._changes.append(changed)

    def changed_since(self, name: str) -> ChangedPart | None:
        """All that changed since the picture of this name; None where that is not known, empty where nothing did."""
        run, _, number = name.partition("-")
        missed = self.version - int(number) if number.isdecimal() and run == self._run else -1
        if not 0 <= missed <= len(self._changes):
            return None
        parts = list(self._changes)[len(self._changes) - missed :]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if not known:
            return ChangedPart(0, 0, 0, 0)
        left, top, right, bottom = zip(*known, strict=True)
        return ChangedPart(min(left), min(top), max(right), max(bottom))
