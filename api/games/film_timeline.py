"""Film timeline: what a film of a game shows at each moment, from its recording alone or with the journal of the game.

Seconds are those of the video. A table is shown from the moment it is known to lie like that; whoever is in a hand
is not drawn until he stands somewhere again.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from api.answers.answer_line import Line as AnswerLine
from api.evidence.pictures import witness_lines
from api.live.table_schemas import DrawnMiniature, DrawnTable
from models.camera import CameraPose
from models.timeline import EventLine
from models.vocabulary import Id, Point

_Value = TypeVar("_Value")

TRAIL_S = 5.0
CARD_S = 7.0


@dataclass(frozen=True)
class Trail:
    """The way somebody went, as far as it was seen."""

    t_s: float
    id: Id
    points_mm: tuple[Point, ...]
    length_mm: float


@dataclass(frozen=True)
class Card:
    """A verdict on a card: what was asked, of whom, the answer, what was decided, and the lines that decide."""

    t_s: float
    asked: str
    names: tuple[str, str]
    headline: str
    answer: str | None
    decision: str
    lines: tuple[tuple[str, tuple[Point, ...]], ...]


@dataclass(frozen=True)
class Shown:
    """All that is drawn over one frame. `pose` is None while nobody knows where the table lies."""

    table: DrawnTable | None
    pose: CameraPose | None
    lifted: frozenset[Id] = frozenset()
    trails: tuple[Trail, ...] = ()
    card: Card | None = None


@dataclass
class FilmTimeline:
    """Tables, poses, hands, trails and cards, each from its second on."""

    tables: list[tuple[float, DrawnTable]] = field(default_factory=list)
    poses: list[tuple[float, CameraPose | None]] = field(default_factory=list)
    lifts: list[tuple[float, tuple[Id, ...]]] = field(default_factory=list)
    trails: list[Trail] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)

    def note_event(self, t_s: float, event: EventLine) -> None:
        """Take in what was seen between two tables."""
        if event.type in ("in-hand", "removed"):
            self.lifts.append((t_s, event.ids))
        if event.type == "moved" and event.from_mm is not None and event.to_mm is not None and event.ids:
            path_mm = (event.from_mm, *(waypoint.at_mm for waypoint in event.path), event.to_mm)
            straight_mm = math.dist(event.from_mm, event.to_mm)
            self.trails.append(Trail(t_s, event.ids[0], path_mm, event.travelled_mm or straight_mm))

    def note_pose(self, t_s: float, pose: CameraPose | None) -> None:
        """From now on the camera hangs there; None: nobody knows where."""
        if not self.poses or self.poses[-1][1] is not pose:
            self.poses.append((t_s, pose))

    def at(self, t_s: float) -> Shown:
        """What is drawn over the frame of this second."""
        laid = _newest(self.tables, t_s)
        posed = _newest(self.poses, t_s)
        since_s = -1.0 if laid is None else laid[0]
        lifted = frozenset(id_ for at_s, ids in self.lifts if since_s < at_s <= t_s for id_ in ids)
        return Shown(
            table=None if laid is None else laid[1],
            pose=None if posed is None else posed[1],
            lifted=lifted,
            trails=tuple(trail for trail in self.trails if trail.t_s <= t_s < trail.t_s + TRAIL_S),
            card=next((card for card in reversed(self.cards) if card.t_s <= t_s < card.t_s + CARD_S), None),
        )

    def with_names(self, names: "dict[Id, DrawnMiniature]") -> "FilmTimeline":
        """The timeline in which miniatures without a name or side yet already have those of later."""
        return replace(self, tables=[(t_s, _name_all(table, names)) for t_s, table in self.tables])


def make_card(t_s: float, line: AnswerLine, *, names: tuple[str, str], decision: str) -> Card:
    """The card of a line that was ruled about."""
    verdict = line.verdict
    witness = () if verdict is None else verdict.witness
    return Card(
        t_s=t_s,
        asked=line.title,
        names=names,
        headline=line.headline or "",
        answer=None if verdict is None or verdict.answer is None else verdict.answer.value,
        decision=decision,
        lines=tuple((witness_part.role, points) for witness_part in witness for points in witness_lines(witness_part)),
    )


def _newest(dated: list[tuple[float, _Value]], t_s: float) -> tuple[float, _Value] | None:
    place = bisect_right(dated, t_s, key=lambda entry: entry[0])
    return dated[place - 1] if place else None


def _name_all(table: DrawnTable, names: "dict[Id, DrawnMiniature]") -> DrawnTable:
    named = tuple(_name_one(m, names.get(m.id)) for m in table.miniatures)
    return DrawnTable(**{key: getattr(table, key) for key in DrawnTable.model_fields} | {"miniatures": named})


def _name_one(m: DrawnMiniature, later: DrawnMiniature | None) -> DrawnMiniature:
    if later is None or (m.name != m.id and m.side is not None):
        return m
    changes = {"name": later.name if m.name == m.id else m.name, "side": m.side or later.side}
    return DrawnMiniature(**{key: getattr(m, key) for key in DrawnMiniature.model_fields} | changes)


def sides_of(tables: Iterable[DrawnTable]) -> list[str]:
    """The sides of a film in their order, so that each keeps its colour."""
    return sorted({m.side for table in tables for m in table.miniatures if m.side})
