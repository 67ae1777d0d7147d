"""One player's word: which answers rest on what one player told and nobody agreed to yet."""

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from threading import Lock

from pydantic import Field

from api.answers.answer_line import Line
from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, OtherMiniature
from api.answers.pair_sheet import Pair, Sheet, apply_pair
from api.answers.unconfirmed_bases import NEAR_MM, careful_referee, from_segment_mm
from api.answers.what_if import Manoeuvre, WhatIfMove, WhatIfMoveResult
from api.corrections.told_facts import OF_THE_TABLE, ToldFact, open_facts
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from api.evaluation.measuring_policy import free_measuring
from api.live.entities import members_of
from api.live.hub import Hub
from api.live.moments import Moments
from api.live.rest_moments import measured_table
from api.live.table_view import check_drawable
from models.errors import TablesideError
from models.parsing import parse_query
from models.queries import BaseQuery
from models.shape import OutlineFields
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import Id, Point

MOST_KEPT = 16  # earlier moments
Suppose = Callable[[TableState], TableState]
"""Lays what a question supposes over a table."""


@dataclass(frozen=True)
class OneWord:
    """What holds by one player's word alone, the table without it, and the table without what lies there by it."""

    facts: tuple[ToldFact, ...]
    without: TableState
    without_things: TableState


class WordFinder:
    """Finds what nobody had agreed to; what is past does not change, so the newest asked for are kept."""

    def __init__(self, hub: Hub, moments: Moments) -> None:
        self._hub = hub
        self._moments = moments
        self._kept: OrderedDict[int, OneWord | None] = OrderedDict()
        self._lock = Lock()

    def word(self, at: int | None = None) -> OneWord | None:
        """What holds by one player's word alone; None where nothing does. Now is known on the server's loop only.

        Raises: NoTableYet, NoSuchMoment when there is no table of that moment.
        """
        if at is None:
            return self._word_now()
        with self._lock:
            if at not in self._kept:
                self._kept[at] = self._word_at(at)
            self._kept.move_to_end(at)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[at]

    def asked_word(self, at: int | None = None) -> OneWord | None:
        """The same beside the table that somebody asks about, at which everything may be measured once that is open."""
        word = self.word(at)
        if word is None or at is None or not self._hub.is_past_open:
            return word
        return OneWord(word.facts, free_measuring(word.without), free_measuring(word.without_things))

    def _word_now(self) -> OneWord | None:
        hub = self._hub
        if hub.state is None or hub.measured is None or not (facts := hub.undo_log.open_facts(hub.state)):
            return None
        without = hub.with_missing(hub.undo_log.without_open_facts(hub.measured))
        if without == hub.state:  # such as what was laid and taken away again
            return None
        without_things = hub.undo_log.without_open_facts(hub.measured, of_the_table_only=True)
        return OneWord(facts, without, hub.with_missing(without_things))

    def _word_at(self, at: int) -> OneWord | None:
        state = self._moments.table(at)
        measured = measured_table(self._hub.journal, until=at)
        ledger = self._hub.undo_log.ledger_at(at)
        facts = open_facts(ledger.steps.values(), state)
        if measured is None or not facts:
            return None
        without, without_things = (
            ledger.without_open_facts(of_the_table_only=is_part).lay_over(measured, draw=check_drawable).state
            for is_part in (False, True)
        )
        return None if without == state else OneWord(facts, without, without_things)


def mark_told(sheets: Iterator[Sheet], state: TableState, pair: Pair, word: OneWord, *, ask: Ask) -> Iterator[Sheet]:
    """The same sheets, each line with the facts that it rests on.

    A line rests on them when its answer is another on the table without them, told by asking it again. Until the sheet
    is whole every line is taken to rest on what was told of its two: nothing looks plainer than it will.
    """
    facts = _facts_about(state, (pair.a, pair.b), word)
    ask = careful_referee(ask, ghosts=pair.ghosts)
    for sheet in sheets:
        if not facts:
            yield sheet
        elif sheet.is_whole:
            yield sheet.with_lines(_mark_lines(sheet.lines, word, facts, lambda table: apply_pair(table, pair), ask))
        else:
            yield sheet.with_lines(tuple(line.with_told(facts) for line in sheet.lines))


