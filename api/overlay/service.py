"""Overlay service: what is on air, the same for every overlay, however late it comes.

Lives on the server's event loop, as the hub does.
"""

import contextlib
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from api.answers.answer_line import Line
from api.answers.one_word import OneWord, facts_under_answer
from api.answers.pair_sheet import Pair, Sheet
from api.answers.range_rings import range_rings
from api.answers.unconfirmed_bases import careful_referee
from api.corrections.told_facts import IF_TOLD
from api.errors import NotOnAir
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from api.live.alarms import PROOF
from api.live.entities import leader_of, members_of
from api.live.hub import Hub
from api.live.rest_moments import RestMoments
from api.live.table_schemas import Rest
from api.live.table_view import table_view
from api.overlay.cues import Cue
from api.overlay.schemas import Board, OnAirItem, OnAirPreview, Production, ProductionSet
from api.seats.permissions import Seat
from models.errors import BadQuery, TablesideError
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Answer
from models.vocabulary import Id
from referee.rules.sides import are_enemies

MOST_ITEMS = 6  # a delayed stream is this many verdicts behind at most
MOST_PAIRS = 64
FIRST = 2  # of a pair's sheet: sight and distance, as a phone draws them first
_THREATS = ("charge", "walk")  # the farther first
log = logging.getLogger(__name__)
FILE = "on-air.json"
_ITEMS: TypeAdapter[tuple[OnAirItem, ...]] = TypeAdapter(tuple[OnAirItem, ...])


