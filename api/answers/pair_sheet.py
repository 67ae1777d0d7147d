"""Pair sheet: everything two players ask about two miniatures, the most argued-about first.

The phone shows these lines in this order and with these words; it knows no rule and no kind by itself.
"""

import asyncio
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from pydantic import Field

from api.answers import unit_questions
from api.answers.answer_line import Line, describe_card, query_of, render_line
from api.answers.pair_questions import (
    PairView,
    PlayerQuestion,
    QuestionLine,
    Topic,
    is_met_or_open,
    pair_questions,
    player_questions,
)
from api.answers.range_rings import longest_reach_in
from api.answers.unconfirmed_bases import careful_referee
from api.evaluation.cache import Ask, Begin, VerdictCache, begin_nothing
from api.evaluation.hypothetical_table import (
    DEFAULT_REACH_IN,
    DEFAULT_SPEED_IN,
    LONGEST_IN,
    Ghosts,
    ToldFacings,
    ToldInches,
    with_cards,
    with_facings,
    with_ghosts,
    without_reach,
    without_speed,
)
from api.live.entities import leader_of, members_of, plays_units
from api.live.hub import Hub
from models.errors import BadQuery, UnknownThing
from models.frozen import Frozen
from models.miniature import Miniature
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import Id, Positive
from models.written_book import SheetLine, WrittenBook, roles_of
from referee import edition_of

_FIRST = ("sight", "distance")  # what is read first, whatever is about to be done
_TOPICS: dict[str, Topic] = {"shooting": "shoot", "charge": "charge", "movement": "charge", "combat": "melee"}
_LETTERS = re.compile(r"\b[AB]\b")
_SWAPPED = {"A": "B", "B": "A"}
_LONG_KINDS = frozenset({"los", "cover", "engaged", "action", "rule"})
MOST_PAIRS = 24  # with what is asked about each a fifth of what is remembered
AT_REST_S = 1.5  # a table that settles again at once is not worth it
SILENT_S = 3.0
_LOOK_S, _WORK_S = 0.5, 0.02
LikelyQuestions = Iterator[tuple[TableState, BaseQuery]]


class Pair(Frozen, json_schema_extra={"examples": [{"a": "m3", "b": "m7", "range_in": 12}]}):
    """Two miniatures, and what a camera cannot know of them: how long their weapons are, which way plain rims face.

    `ghosts` asks "what if they stood there": every answer is then about the table with them moved.
    """

    a: Id
    b: Id
    reach_in: ToldInches | None = Field(None, description="melee reach of both; null: as on the card, else 0.5")
    speed_in: ToldInches | None = Field(None, description="speed of both; null: as on the card, else 6")
    range_in: Positive = Field(10.0, le=LONGEST_IN, description="the range and the distance to ask about, in inches")
    facings_deg: ToldFacings = Field({}, description="which way the players say that miniatures look")
    ghosts: Ghosts = Field({}, description="where miniatures are thought of as standing")


class Sheet(Frozen):
    """All lines for a pair that matter. `reach_in` and `speed_in` are what was supposed; null: each by its own card."""

    state_id: str
    is_whole: bool = Field(description="whether every line is answered and none will follow")
    is_readable: bool = Field(description="whether at most what takes longest is still under way, such as a charge")
    a: Id
    b: Id
    reach_in: float | None
    speed_in: float | None
    range_in: float
    cards: tuple[str, ...] = Field((), description="the numbers of each, and where they were read")
    lines: tuple[Line, ...]
    questions: tuple[PlayerQuestion, ...] = Field((), description="what lines answer together, the likeliest first")

    def with_lines(self, lines: tuple[Line, ...]) -> "Sheet":
        return Sheet(**dict(self) | {"lines": lines})