def mark_told_around(
    sheets: Iterator[MiniatureSheet], state: TableState, asked: MiniatureQuestion, word: OneWord, *, ask: Ask
) -> Iterator[MiniatureSheet]:
    """The same for what is around one miniature; the sheet itself names all that was told of anybody on it."""
    suppose: Suppose = partial(_suppose, asked)
    ask = careful_referee(ask, ghosts=asked.ghosts)
    for sheet in sheets:
        facts = {other.id: _facts_about(state, (asked.who, other.id), word) for other in sheet.others}
        if sheet.is_whole:
            marked = ((other, _mark_lines(other.lines, word, facts[other.id], suppose, ask)) for other in sheet.others)
        else:
            marked = ((other, tuple(line.with_told(facts[other.id]) for line in other.lines)) for other in sheet.others)
        others = tuple(OtherMiniature(**dict(other) | {"lines": lines}) for other, lines in marked)
        yield MiniatureSheet(**dict(sheet) | {"others": others, "told": word.facts})


def mark_told_move(
    result: WhatIfMoveResult, state: TableState, asked: WhatIfMove | Manoeuvre, word: OneWord, *, ask: Ask
) -> WhatIfMoveResult:
    """The same for a way that somebody may go."""
    guarded = (asked.who,) if isinstance(asked, WhatIfMove) else tuple(asked.ghosts)
    ids = (asked.who, *((asked.other,) if isinstance(asked, Manoeuvre) and asked.other is not None else ()))
    facts = _facts_about(state, ids, word)
    ask = careful_referee(ask, ghosts=guarded)
    lines = _mark_lines(result.lines, word, facts, partial(_suppose, asked), ask)
    return WhatIfMoveResult(**dict(result) | {"lines": lines})


def facts_under_verdict(
    verdict: Verdict, state: TableState, word: OneWord, *, ask: Ask, supposing: Hypothesis | None = None
) -> tuple[ToldFact, ...]:
    """The facts that the answer to one question rests on; `supposing`: what it supposes of the table."""
    facts = _facts_about(state, [id_ for _, id_ in parse_query(verdict.query).names()], word)
    suppose = _as_it_is if supposing is None else partial(_suppose, supposing)
    return _facts_under(
        verdict, word, facts, suppose, careful_referee(ask, ghosts=supposing.ghosts if supposing else ())
    )


class AskedVerdict(Verdict):
    """A verdict as the asker of one question hears it; the lines of a sheet say the same of theirs."""

    told: tuple[ToldFact, ...] = Field((), description="what it rests on by one player's word alone")


def ask_question(
    state: TableState, query: BaseQuery, *, ask: Ask, word: OneWord | None, supposing: Hypothesis | None = None
) -> AskedVerdict:
    """The answer about the table, with what is supposed of it. Raises: BadQuery, UnknownThing."""
    whole = state if supposing is None else apply_hypothesis(state, supposing)
    verdict = careful_referee(ask, ghosts=supposing.ghosts if supposing else ())(whole, query)
    facts = () if word is None else facts_under_verdict(verdict, state, word, ask=ask, supposing=supposing)
    return AskedVerdict(**dict(verdict) | {"told": facts})


def mark_told_by_asking(
    sheet: Sheet, state: TableState, pair: Pair, word: OneWord, *, ask_sheet: Callable[[TableState], Sheet]
) -> Sheet:
    """The sheet with the facts under its lines, where asking its questions is not enough; `ask_sheet` makes one."""
    facts = _facts_about(state, (pair.a, pair.b), word)
    says = cache(
        lambda is_without_all: _says_by_slot(ask_sheet(word.without if is_without_all else word.without_things))
    )

    def mark(line: Line) -> Line:
        if line.verdict is None or line.verdict.status == "refused":
            return line
        said = _says(line.verdict)
        return line.with_told(
            _facts_behind(said, word, facts, lambda table: says(table is word.without).get(line.slot))
        )

    return sheet.with_lines(tuple(mark(line) for line in sheet.lines))


def _says_by_slot(sheet: Sheet) -> dict[str, dict[str, object]]:
    return {line.slot: _says(line.verdict) for line in sheet.lines if line.verdict is not None}


