"""What players placed keeps its name, is found again by its look, and is asked about where that is not sure."""

import math
import pickle
from dataclasses import replace
from functools import cache

import pytest

from api.camera.tracker_snapshot import unpickle_memory
from calibration.arrays import Image
from models.base import RoundBase, catalogue_of
from models.errors import BadInput
from models.hint import ConfirmedBase
from models.timeline import EventLine, StateLine
from models.vocabulary import Point
from tests.vision import rendered
from vision.capture.sources import Frame
from vision.tracking.tracker import Tracker

FPS = 10.0
SEEN = rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE, basing=rendered.RED)
OTHER = rendered.Base((470.0, 90.0), 30.0, basing=rendered.WHITE, seed=3)
# Its rim is painted as the mat, and a monster stands on it: no finder sees it.
LOST = rendered.Base((420.0, 260.0), 50.0, rim=rendered.GRASS, side=rendered.GRASS, basing=rendered.BONE, seed=7)
RIMLESS = replace(LOST, basing=rendered.GRASS)
SIZE, ELSEWHERE = RoundBase(diameter_mm=50), (230.0, 290.0)
WORD = ConfirmedBase(step=4, id="Karchev", at_mm=(421.5, 258.5), base=SIZE, sigma_mm=1.5)


def _scene(*bases: rendered.Base, has_arm: bool = False) -> rendered.Scene:
    sculpts = tuple(
        rendered.Ball((*base.at_mm, 20.0), 20.0, (150.0, 60.0, 40.0))
        if base.diameter_mm == LOST.diameter_mm
        else rendered.Ball((*base.at_mm, 14.0), 11.0, (40.0, 40.0, 160.0))
        for base in bases
    )
    arm = tuple(rendered.Ball((290.0, 18.0 * k - 80, 60.0), 22.0, (120.0, 150.0, 200.0)) for k in range(16))
    return rendered.Scene(bases, (*sculpts, *(arm if has_arm else ())))


CALM = _scene(SEEN, OTHER, LOST)


@cache
def _picture(scene: rendered.Scene) -> Image:
    return rendered.photograph(scene)


class Table:
    """A tracker, and all lines that it wrote."""

    def __init__(self, tracker: Tracker | None = None) -> None:
        self.tracker = tracker or _tracker()
        self.index = 0
        self.lines: list[StateLine | EventLine] = []

    def show(self, scene: rendered.Scene, lasts_s: float = 0.5) -> list[EventLine]:
        """The events while this is seen."""
        came = len(self.lines)
        for _ in range(round(lasts_s * FPS)):
            self.lines += self.tracker.update(Frame(self.index, self.index / FPS, _picture(scene))).lines
            self.index += 1
        return [line for line in self.lines[came:] if isinstance(line, EventLine)]

    def ids(self) -> list[str]:
        return [m.id for m in self._state().state.miniatures]

    def at_mm(self, id_: str = WORD.id) -> Point:
        return next(m.at_mm for m in self._state().state.miniatures if m.id == id_)

    def placement(self) -> str | None:
        return next(m.placement for m in self._state().state.miniatures if m.id == WORD.id)

    def _state(self) -> StateLine:
        return [line for line in self.lines if isinstance(line, StateLine)][-1]


def _tracker(kept: bytes | None = None) -> Tracker:
    return Tracker(
        CALM.eye.camera(), rendered.layout(), edition="warmachine-prime", catalogue=catalogue_of(("warmachine-prime",)),
        state=None if kept is None else unpickle_memory(kept),
    )  # fmt: skip


def _told(*words: ConfirmedBase, scene: rendered.Scene = CALM) -> Table:
    table = Table()
    table.show(scene, 0.4)
    table.tracker.set_confirmed_bases(words)
    table.show(scene, 0.2)
    return table


@pytest.fixture
def told() -> Table:
    return _told(WORD)


