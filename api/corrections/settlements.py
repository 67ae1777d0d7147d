"""Settlements: how players ended what was too close to call, kept in the journal and shown on every phone."""

import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from pydantic import Field, JsonValue

from api.corrections.placed_bases import is_where_seen
from api.errors import NothingToSettle
from api.journal.entry import Entry, Line
from api.journal.interface import Journal
from api.seats.permissions import Player, Seat
from models.frozen import Frozen
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Answer
from models.vocabulary import Id, Point

PIPS = 6
YES_FROM = 4  # the usual word of the books: on 4 or more the answer is yes
MOST_KEPT = 50


Way = Literal["agreed", "rolled", "taped", "judge-called"]
WAY_WORDS: Mapping[Way, str] = {
    "agreed": "Both agreed",
    "rolled": "Rolled for it",
    "taped": "Measured with a tape",
    "judge-called": "The judge was called",
}


class NewSettlement(
    Frozen,
    json_schema_extra={
        "examples": [{"query": {"kind": "los", "viewer": "m3", "target": "m7"}, "how": "agreed", "answer": "yes"}]
    },
):
    """How a question was settled. `answer` is what was agreed; a roll finds its own, and a judge answers later."""

    query: dict[str, JsonValue] = Field(description="the question as its verdict repeats it")
    how: Literal["agreed", "rolled", "judge-called"]
    answer: Literal["yes", "no"] | None = Field(None, description="what was agreed; only where it was agreed")


class Settlement(Frozen):
    """A settled question; it holds until somebody it asks about moves."""

    n: int = Field(description="its line of the journal")
    at_s: float
    by: Seat
    query: dict[str, JsonValue] = Field(description="the question as its verdict repeats it")
    how: Way
    answer: Answer | None
    die: int | None = Field(None, ge=1, le=6, description="what the shared die shows")
    dice: dict[Player, int] = Field({}, description="what each player rolled")
    tapes_in: dict[Player, float] = Field({}, description="what each player read on the tape")


class DoubtSettled(Entry):
    """The players settled it; `stood_mm` is where those stood whom the question names."""

    type: Literal["doubt-settled"] = "doubt-settled"
    by: Seat
    query: dict[str, Any]
    how: Way
    answer: Answer | None
    die: int | None = None
    dice: dict[Player, int] = {}
    tapes_in: dict[Player, float] = {}
    stood_mm: dict[Id, Point]


def describe_settlement(made: Settlement | DoubtSettled, names: Mapping[Id, str]) -> str:
    """How it ended and what was asked, in names, such as "Both agreed: yes. Can Mage see Knight?"."""
    query = parse_query(made.query)
    whom = dict(zip("AB", (names.get(id_, id_) for _, id_ in query.names()), strict=False))
    asked = re.sub(r"\b[AB]\b", lambda letter: whom.get(letter[0], letter[0]), type(query).title())
    dice = " and ".join(map(str, made.dice.values())) or made.die
    tapes = " and ".join(f"{tape:g}″" for tape in made.tapes_in.values())
    figures = f" ({dice or tapes})" if dice or tapes else ""
    answer = "" if made.answer is None else f": {made.answer.value}"
    return f"{WAY_WORDS[made.how]}{figures}{answer}. {asked}"


def roll_die() -> int:
    """A fair die, thrown by the server: both players see one and the same."""
    return secrets.randbelow(PIPS) + 1


class Settlements:
    """What the players settled at one table; `changed` is called after each."""

    def __init__(self, journal: Journal, *, changed: Callable[[], None], roll: Callable[[], int] = roll_die) -> None:
        self._journal = journal
        self._changed = changed
        self._roll = roll
        self._lines = list(journal.lines(DoubtSettled))[-MOST_KEPT:]

    def settle(self, asked: NewSettlement, state: TableState, *, by: Seat) -> Settlement:
        """Write it down; the die is thrown here. Raises: BadQuery, NothingToSettle, JournalFailed."""
        stood = places_of(asked.query, state)
        if (asked.answer is None) == (asked.how == "agreed"):
            raise NothingToSettle("what was agreed is yes or no, and only that", field="answer", value=asked.answer)
        if asked.how == "rolled" and any(
            settled.query == asked.query and settled.how == "rolled" for settled in self.standing(state)
        ):
            raise NothingToSettle("it was rolled for already", field="how", value="rolled")
        die = self._roll() if asked.how == "rolled" else None
        answer = Answer(asked.answer) if asked.answer else _read_die(die)
        made = DoubtSettled(by=by, query=asked.query, how=asked.how, answer=answer, die=die, stood_mm=stood)
        return self.record(made)

    def record(self, made: DoubtSettled) -> Settlement:
        """Write down how it was settled. Raises: JournalFailed."""
        line = self._journal.write(made)
        self._lines = [*self._lines, line][-MOST_KEPT:]
        self._changed()
        return _make_settlement(line, made)

    def standing(self, state: TableState | None) -> tuple[Settlement, ...]:
        """Of each question the newest, while all whom it names stand where they stood."""
        return _standing(self._lines, state)

    def standing_at(self, state: TableState, n: int) -> tuple[Settlement, ...]:
        """The same, as it was settled on this table when line `n` of the journal had been written."""
        return _standing((line for line in self._journal.lines(DoubtSettled) if line.n <= n), state)


def _standing(lines: Iterable[Line], state: TableState | None) -> tuple[Settlement, ...]:
    places = {} if state is None else {m.id: m for m in state.miniatures}
    newest: dict[str, Settlement] = {}
    for line in lines:
        entry = line.entry
        assert isinstance(entry, DoubtSettled)
        key = str(sorted(entry.query.items()))
        newest.pop(key, None)
        if all(id_ in places and is_where_seen(places[id_], at) for id_, at in entry.stood_mm.items()):
            newest[key] = _make_settlement(line, entry)
    return tuple(newest.values())


def places_of(query: Mapping[str, Any], state: TableState) -> dict[Id, Point]:
    """Where those stand whom the question names. Raises: BadQuery, NothingToSettle."""
    named = _named(parse_query(query), state)
    if stood := {m.id: m.at_mm for m in state.miniatures if m.id in named}:
        return stood
    raise NothingToSettle("the question names nobody on the table", field="query", value=None)


def _named(query: BaseQuery, state: TableState) -> set[str]:
    """Who is asked about: miniatures, and all of a unit."""
    ids = {id_ for _, id_ in query.names()}
    return {m.id for m in state.miniatures if m.id in ids or m.unit in ids}


def _read_die(die: int | None) -> Answer | None:
    if die is None:
        return None
    return Answer.YES if die >= YES_FROM else Answer.NO


def _make_settlement(line: Line, entry: DoubtSettled) -> Settlement:
    fields = entry.model_dump(include={"by", "query", "how", "answer", "die", "dice", "tapes_in"})
    return Settlement(n=line.n, at_s=line.at_s, **fields)