def facts_under_answer(
    said: object, state: TableState, ids: Sequence[Id], word: OneWord, says: Callable[[TableState], object]
) -> tuple[ToldFact, ...]:
    """The facts that anything about these rests on; `says`: what would be said of another table."""
    return _facts_behind(said, word, _facts_about(state, ids, word), says)


def _as_it_is(table: TableState) -> TableState:
    return table


def _suppose(asked: Hypothesis, table: TableState) -> TableState:
    return apply_hypothesis(table, asked)


def _mark_lines(
    lines: Iterable[Line], word: OneWord, facts: tuple[ToldFact, ...], suppose: Suppose, ask: Ask
) -> tuple[Line, ...]:
    return tuple(
        line.with_told(_facts_under(line.verdict, word, facts, suppose, ask)) if facts and line.verdict else line
        for line in lines
    )


def _facts_under(
    verdict: Verdict, word: OneWord, facts: tuple[ToldFact, ...], suppose: Suppose, ask: Ask
) -> tuple[ToldFact, ...]:
    """Those of the facts that the answer rests on; what is refused rests on none."""
    if verdict.status == "refused":
        return ()
    return _facts_behind(_says(verdict), word, facts, lambda table: _ask_without(table, verdict, suppose, ask))


def _facts_behind(
    said: object, word: OneWord, facts: tuple[ToldFact, ...], says: Callable[[TableState], object]
) -> tuple[ToldFact, ...]:
    """Those of the facts without which something else is said: of miniatures, of the table, or of both."""
    plain = says(word.without)
    if plain == said:
        return ()
    things = tuple(fact for fact in facts if fact.kind in OF_THE_TABLE)
    if not things or len(things) == len(facts):
        return facts
    rest = tuple(fact for fact in facts if fact not in things)
    with_rest_only = says(word.without_things)
    if with_rest_only == said:
        return rest
    return things if with_rest_only == plain else facts


def _ask_without(table: TableState, verdict: Verdict, suppose: Suppose, ask: Ask) -> dict[str, object] | None:
    """What it says of that table; None where it cannot even be asked, as with a weapon that only a told card has."""
    try:
        return _says(ask(suppose(table), parse_query(verdict.query)))
    except TablesideError:
        return None


def _says(verdict: Verdict) -> dict[str, object]:
    """All that a verdict says but of which table, and the book's words."""
    return verdict.model_dump(exclude={"state_id", "query", "because", "house_rules"})


def _facts_about(state: TableState, ids: Sequence[Id], word: OneWord) -> tuple[ToldFact, ...]:
    """What the table is played by, those about these, and of what lies near the straight way between them.

    Where there are none, what was told of others may still be what is in the way.
    """
    members = {m.id: m.at_mm for id_ in ids for m in members_of(state, id_)}
    places = tuple(members.values())
    of_everything = tuple(fact for fact in word.facts if fact.kind == "rules")
    others = tuple(fact for fact in word.facts if fact.kind != "rules")
    about = tuple(
        fact
        for fact in others
        if (_is_near(fact, (state, word.without), places) if fact.kind in OF_THE_TABLE else members.keys() & fact.ids)
    )
    return (*of_everything, *(about or others))


def _is_near(fact: ToldFact, tables: Iterable[TableState], places: Sequence[Point]) -> bool:
    """Whether anything of it lies near, on either table: what is said to be gone lies on the one without."""
    things = (thing for table in tables for id_ in fact.ids if (thing := table.by_id.get(id_)) is not None)
    return any(_is_thing_near(thing, places) for thing in things)


def _is_thing_near(thing: object, places: Sequence[Point]) -> bool:
    corners = _corners_of(thing)
    if not corners or not places:
        return True  # nobody knows where it lies
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    radius = max(math.dist(middle, corner) for corner in corners)
    radius += sum(getattr(thing, name, None) or 0.0 for name in ("diameter_mm", "thickness_mm")) / 2
    return min(from_segment_mm(middle, a, b) for a in places for b in places) - radius <= NEAR_MM


def _corners_of(thing: object) -> tuple[Point, ...]:
    if not isinstance(thing, OutlineFields):
        return ()
    return thing.polygon_mm or thing.line_mm or (() if thing.centre_mm is None else (thing.centre_mm,))