def test_what_no_finder_sees_stands_under_the_name_that_a_player_gives(told: Table) -> None:
    assert sorted(told.ids()) == ["Karchev", "m1", "m2"]
    assert math.dist(told.at_mm(), LOST.at_mm) < 4


def test_hands_and_changes_elsewhere_leave_it_where_it_stands(told: Table) -> None:
    before = told.at_mm()
    told.show(_scene(SEEN, OTHER, LOST, has_arm=True), 0.3)
    events = told.show(_scene(replace(SEEN, at_mm=(200.0, 250.0)), OTHER, LOST))

    assert [event.ids for event in events if event.type == "moved"] == [("m1",)]
    assert told.at_mm() == before


def test_it_is_found_by_its_look_where_it_was_put_and_turned(told: Table) -> None:
    events = told.show(_scene(SEEN, OTHER, replace(LOST, at_mm=ELSEWHERE, facing_deg=130.0)))

    assert [(event.type, event.ids) for event in events] == [("moved", ("Karchev",))]
    assert math.dist(told.at_mm(), ELSEWHERE) < 5
    assert told.placement() == "measured"


def test_another_tracker_that_takes_its_state_up_knows_it(told: Table) -> None:
    again = Table(_tracker(pickle.dumps(told.tracker.state)))
    again.tracker.set_confirmed_bases((WORD,))
    again.show(CALM)
    assert sorted(again.ids()) == ["Karchev", "m1", "m2"]

    again.show(_scene(SEEN, OTHER, replace(LOST, at_mm=ELSEWHERE)))
    assert math.dist(again.at_mm(), ELSEWHERE) < 5


def test_who_is_nowhere_to_be_seen_is_asked_about_once_and_stays_meanwhile() -> None:
    told = _told(WORD, scene=_scene(SEEN, OTHER, RIMLESS))
    assert told.placement() == "by-hand"
    asked = told.show(_scene(SEEN, OTHER), 5.0)

    assert [(event.type, event.ids) for event in asked] == [("unsure", ("Karchev",))]
    assert [naming.ids for naming in asked[0].namings] == [("Karchev",), (None,)]
    assert "Karchev" in told.ids()

    assert asked[0].question is not None
    told.tracker.resolve_identity(asked[0].question, (None,))
    settled = told.show(_scene(SEEN, OTHER), 0.3)
    assert [event.type for event in settled] == ["unsure", "removed"]
    assert "Karchev" not in told.ids()


def test_a_look_alike_is_asked_about_and_goes_where_the_answer_says(told: Table) -> None:
    scene = _scene(SEEN, OTHER, replace(LOST, at_mm=ELSEWHERE, basing=rendered.STEEL))
    (asked,) = [event for event in told.show(scene) if event.type == "unsure"]
    assert asked.question is not None
    place = next(k for k, at in enumerate(asked.places_mm) if math.dist(at, ELSEWHERE) < 8)
    answer = tuple("Karchev" if k == place else None for k in range(len(asked.places_mm)))
    told.tracker.resolve_identity(asked.question, answer)
    told.show(scene, 0.3)

    assert math.dist(told.at_mm(), ELSEWHERE) < 8
    with pytest.raises(BadInput):
        told.tracker.resolve_identity(asked.question, answer)


def test_a_word_that_is_taken_back_leaves_the_table_as_it_was(told: Table) -> None:
    told.tracker.set_confirmed_bases(())
    told.show(CALM, 0.3)

    assert told.ids() == ["m1", "m2"]


def test_a_word_of_another_size_holds_against_what_a_finder_sees() -> None:
    size = RoundBase(diameter_mm=50)
    table = _told(ConfirmedBase(step=9, id="m1", at_mm=SEEN.at_mm, base=size, sigma_mm=1.5))
    table.show(_scene(SEEN, OTHER, LOST, has_arm=True), 0.3)
    table.show(_scene(SEEN, OTHER, LOST))

    assert next(m.base for m in table._state().state.miniatures if m.id == "m1") == size
