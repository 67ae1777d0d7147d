"""What is on air: held by the server, so that an overlay that comes late or again shows the same as all others.

Lives on the server's event loop, as the hub does.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from api.clocks.desk import ClockDesk
from api.drawn import drawn
from api.errors import NotOnAir
from api.hub import Hub
from api.line import Line
from api.overlay.words import Board, OnAir, Produced, Production
from api.pair import Pair, Sheet
from models.queries import Asked
from models.state import TableState

MOST_ITEMS = 6  # a delayed stream is this many verdicts behind at most
MOST_PAIRS = 64
FIRST = 2  # of a pair's sheet: sight and distance, as a phone draws them first


class OverlayDesk:
    """Puts verdicts on air; `changed` is called after each change, `clock` gives seconds since 1970."""

    def __init__(
        self, hub: Hub, clocks: ClockDesk, *, changed: Callable[[], None], clock: Callable[[], float] = time.time
    ) -> None:
        kept = hub.journal.newest(Produced)
        self.production = kept.entry.production if kept and isinstance(kept.entry, Produced) else Production()
        self._hub = hub
        self._clocks = clocks
        self._changed = changed
        self._clock = clock
        self._items: tuple[OnAir, ...] = ()
        self._pictures: dict[int, bytes] = {}
        self._newest = 0
        self._told: OrderedDict[tuple[str, str], tuple[str | None, ...]] = OrderedDict()

    def board(self) -> Board:
        """What an overlay shows now. Somebody looks, so the table's picture is worth renewing."""
        self._hub.fetched_picture()
        return Board(
            now_s=self._clock(),
            title=self._hub.title,
            production=self.production,
            items=self._items,
            clocks=self._clocks.told(self._clock()),
        )

    def produce(self, production: Production) -> None:
        """From now on the stream is fed like this, also after a restart. Raises: JournalFailed."""
        self._hub.journal.write(Produced(production=production))
        self.production = production
        self._changed()

    def hear(self, state: TableState, pair: Pair, sheet: Sheet) -> None:
        """Players were told this, and it goes on air where the stream is fed so.

        Once only: phones ask again by themselves while the table changes around their pair. And never what a player
        merely thinks of doing: the opponent may be watching.
        """
        if pair.ghosts:
            return
        said = tuple(line.headline for line in sheet.lines[:FIRST])
        key = (sheet.a, sheet.b)
        is_news = self._told.get(key) != said
        self._told[key] = said
        self._told.move_to_end(key)
        if len(self._told) > MOST_PAIRS:
            self._told.popitem(last=False)
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
        is_now: bool = True,
    ) -> OnAir:
        """These verdicts are on air from now on; `is_now`: they are about the table in today's picture."""
        self._newest += 1
        picture = self._hub.picture if is_now else None
        item = OnAir(
            id=self._newest,
            at_s=self._clock(),
            stays=stays,
            a=a,
            b=b,
            lines=tuple(lines),
            table=drawn(state),
            picture=picture is not None,
        )
        self._items = (*self._items, item)[-MOST_ITEMS:]
        if picture is not None:
            self._pictures[item.id] = picture
        self._pictures = {id_: jpeg for id_, jpeg in self._pictures.items() if id_ >= self._items[0].id}
        self._changed()
        return item

    def resolve(self, id_: int, *, ruling: str | None = None) -> OnAir:
        """It is settled: from now on it may be shown, with what was ruled. Raises: NotOnAir."""
        return self._change(id_, resolved_at_s=self._clock(), ruling=ruling)

    def take_off(self) -> None:
        """Nothing is on air any more."""
        now = self._clock()
        self._items = tuple(item if item.off_at_s else _with(item, off_at_s=now) for item in self._items)
        self._changed()

    def on_air(self) -> int | None:
        """The number of what is on air, or waits to be resolved; None when its time is over or it was taken off."""
        newest = self._items[-1] if self._items else None
        if newest is None or newest.off_at_s is not None:
            return None
        waits = self.production.hide_until_resolved and newest.resolved_at_s is None
        over_s = (newest.resolved_at_s or newest.at_s) + self.production.stays_s
        return newest.id if waits or newest.stays or self._clock() < over_s else None

    def picture_of(self, id_: int) -> bytes:
        """The table as it was when this was put on air. Raises: NotOnAir."""
        if id_ not in self._pictures:
            raise NotOnAir(f"nothing numbered {id_} with a picture was on air lately", field="id", value=id_)
        return self._pictures[id_]

    def _change(self, id_: int, **changes: object) -> OnAir:
        item = next((item for item in self._items if item.id == id_), None)
        if item is None:
            raise NotOnAir(f"nothing numbered {id_} was on air lately", field="id", value=id_)
        changed = _with(item, **changes)
        self._items = tuple(changed if one is item else one for one in self._items)
        self._changed()
        return changed


def _with(item: OnAir, **changes: object) -> OnAir:
    """The same item, changed; its parts are values already, so they are taken over as they are."""
    return OnAir(**{name: getattr(item, name) for name in OnAir.model_fields} | changes)


def ids_of(query: Asked) -> tuple[str | None, str | None]:
    """The two miniatures a question is about; None where it names fewer."""
    named = [id_ for _, id_ in query.names()]
    return (named[0] if named else None, named[1] if len(named) > 1 else None)
