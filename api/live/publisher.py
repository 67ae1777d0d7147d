"""Publisher: listeners within the server for each kind of event at a table, called in the order they subscribed.

Phones hear of a table by its broadcast; parts of the server, such as the judge's bench and the evidence, listen here.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from api.camera.protocol import LightReport, SettledPicture
from models.state import TableState


@dataclass(frozen=True)
class TableCorrected:
    """The table with its corrections, as phones hear of it next."""

    state: TableState


@dataclass(frozen=True)
class RestPictured:
    """The picture in which a table at rest was measured; phones, which fetch it at once, hear of the table next."""

    picture: SettledPicture


@dataclass(frozen=True)
class TablePictured:
    """The newest picture in which the table was measured, of a camera or a photograph; no file keeps it."""

    picture: SettledPicture


@dataclass(frozen=True)
class TableAtRest:
    """A table at rest was measured, and phones have heard of it."""


@dataclass(frozen=True)
class BenchChanged:
    """Names, score, clocks or alarms changed, and phones have heard of it."""


@dataclass(frozen=True)
class FreshnessChanged:
    """A hand came or left, or the table is seen otherwise than before."""


@dataclass(frozen=True)
class LightSeen:
    """The camera looked for the marks of a projector's light."""

    report: LightReport


Event = TypeVar("Event")


class Publisher:
    """The listeners of one table, by the kind of event."""

    def __init__(self) -> None:
        self._listeners: dict[type, dict[object, Callable[[Any], None]]] = defaultdict(dict)

    def subscribe(self, kind: type[Event], listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call the listener at each event of this kind, until the function that this returns is called."""
        subscription = object()
        self._listeners[kind][subscription] = listener

        def unsubscribe() -> None:
            self._listeners[kind].pop(subscription, None)

        return unsubscribe

    def publish(self, event: object) -> None:
        for listener in tuple(self._listeners[type(event)].values()):
            listener(event)