class OverlayService:
    """Puts verdicts on air; `changed` is called after each change, `clock` gives seconds since 1970."""

    def __init__(
        self,
        hub: Hub,
        *,
        changed: Callable[[], None],
        clock: Callable[[], float] = time.time,
        folder: Path | None = None,
    ) -> None:
        """`folder`: where what is on air outlives a restart."""
        kept = hub.journal.newest(ProductionSet)
        self.production = kept.entry.production if kept and isinstance(kept.entry, ProductionSet) else Production()
        self._held_since = kept.at_s if kept and self.production.hide_until_resolved else None
        self._hub = hub
        self._changed = changed
        self._clock = clock
        self.cue: Callable[[Cue], None] | None = None  # hears what goes on air, and that it is taken off
        self._kept = KeptItems(folder)
        self._items = self._kept.load(hub.rests)
        self._pictures: dict[int, bytes] = {}
        self._newest = max((item.id for item in self._items), default=0)
        self._shown_of_pair: OrderedDict[tuple[str, str], tuple[tuple[str | None, bool], ...]] = OrderedDict()

    def board(self) -> Board:
        """What an overlay shows now. Somebody looks, so the table's picture is worth renewing."""
        self._hub.note_picture_fetched()
        forged = self._hub.alarms.find(PROOF)
        return Board(
            now_s=self._clock(),
            title=self._hub.title,
            production=self.production,
            items=self._items,
            clocks=self._hub.clocks.shown(),
            scoreboard=self._hub.score.board,
            forged=None if forged is None else forged.says,
        )

    def set_production(self, production: Production) -> None:
        """From now on the stream is fed like this, also after a restart. Raises: JournalFailed."""
        self._hub.journal.write(ProductionSet(production=production))
        if production.hide_until_resolved and not self.production.hide_until_resolved:
            self._held_since = self._clock()
            self._shown_of_pair.clear()  # what is asked again from now on is news
        elif not production.hide_until_resolved:
            self._held_since = None
        self.production = production
        self._changed()

    def note_sheet(self, state: TableState, pair: Pair, sheet: Sheet) -> None:
        """Players were told this, and it goes on air where the stream is fed so.

        Once only: phones ask again by themselves while the table changes around their pair. And never what a player
        merely thinks of doing: the opponent may be watching. An answer that something is missing for is held.
        """
        if pair.ghosts or any(_misses_something(line) for line in sheet.lines[:FIRST]):
            return
        said = tuple((line.headline, bool(line.told)) for line in sheet.lines[:FIRST])
        key = (sheet.a, sheet.b)
        is_news = self._shown_of_pair.get(key) != said
        self._shown_of_pair[key] = said
        self._shown_of_pair.move_to_end(key)
        if len(self._shown_of_pair) > MOST_PAIRS:
            self._shown_of_pair.popitem(last=False)
        if is_news and self.production.feed == "asked":
            self.put_on(state, sheet.lines[:FIRST], a=sheet.a, b=sheet.b)

    def put_on(
        self,
        state: TableState,
        lines: Sequence[Line],
        *,
        a: str | None,
        b: str | None,
        stays: bool = False,
        at: int | None = None,
    ) -> OnAirItem:
        """These verdicts are on air from now on; `at`: the moment they are about, None: the table as it is now."""
        self._newest += 1
        rest = self._rest_of(state, at)
        picture = self._hub.live_picture.jpeg if at is None and rest is not None else None
        item = OnAirItem(
            id=self._newest,
            at_s=self._clock(),
            stays=stays,
            a=a,
            b=b,
            lines=tuple(lines),
            table=table_view(state, rest),
            picture=picture is not None,
        )
        self._items = (*self._items, item)[-MOST_ITEMS:]
        if picture is not None:
            self._pictures[item.id] = picture
        self._pictures = {id_: jpeg for id_, jpeg in self._pictures.items() if id_ >= self._items[0].id}
        self._note_change()
        if not self._waits(item):
            self._send_cue(item)
        return item

    def _rest_of(self, state: TableState, at: int | None) -> Rest | None:
        """When this table came to rest; None where it moved on while it was asked about."""
        if at is not None:
            return self._hub.rests.at(at)
        now = self._hub.state
        return self._hub.rests.now() if now is not None and now.state_id == state.state_id else None

    def resolve(self, id_: int, *, ruling: str | None = None) -> OnAirItem:
        """It is settled: from now on it may be shown, with what was ruled.

        Raises: NotOnAir, also for what has been on air before: an old pair never comes back by itself.
        """
        if id_ != self.current_number():
            raise NotOnAir(f"nothing numbered {id_} is on air or waits to be resolved", field="id", value=id_)
        resolved = self._change(id_, resolved_at_s=self._clock(), ruling=ruling)
        self._send_cue(resolved)
        return resolved

    def take_off(self) -> None:
        now = self._clock()
        if self.cue is not None and any(item.off_at_s is None for item in self._items):
            self.cue(Cue(event="off-air", at_s=now, table=self._hub.title))
        self._items = tuple(item if item.off_at_s else _replace(item, off_at_s=now) for item in self._items)
        self._note_change()

    def preview(self) -> OnAirPreview | None:
        """What is on air, or would be when it is resolved, in words; None when that is nothing."""
        number = self.current_number()
        if number is None:
            return None
        item = self._items[-1]
        names, lines = _describe_item(item, called=self._hub.score.called)
        return OnAirPreview(id=number, at_s=item.at_s, who=names, lines=lines, waits=self._waits(item))

    def _send_cue(self, item: OnAirItem) -> None:
        """Programs of the studio hear of it."""
        if self.cue is None:
            return
        is_ruled = item.ruling is not None or any(line.ruling is not None for line in item.lines)
        names, lines = _describe_item(item, called=self._hub.score.called)
        event: Literal["ruling-on-air", "line-on-air"] = "ruling-on-air" if is_ruled else "line-on-air"
        self.cue(Cue(event=event, at_s=self._clock(), table=self._hub.title, id=item.id, who=names, lines=lines))

    def _waits(self, item: OnAirItem) -> bool:
        """Whether it was asked since verdicts are held back, and has not been resolved."""
        return self._held_since is not None and item.resolved_at_s is None and item.at_s >= self._held_since

    def current_number(self) -> int | None:
        """The number of what is on air, or waits to be resolved; None when its time is over or it was taken off."""
        newest = self._items[-1] if self._items else None
        if newest is None or newest.off_at_s is not None:
            return None
        over_s = (newest.resolved_at_s or newest.at_s) + self.production.stays_s
        return newest.id if self._waits(newest) or newest.stays or self._clock() < over_s else None

    def rest_of(self, id_: int) -> Rest | None:
        """When the table that this is about came to rest. Raises: NotOnAir."""
        item = next((item for item in self._items if item.id == id_), None)
        if item is None:
            raise NotOnAir(f"nothing numbered {id_} was on air lately", field="id", value=id_)
        return item.table.rest

    def picture_of(self, id_: int) -> bytes:
        """The table as it was when this was put on air. Raises: NotOnAir."""
        if id_ not in self._pictures:
            raise NotOnAir(f"nothing numbered {id_} with a picture was on air lately", field="id", value=id_)
        return self._pictures[id_]

    def _change(self, id_: int, **changes: object) -> OnAirItem:
        item = next((item for item in self._items if item.id == id_), None)
        if item is None:
            raise NotOnAir(f"nothing numbered {id_} was on air lately", field="id", value=id_)
        changed = _replace(item, **changes)
        self._items = tuple(changed if other is item else other for other in self._items)
        self._note_change()
        return changed

    def _note_change(self) -> None:
        self._kept.save(self._items)
        self._changed()


