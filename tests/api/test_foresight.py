"""What is worked out before somebody asks."""

import math

from api.crew import Crew
from api.foresight import AT_REST_S, SILENT_S, Foresight, likely, nearest
from api.hub import Hub
from api.memory import Remembering
from api.pair import Pair, sheets_of
from models.queries import Distance
from tests.api import fakes
from tests.api.test_crew import LyingThere
from tests.api.worlds import settled, sighting, skirmish, without


class Resting(LyingThere):
    """A crew that has always time."""

    @property
    def is_idle(self) -> bool:
        return True


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def looking_ahead(crew: Crew) -> tuple[Foresight, Hub, Remembering, Clock]:
    hub, ask, clock = Hub(title="test table"), Remembering(fakes.ask, crew=crew), Clock()
    hub.take(sighting(settled(skirmish())))
    return Foresight(hub, ask, clock=clock), hub, ask, clock


def test_a_table_at_rest_is_worked_out_question_by_question() -> None:
    foresight, _, _, clock = looking_ahead(crew := Resting())

    assert not foresight.step()
    clock.now_s += AT_REST_S
    assert foresight.step()
    assert foresight.step()
    assert len(crew.tasks) == 2


def test_who_asks_goes_before() -> None:
    foresight, hub, ask, clock = looking_ahead(crew := Resting())
    foresight.step()
    assert hub.state is not None
    ask(hub.state, Distance(a="m1", b="m2"))
    ask.asked_s = clock.now_s = clock.now_s + AT_REST_S
    foresight.step()
    assert crew.tasks == []

    clock.now_s += SILENT_S
    foresight.step()
    assert len(crew.tasks) == 1


def test_workers_that_are_busy_get_no_more() -> None:
    foresight, _, _, clock = looking_ahead(crew := LyingThere())
    foresight.step()
    clock.now_s += AT_REST_S
    foresight.step()

    assert crew.tasks == []


def test_a_table_that_changed_is_looked_at_anew() -> None:
    foresight, hub, _, clock = looking_ahead(crew := Resting())
    foresight.step()
    clock.now_s += AT_REST_S
    hub.take(sighting(settled(without(skirmish(), "m5"))))
    foresight.step()
    assert crew.tasks == []

    clock.now_s += AT_REST_S
    foresight.step()
    assert hub.state is not None
    assert "m5" not in crew.tasks[0].state.by_id


def test_what_a_sheet_asks_at_length_is_what_was_worked_out() -> None:
    table = skirmish()
    a, b = next(nearest(table))
    foreseen = {(state.state_id, query.model_dump_json()) for state, query in likely(table)}
    asked = list[tuple[str, str]]()

    def begin(state: object, queries: object) -> None:
        asked.extend((state.state_id, query.model_dump_json()) for query in queries)  # type: ignore[attr-defined]

    list(sheets_of(table, Pair(a=a, b=b), ask=fakes.ask, begin=begin))
    assert asked
    assert set(asked) <= foreseen


def test_the_nearest_of_two_sides_come_first() -> None:
    table = skirmish()
    pairs = list(nearest(table))
    apart = [math.dist(table.by_id[a].at_mm, table.by_id[b].at_mm) for a, b in pairs]  # type: ignore[union-attr]
    sides = [(table.by_id[a].side, table.by_id[b].side) for a, b in pairs]  # type: ignore[union-attr]

    assert apart == sorted(apart)
    assert all(one is None or one != other for one, other in sides)