def pair_sheets(state: TableState, pair: Pair, *, ask: Ask, begin: Begin = begin_nothing) -> Iterator[Sheet]:
    """Sheets that grow: first what is quickly answered, then each longer answer more; the last is whole.

    `begin` hears at once of all that will be asked at length, what is needed last first: so two who answer meet in
    the middle. Raises: UnknownThing when one of the two is not on the table.
    """
    _check_both_stand(state, pair)
    reach_in, speed_in = _reach_in(state, pair), _speed_in(state, pair)
    supposed = apply_pair(state, pair)
    ask = careful_referee(ask, ghosts=pair.ghosts)
    ordered = _order_lines(_question_lines(supposed, pair), supposed, pair)
    lines = tuple(replace(line, length_in=_length_in(line, supposed, pair)) for line in ordered)
    cards = tuple(filter(None, (describe_card(state, pair.a, letter="A"), describe_card(state, pair.b, letter="B"))))
    topic, is_turn_of_b = _turn_of(state, pair)
    answered: dict[str, Verdict] = {}

    def sheet() -> Sheet:
        shown = tuple(render_line(line, answered.get(line.slot)) for line in lines if _belongs(line, answered))
        return Sheet(
            state_id=state.state_id,
            is_whole=len(answered) == len(lines),
            is_readable=_are_answered(lines, answered, but_last=True),
            a=pair.a,
            b=pair.b,
            reach_in=reach_in,
            speed_in=speed_in,
            range_in=pair.range_in,
            cards=cards,
            lines=shown,
            questions=player_questions(lines, first=topic, of_b=is_turn_of_b),
        )

    for line in (line for line in lines if not line.takes_long):
        answered[line.slot] = ask(supposed, query_of(line))
    lines = tuple(line for line in lines if _is_near_enough(line, answered))
    long = sorted((line for line in lines if line.takes_long), key=_priority_key)
    begin(supposed, [query_of(line) for line in reversed(long)])
    yield sheet()
    for line in long:
        answered[line.slot] = ask(supposed, query_of(line))
        if _belongs(line, answered) or _are_answered(lines, answered, but_last=not line.comes_last):
            yield sheet()


def _length_in(line: QuestionLine, supposed: TableState, pair: Pair) -> float | None:
    if line.turns_on in (None, "range"):
        return pair.range_in if line.turns_on else None
    actor = leader_of(supposed, pair.b if line.is_of_b else pair.a, field="")
    return longest_reach_in(actor) if line.turns_on == "reach" else actor.profile.spd_in


def long_questions(state: TableState, pair: Pair) -> Iterator[tuple[TableState, BaseQuery]]:
    """What a sheet asks at length, whatever the two turn out to be apart, and of which table."""
    supposed = apply_pair(state, pair)
    for line in sorted((line for line in _question_lines(supposed, pair) if line.takes_long), key=_priority_key):
        yield supposed, query_of(line)


def _question_lines(supposed: TableState, pair: Pair) -> tuple[QuestionLine, ...]:
    """The lines about two miniatures, or about two units where the book plays units."""
    if plays_units(supposed):
        return unit_questions.unit_questions(
            unit_questions.UnitPairView(supposed, pair.a, pair.b), range_in=pair.range_in
        )
    a, b = (leader_of(supposed, id_, field="") for id_ in (pair.a, pair.b))
    book = edition_of(supposed)
    both = PairView(
        a,
        b,
        range_in=pair.range_in,
        charge_extra_mm=book.charge_extra_mm,
        engages_by_card=book.engage_in is None,
    )
    written = supposed.written_book
    if written is not None and written.rules.sheet:
        return _book_questions(written.rules, both)
    return pair_questions(supposed, both)


def _book_questions(book: WrittenBook, both: PairView) -> tuple[QuestionLine, ...]:
    """Every line of the book's sheet that is asked about these two; what it asks of both, one after the other."""
    lines = []
    for k, line in enumerate(book.sheet):
        if line.friends in (None, both.are_friends()):
            lines.append(_make_line(book, line, f"book-{k}", both))
            if line.both:
                lines.append(_make_line(book, line, f"book-{k}-ba", both.swap_sides()))
    return tuple(lines)