def _describe_item(item: OnAirItem, *, called: Callable[[Seat], str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the two, and each line in words."""
    names = {m.id: m.name for m in (*item.table.miniatures, *item.table.units)}
    pair = tuple(names.get(id_, id_) for id_ in (item.a, item.b) if id_ is not None)
    ruled = () if item.ruling is None else (item.ruling,)
    return pair, (*(_describe_line(line, called) for line in item.lines), *ruled)


def _describe_line(line: Line, called: Callable[[Seat], str]) -> str:
    """What stands, else the answer with whose word alone it rests on."""
    if line.ruling is not None:
        return f"{line.title}: {line.ruling.said}"
    by = "".join(f", {IF_TOLD[fact.kind]}: said by {called(fact.by)}" for fact in line.told[:1])
    return f"{line.title}: {line.headline}{by}"


def _misses_something(line: Line) -> bool:
    """Whether nobody can tell before somebody supplies a fact."""
    return line.verdict is not None and line.ruling is None and bool(line.verdict.needs)


def _replace(item: OnAirItem, **changes: object) -> OnAirItem:
    """The same item, changed; its parts are values already, so they are taken over as they are."""
    return OnAirItem(**{name: getattr(item, name) for name in OnAirItem.model_fields} | changes)


def pair_of(query: BaseQuery) -> tuple[str | None, str | None]:
    """The two miniatures a question is about; None where it names fewer."""
    named = [id_ for _, id_ in query.names()]
    return (named[0] if named else None, named[1] if len(named) > 1 else None)


def threat_line(state: TableState, id_: Id, *, ask: Ask, word: OneWord | None = None) -> Line:
    """How far it threatens, drawn as a ring, and how many enemies are within; with what is so by one player's word.

    Raises: UnknownThing; BadQuery where the rulebook draws no such ring, or it may not be measured now.
    """
    ask = careful_referee(ask)
    line = _threat_line(state, id_, ask)
    if word is None:
        return line
    facts = facts_under_answer(_says(line), state, (id_,), word, lambda table: _says_without(table, id_, ask))
    return line.with_told(facts)


def _says(line: Line) -> object:
    return line.headline, line.note, line.verdict and line.verdict.members


def _says_without(table: TableState, id_: Id, ask: Ask) -> object:
    """What it would say of that table; None where no such ring is drawn there."""
    try:
        return _says(_threat_line(table, id_, ask))
    except TablesideError:
        return None


def _threat_line(state: TableState, id_: Id, ask: Ask) -> Line:
    card, supposed = leader_of(state, id_, field="threat_of").profile, apply_hypothesis(state, Hypothesis())
    me = leader_of(supposed, id_, field="threat_of")
    rings = {ring.slot: ring for ring in range_rings(supposed, me, card=card, ring_in=None, ask=ask)}
    slot = next((slot for slot in _THREATS if slot in rings), None)
    if slot is None:
        raise BadQuery(f"no ring is drawn around {id_!r} here", field="threat_of", value=id_)
    ring = rings[slot]
    own = {m.id for m in members_of(supposed, id_)}
    within = [member.id for member in ring.verdict.members if member.answer is Answer.YES and member.id not in own]
    inside = sum(are_enemies(supposed, me, leader_of(supposed, id_, field="threat_of")) for id_ in within)
    note = f"{inside} {'enemy' if inside == 1 else 'enemies'} within" + (
        ", not by its card" if ring.is_supposed else ""
    )
    headline = f"{ring.length_in:.4g}\u2033"
    return Line(slot="threat", title="A threatens", yes="", no="", headline=headline, note=note, verdict=ring.verdict)


class KeptItems:
    """The newest items; where they cannot be written or read the stream goes on without."""

    def __init__(self, folder: Path | None) -> None:
        """`folder` None: nothing is kept."""
        self._path = None if folder is None else folder / FILE

    def load(self, rests: RestMoments) -> tuple[OnAirItem, ...]:
        if self._path is None:
            return ()
        try:
            items = _ITEMS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as wrong:
            log.warning("on air before is not known any more why=%s", wrong)
            return ()
        return tuple(_without_picture(item) for item in items if _is_of_this_game(item, rests))

    def save(self, items: tuple[OnAirItem, ...]) -> None:
        if self._path is None:
            return
        part = self._path.with_suffix(".part")
        try:
            part.write_bytes(_ITEMS.dump_json(items))
            os.replace(part, self._path)
        except OSError as wrong:
            log.warning("what is on air is not kept why=%s", wrong)
            with contextlib.suppress(OSError):
                part.unlink()


def _is_of_this_game(item: OnAirItem, rests: RestMoments) -> bool:
    rest = item.table.rest
    now = None if rest is None else rests.at(rest.n)
    return rest is not None and now is not None and (now.n, now.at_s) == (rest.n, rest.at_s)


def _without_picture(item: OnAirItem) -> OnAirItem:
    """What the camera showed when it was put on air is gone; the picture of the table at rest is kept elsewhere."""
    return OnAirItem(**{name: getattr(item, name) for name in OnAirItem.model_fields} | {"picture": False})
