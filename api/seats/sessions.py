"""Seat sessions: codes open the seats of a table, tokens hold them."""

import hashlib
import logging
import secrets
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

from api.errors import TooManyTries, WrongCode
from api.journal.interface import Journal
from api.seats.entries import CodesMade, DeviceJoined, SeatsWithdrawn
from api.seats.permissions import PAGES, Door, Seat
from api.seats.schemas import new_code, normalise_code

log = logging.getLogger(__name__)

CODES = "codes"
MOST_WRONG, WITHIN_S = 10, 60.0
MOST_WRONG_OF_ALL = 150  # a minute; who guesses from many addresses is nobody who mistypes
_EVERYWHERE = ""
MOST_PLACES = 1000


class RateLimit:
    """Sliding window of what went wrong, wrong codes for one, by where it came from."""

    def __init__(
        self, *, most: int = MOST_WRONG, within_s: float = WITHIN_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._within_s = most, within_s
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def is_exceeded(self, place: str) -> bool:
        return self.count(place) >= self._most

    def count(self, place: str) -> int:
        """How much went wrong there of late."""
        wrong = self._wrong.get(place, deque())
        while wrong and wrong[0] < self._clock() - self._within_s:
            wrong.popleft()
        return len(wrong)

    def record_failure(self, place: str) -> None:
        self._wrong.setdefault(place, deque(maxlen=self._most)).append(self._clock())
        self._wrong.move_to_end(place)
        while len(self._wrong) > MOST_PLACES:
            self._wrong.popitem(last=False)


class SeatSessions:
    """Sessions by the hashes of their tokens, also after a restart. `unjoined`: the seat of who has no token.

    `hastens_viewers`: nobody plays here, so who only watches is answered as fast as players are.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        unjoined: Seat = "viewer",
        tries: RateLimit | None = None,
        hastens_viewers: bool = False,
    ) -> None:
        self.unjoined = unjoined
        self.hastens_viewers = hastens_viewers
        self._journal = journal
        self._tries = tries or RateLimit()
        self._tries_of_all = RateLimit(most=MOST_WRONG_OF_ALL)
        self._held: dict[str, Seat] = {}
        written: dict[Door, str] = {}
        for line in journal.lines(CodesMade, DeviceJoined, SeatsWithdrawn):
            if isinstance(line.entry, CodesMade):
                written |= line.entry.codes
            elif isinstance(line.entry, DeviceJoined):
                self._held[line.entry.token_sha256] = line.entry.seat
            elif isinstance(line.entry, SeatsWithdrawn):
                self._forget(line.entry.door)
        self._codes: dict[Door, str] = written | (journal.secrets.get(CODES) or {})
        if written and journal.secrets.get(CODES) is None:
            log.warning("the journal of an older version holds the codes of seats: an export leaves them out")
            self._keep_codes(self._codes)
        if self._codes.keys() != PAGES.keys():
            self._make_codes(tuple(door for door in PAGES if door not in self._codes))

    @property
    def codes(self) -> dict[Door, str]:
        return dict(self._codes)

    def seat_of(self, token: str | None) -> Seat:
        """The seat this token holds; one that nobody knows any more holds none."""
        return self.unjoined if token is None else self._held.get(_hash_token(token), self.unjoined)

    def is_known(self, token: str | None) -> bool:
        return token is not None and _hash_token(token) in self._held

    def door_of(self, code: str, *, place: str = "") -> Door:
        """What the code opens. Raises: WrongCode, and TooManyTries after ten wrong ones a minute from one place, or
        `MOST_WRONG_OF_ALL` from all; a place that sent no wrong one is heard still, so who guesses locks nobody out.
        """
        guesses = self._tries.count(place) > 0
        if self._tries.is_exceeded(place) or (guesses and self._tries_of_all.is_exceeded(_EVERYWHERE)):
            raise TooManyTries(
                "Too many wrong codes came, from you or in all; wait a minute.", field="code", value=None
            )
        typed = normalise_code(code)
        for door, right in self._codes.items():
            if secrets.compare_digest(typed.encode(), right.encode()):
                return door
        self._tries.record_failure(place)
        self._tries_of_all.record_failure(_EVERYWHERE)
        raise WrongCode("Nobody at this table hands out that code.", field="code", value=code[:20])

    def join(self, door: Door, *, token: str | None = None) -> tuple[Seat, str]:
        """A seat behind this door and the token that holds it; who holds such a seat already keeps it."""
        held = self._held.get(_hash_token(token)) if token is not None else None
        if token is not None and held is not None and _door_to(held) == door:
            return held, token
        seat = self._free_player() if door == "players" else door
        return seat, self.take_seat(seat)

    def take_seat(self, seat: Seat, *, token: str | None = None) -> str:
        """The token that holds this seat from now on; a new one unless one is given."""
        token = token or secrets.token_urlsafe(24)
        hashed = _hash_token(token)
        self._journal.write(DeviceJoined(seat=seat, token_sha256=hashed))
        self._held[hashed] = seat
        return token

    def renew_code(self, door: Door, *, by: Seat, withdraws: bool, asker: str | None = None) -> None:
        """A new code opens this door; with `withdraws` who came in by it holds no seat any more, the asker aside.

        Raises: JournalFailed.
        """
        self._make_codes((door,))
        if not withdraws:
            return
        kept = self._held.get(_hash_token(asker)) if asker is not None else None
        self._journal.write(SeatsWithdrawn(by=by, door=door))
        self._forget(door)
        if asker is not None and kept is not None and _door_to(kept) == door:
            self.take_seat(kept, token=asker)

    def _forget(self, door: Door) -> None:
        self._held = {hashed: seat for hashed, seat in self._held.items() if _door_to(seat) != door}

    def count_devices(self) -> dict[Seat, int]:
        return dict(Counter(self._held.values()))

    def _free_player(self) -> Seat:
        counted = self.count_devices()
        return "player-b" if counted.get("player-a", 0) > counted.get("player-b", 0) else "player-a"

    def _make_codes(self, doors: tuple[Door, ...]) -> None:
        self._journal.write(CodesMade(doors=doors))
        self._keep_codes(self._codes | {door: new_code() for door in doors})

    def _keep_codes(self, codes: dict[Door, str]) -> None:
        self._journal.secrets.put(CODES, codes)
        self._codes = codes


def _door_to(seat: Seat) -> Door:
    return "players" if seat == "player-a" or seat == "player-b" else seat


def _hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