def _make_line(book: WrittenBook, line: SheetLine, slot: str, both: PairView) -> QuestionLine:
    is_back = both.letters[0] == "B"
    roles = roles_of(line.ask) or tuple("abc"[: book.about(line.rule or "")])
    fields: dict[str, Any] = dict(zip(roles, (both.me.id, both.other.id), strict=False))
    fields |= {} if line.range is None else {"range_in": book.range_in(line.range)}
    fields |= {} if line.rule is None else {"rule": line.rule}
    return QuestionLine(
        slot=slot,
        title=_LETTERS.sub(lambda letter: _SWAPPED[letter[0]], line.title) if is_back else line.title,
        kind=line.ask,
        fields=fields,
        yes=line.yes,
        no=line.no,
        takes_long=line.ask in _LONG_KINDS,
        matters=is_met_or_open if line.show == "when-yes" else None,
    )


def _order_lines(lines: tuple[QuestionLine, ...], state: TableState, pair: Pair) -> tuple[QuestionLine, ...]:
    """Sight and distance first; then what belongs to the phase of the turn, and what the player does whose turn it is.

    Where nobody told whose turn it is, A acts: it was tapped first. A written book orders its own sheet.
    """
    if state.written_book is not None and state.written_book.rules.sheet:
        return lines
    head = [line for line in lines if line.slot in _FIRST]
    topic, is_turn_of_b = _turn_of(state, pair)
    rest = (line for line in lines if line.slot not in _FIRST)
    return (*head, *sorted(rest, key=lambda line: (line.topic != topic, line.is_of_b != is_turn_of_b)))


def _turn_of(state: TableState, pair: Pair) -> tuple[Topic | None, bool]:
    """What belongs to the phase of the turn, and whether it is B's turn and not A's."""
    active = None if state.turn is None else state.turn.active
    topic = _TOPICS.get(state.turn.phase or "") if state.turn is not None else None
    sides = {id_: leader_of(state, id_, field="").side for id_ in (pair.a, pair.b)}
    return topic, active is not None and sides[pair.b] == active != sides[pair.a]


def _priority_key(line: QuestionLine) -> tuple[bool, bool]:
    """What is always shown is worked out before what may not matter, and what is searched for longest comes last."""
    return line.comes_last, line.matters is not None


def pair_sheet(state: TableState, pair: Pair, *, ask: Ask) -> Sheet:
    """Every line the edition can answer and that matters.

    Raises: UnknownThing when one of the two is not on the table.
    """
    (*_, whole) = pair_sheets(state, pair, ask=ask)
    return whole


def _belongs(line: QuestionLine, answered: dict[str, Verdict]) -> bool:
    """Whether it stands on the sheet as far as is known."""
    if line.matters is None:
        return True
    return line.slot in answered and line.matters(answered[line.slot])


def _are_answered(lines: tuple[QuestionLine, ...], answered: dict[str, Verdict], *, but_last: bool) -> bool:
    """Whether all lines are answered, or all but those that come last."""
    return all(line.slot in answered or (but_last and line.comes_last) for line in lines)


def _is_near_enough(line: QuestionLine, answered: Mapping[str, Verdict]) -> bool:
    """Whether the two stand so near each other that it is worth asking."""
    if line.within_mm is None:
        return True
    distance = answered["distance"]
    return not distance.measured or distance.measured[0].value_mm <= line.within_mm


