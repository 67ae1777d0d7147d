"""The seats of one table: codes open them, tokens hold them."""

import hashlib
import secrets
from collections import Counter

from api.errors import TooManyTries, WrongCode
from api.journal.journal import Journal
from api.seats.codes import as_written, new_code
from api.seats.entries import CodesMade, Joined
from api.seats.seat import PAGES, Door, Seat
from api.seats.tries import Tries


class Seats:
    """Knows who holds which seat, also after a restart. `unjoined`: the seat of who has no token."""

    def __init__(self, journal: Journal, *, unjoined: Seat = "viewer", tries: Tries | None = None) -> None:
        self.unjoined = unjoined
        self._journal = journal
        self._tries = tries or Tries()
        self._held: dict[str, Seat] = {}
        self._codes: dict[Door, str] = {}
        for line in journal.lines(CodesMade, Joined):
            if isinstance(line.entry, CodesMade):
                self._codes |= line.entry.codes
            elif isinstance(line.entry, Joined):
                self._held[line.entry.token_sha256] = line.entry.seat
        if self._codes.keys() != PAGES.keys():
            self._make_codes()

    @property
    def codes(self) -> dict[Door, str]:
        return dict(self._codes)

    def of(self, token: str | None) -> Seat:
        """The seat this token holds; one that nobody knows any more holds none."""
        return self.unjoined if token is None else self._held.get(_hashed(token), self.unjoined)

    def knows(self, token: str | None) -> bool:
        """Whether the token holds a seat."""
        return token is not None and _hashed(token) in self._held

    def door_of(self, code: str, *, place: str = "") -> Door:
        """What the code opens. Raises: WrongCode, and TooManyTries after ten wrong ones a minute from one place."""
        if self._tries.are_used_up(place):
            raise TooManyTries("Too many wrong codes came from you; wait a minute.", field="code", value=None)
        typed = as_written(code)
        for door, right in self._codes.items():
            if secrets.compare_digest(typed.encode(), right.encode()):
                return door
        self._tries.note_wrong(place)
        raise WrongCode("Nobody at this table hands out that code.", field="code", value=code[:20])

    def join(self, door: Door, *, token: str | None = None) -> tuple[Seat, str]:
        """A seat behind this door and the token that holds it; who holds such a seat already keeps it."""
        held = self._held.get(_hashed(token)) if token is not None else None
        if token is not None and held is not None and _door(held) == door:
            return held, token
        seat = self._free_player() if door == "players" else door
        return seat, self.sit(seat)

    def sit(self, seat: Seat, *, token: str | None = None) -> str:
        """The token that holds this seat from now on; a new one unless one is given."""
        token = token or secrets.token_urlsafe(24)
        hashed = _hashed(token)
        self._journal.write(Joined(seat=seat, token_sha256=hashed))
        self._held[hashed] = seat
        return token

    def counted(self) -> dict[Seat, int]:
        """How many devices hold each seat."""
        return dict(Counter(self._held.values()))

    def _free_player(self) -> Seat:
        counted = self.counted()
        return "player-b" if counted.get("player-a", 0) > counted.get("player-b", 0) else "player-a"

    def _make_codes(self) -> None:
        made = CodesMade(codes={door: new_code() for door in PAGES} | self._codes)
        self._journal.write(made)
        self._codes = made.codes


def _door(seat: Seat) -> Door:
    return "players" if seat == "player-a" or seat == "player-b" else seat


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
