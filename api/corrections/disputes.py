"""Disputes: a question that players do not agree on, worked out by both in the open, until one line ends it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from pydantic import Field, JsonValue

from api.corrections.placed_bases import is_where_seen
from api.corrections.settlements import DoubtSettled, Settlements, Way, places_of, roll_die
from api.errors import NothingToSettle
from api.journal.entry import Entry, Line
from api.journal.interface import Journal
from api.seats.permissions import Player, Seat
from models.frozen import Frozen
from models.state import TableState
from models.unit_conversion import inches
from models.verdict import Answer
from models.vocabulary import Id, Point

APART_IN = 0.25
"""Two readings of one tape that differ by more are read again."""
_LONGEST_IN = 120.0
Deed = Literal["agree", "roll", "tape", "judge", "put-away"]
Claim = Literal["yes", "no"]


_ABOUT_SIGHT = {
    "query": {"kind": "los", "viewer": "m3", "target": "m7"},
    "a": "m3",
    "b": "m7",
    "title": "A sees B",
    "yes": "Clear",
    "no": "Blocked",
}


class NewDispute(Frozen, json_schema_extra={"examples": [_ABOUT_SIGHT]}):
    """The question as its line of the sheet asks it."""

    query: dict[str, JsonValue] = Field(description="the question as its verdict repeats it")
    a: Id
    b: Id
    title: str = Field(max_length=200, description="the question, with A and B for the two")
    yes: str = Field(max_length=80)
    no: str = Field(max_length=80)
    limit_mm: float | None = Field(None, gt=0, description="the distance that decides, where a tape can be laid")


class DisputeDeed(Frozen, json_schema_extra={"examples": [{"how": "agree", "answer": "yes"}]}):
    """What one player does about it; `agree` says which answer, `tape` what was read."""

    how: Deed
    answer: Claim | None = None
    tape_in: float | None = Field(None, ge=0, le=_LONGEST_IN)


class Dispute(NewDispute):
    """An open dispute, with what each has done."""

    n: int = Field(description="its line of the journal")
    at_s: float
    by: Seat
    claims: dict[Player, Claim] = Field({}, description="which answer each would agree to")
    dice: dict[Player, tuple[int, ...]] = Field({}, description="what each rolled; after a tie both roll again")
    tapes_in: dict[Player, float] = Field({}, description="what each read on the tape")
    is_judge_called: bool = False

    @property
    def winner(self) -> Player | None:
        """Who rolled higher; None while the dice have not decided."""
        first, second = (self.dice.get(player, ()) for player in get_args(Player))
        if not first or len(first) != len(second) or first[-1] == second[-1]:
            return None
        return "player-a" if first[-1] > second[-1] else "player-b"


class DisputeOpened(Entry):
    """A player disputes an answer; `stood_mm` is where those stood whom the question names."""

    type: Literal["dispute-opened"] = "dispute-opened"
    by: Seat
    asked: NewDispute
    stood_mm: dict[Id, Point]


class DisputeAnswered(Entry):
    """What somebody did about the dispute of line `opened`."""

    type: Literal["dispute-answered"] = "dispute-answered"
    by: Seat
    opened: int
    deed: DisputeDeed
    die: int | None = None


class Disputes:
    """The one open dispute of a table; `changed` is called after each deed."""

    def __init__(
        self,
        journal: Journal,
        settlements: Settlements,
        *,
        changed: Callable[[], None],
        roll: Callable[[], int] = roll_die,
    ) -> None:
        self._journal = journal
        self._settlements = settlements
        self._changed = changed
        self._roll = roll
        self._open, self._stood = _read_open(journal)

    def standing(self, state: TableState | None) -> Dispute | None:
        """The open one, while all whom it names stand where they stood."""
        places = {} if state is None else {m.id: m for m in state.miniatures}
        stands = all(id_ in places and is_where_seen(places[id_], at) for id_, at in self._stood.items())
        return self._open if stands else None

    def open(self, asked: NewDispute, state: TableState, *, by: Seat) -> Dispute:
        """Dispute it; the same question again is the same dispute. Raises: NothingToSettle, BadQuery, JournalFailed."""
        before = self.standing(state)
        if before is not None:
            if before.query == asked.query:
                return before
            raise NothingToSettle("another question is disputed: end that first", field="query", value=before.title)
        stood = places_of(asked.query, state)
        line = self._journal.write(DisputeOpened(by=by, asked=asked, stood_mm=stood))
        self._open, self._stood = Dispute(**dict(asked), n=line.n, at_s=line.at_s, by=by), stood
        self._changed()
        return self._open

    def answer(self, deed: DisputeDeed, state: TableState, *, by: Seat, is_alone: bool) -> Dispute | None:
        """Do something about it; None once that ended it. `is_alone`: both players hold this one phone.

        Raises: NothingToSettle, JournalFailed.
        """
        dispute = self.standing(state)
        if dispute is None:
            raise NothingToSettle("nothing is disputed here", field="how", value=deed.how)
        seats: tuple[Seat, ...] = get_args(Player) if is_alone and deed.how in ("agree", "roll", "tape") else (by,)
        for seat in seats:
            dispute = self._note(dispute, deed, by=seat)
        self._open = None if deed.how == "put-away" or self._end(dispute, by=by) else dispute
        self._changed()
        return self._open

    def end(self, a: Id, b: Id) -> None:
        """A judge has ruled on these two."""
        if self._open is not None and {self._open.a, self._open.b} == {a, b}:
            self._open = None
            self._changed()

    def _note(self, dispute: Dispute, deed: DisputeDeed, *, by: Seat) -> Dispute:
        check_deed(dispute, deed, by)
        die = self._roll() if deed.how == "roll" else None
        made = DisputeAnswered(by=by, opened=dispute.n, deed=deed, die=die)
        self._journal.write(made)
        return _apply(dispute, made)

    def _end(self, dispute: Dispute, *, by: Seat) -> bool:
        """Write down how it ended, where it has."""
        ended = outcome_of(dispute)
        if ended is None:
            return False
        how, answer = ended
        rolled, read = (dispute.dice, dispute.tapes_in) if how in ("rolled", "taped") else ({}, {})
        dice = {seat: faces[-1] for seat, faces in rolled.items()} if how == "rolled" else {}
        tapes = read if how == "taped" else {}
        self._settlements.record(
            DoubtSettled(
                by=by,
                query=dict(dispute.query),
                how=how,
                answer=answer,
                dice=dice,
                tapes_in=tapes,
                stood_mm=self._stood,
            )
        )
        return True


def check_deed(dispute: Dispute, deed: DisputeDeed, by: Seat) -> None:
    """Raises: NothingToSettle when this may not be done, or not again."""
    if deed.how in ("judge", "put-away"):
        return
    if by not in get_args(Player):
        raise NothingToSettle("the two players settle it between them", field="how", value=deed.how)
    player: Player = "player-a" if by == "player-a" else "player-b"
    if deed.how == "agree" and deed.answer is None:
        raise NothingToSettle("say yes or no", field="answer", value=None)
    if deed.how == "tape" and (deed.tape_in is None or dispute.limit_mm is None):
        raise NothingToSettle("no tape can be laid to this", field="tape_in", value=deed.tape_in)
    if deed.how == "roll":
        other: Player = "player-b" if player == "player-a" else "player-a"
        mine, theirs = len(dispute.dice.get(player, ())), len(dispute.dice.get(other, ()))
        if dispute.winner is not None or mine > theirs:
            raise NothingToSettle("you have rolled: each rolls once", field="how", value="roll")


def outcome_of(dispute: Dispute) -> tuple[Way, Answer] | None:
    """How it ended, and with which answer; None: it has not."""
    claims, winner = dispute.claims, dispute.winner
    if winner is not None and winner in claims:
        return "rolled", Answer(claims[winner])
    if len(claims) == len(get_args(Player)) and len(set(claims.values())) == 1:
        return "agreed", Answer(next(iter(claims.values())))
    tapes = tuple(dispute.tapes_in.values())
    if len(tapes) == len(get_args(Player)) and dispute.limit_mm is not None and abs(tapes[0] - tapes[1]) <= APART_IN:
        answers = {inches(tape) <= dispute.limit_mm for tape in tapes}
        if len(answers) == 1:
            return "taped", Answer.YES if answers.pop() else Answer.NO
    return None


def _apply(dispute: Dispute, made: DisputeAnswered) -> Dispute:
    """The dispute with one more deed."""
    deed, by = made.deed, made.by
    changes: dict[str, Any] = {}
    if deed.how == "agree":
        changes["claims"] = dispute.claims | {by: deed.answer}
    elif deed.how == "roll":
        changes["dice"] = dispute.dice | {by: (*dispute.dice.get(by, ()), made.die)}  # type: ignore[arg-type]
    elif deed.how == "tape":
        changes["tapes_in"] = dispute.tapes_in | {by: deed.tape_in}
    elif deed.how == "judge":
        changes["is_judge_called"] = True
    return Dispute.model_validate(dispute.model_dump() | changes)


def _read_open(journal: Journal) -> tuple[Dispute | None, Mapping[Id, Point]]:
    """The dispute that the journal leaves open, and where those stood whom it names."""
    newest = journal.newest(DisputeOpened)
    if newest is None or not isinstance(newest.entry, DisputeOpened):
        return None, {}
    entry = newest.entry
    dispute = Dispute(**dict(entry.asked), n=newest.n, at_s=newest.at_s, by=entry.by)
    return _fold(dispute, journal.lines(DisputeAnswered, DoubtSettled, after=newest.n)), entry.stood_mm


def _fold(dispute: Dispute, lines: Iterable[Line]) -> Dispute | None:
    for line in lines:
        entry = line.entry
        if isinstance(entry, DoubtSettled) and entry.query == dispute.query and entry.answer is not None:
            return None
        if isinstance(entry, DisputeAnswered) and entry.opened == dispute.n:
            if entry.deed.how == "put-away":
                return None
            dispute = _apply(dispute, entry)
    return dispute