def _check_both_stand(state: TableState, pair: Pair) -> None:
    for field, id_ in (("a", pair.a), ("b", pair.b)):
        leader_of(state, id_, field=field)
    standing = {m.id for m in state.miniatures}
    for field, ids in (("facings_deg", pair.facings_deg), ("ghosts", pair.ghosts)):
        for id_ in ids:
            if id_ not in standing:
                raise UnknownThing(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    if pair.a == pair.b:
        raise BadQuery("a pair is two miniatures", field="b", value=pair.b)


def _members(state: TableState, pair: Pair) -> frozenset[Id]:
    return frozenset(m.id for id_ in (pair.a, pair.b) for m in members_of(state, id_))


def _reach_in(state: TableState, pair: Pair) -> float | None:
    """The reach to suppose; None when both cards tell it and nobody wants it otherwise, and by a written book."""
    if pair.reach_in is not None or state.written_book is not None:
        return pair.reach_in
    return DEFAULT_REACH_IN if without_reach(state) & _members(state, pair) else None


def _speed_in(state: TableState, pair: Pair) -> float | None:
    """The speed to suppose; None when both cards tell it and nobody wants it otherwise, and by a written book.

    What is on no card nobody knows there: its rule asks for it.
    """
    if pair.speed_in is not None or state.written_book is not None:
        return pair.speed_in
    return DEFAULT_SPEED_IN if without_speed(state) & _members(state, pair) else None


def apply_pair(state: TableState, pair: Pair) -> TableState:
    """The table as the players say it is: who stands elsewhere, who looks where, how far weapons and legs reach.

    What is told holds for both; what is only supposed holds for those without a card.
    """
    both = _members(state, pair)
    reach_in, speed_in = _reach_in(state, pair), _speed_in(state, pair)
    armed = both if pair.reach_in is not None else both & without_reach(state)
    quick = both if pair.speed_in is not None else both & without_speed(state)
    state = with_facings(with_ghosts(state, pair.ghosts), pair.facings_deg)
    state = with_cards(state, armed, reach_in=reach_in, speed_in=None)
    return state if speed_in is None else with_cards(state, quick, reach_in=None, speed_in=speed_in)


class Precompute:
    """Speculative answers about the hub's table as it is now; a pool of workers does the work."""

    def __init__(self, hub: Hub, ask: VerdictCache, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._ask = ask
        self._clock = clock
        self._of: str | None = None
        self._since_s = 0.0
        self._left: LikelyQuestions = iter(())

    async def run(self) -> None:
        """Look ahead until somebody stops it."""
        while True:
            await asyncio.sleep(_WORK_S if await asyncio.to_thread(self.step) else _LOOK_S)

    def step(self) -> bool:
        """Begin one question, if it is time for that; whether there may be more."""
        state, now_s = self._hub.state, self._clock()
        if state is None or self._hub.source.halt is not None:
            return False
        if state.state_id != self._of:
            self._of, self._since_s, self._left = state.state_id, now_s, likely_questions(state)
        if now_s - self._since_s < AT_REST_S or now_s - self._ask.asked_s < SILENT_S:
            return False
        if not self._ask.is_idle:
            return True
        question = next(self._left, None)
        if question is not None:
            self._ask.begin(question[0], [question[1]])
        return question is not None


def likely_questions(state: TableState) -> LikelyQuestions:
    """The long questions about the pairs that stand nearest to each other, none of one side; nearest first."""
    seen = set[tuple[str, str]]()
    for a, b in nearest_pairs(state):
        for pair in (Pair(a=a, b=b), Pair(a=b, b=a)):
            for supposed, query in long_questions(state, pair):
                key = (supposed.state_id, query.model_dump_json())
                if key not in seen:
                    seen.add(key)
                    yield supposed, query


def nearest_pairs(state: TableState) -> Iterator[tuple[str, str]]:
    """Ids of pairs; none where units are played, whose sheets ask otherwise."""
    if plays_units(state):
        return
    standing = [m for m in state.miniatures if "removed" not in m.status]
    pairs = [(a, b) for a, b in combinations(standing, 2) if a.side is None or a.side != b.side]
    for a, b in sorted(pairs, key=_distance_mm)[:MOST_PAIRS]:
        yield a.id, b.id


def _distance_mm(pair: tuple[Miniature, Miniature]) -> float:
    return math.dist(pair[0].at_mm, pair[1].at_mm)
