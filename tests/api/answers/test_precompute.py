"""What is worked out before somebody asks."""

import math

from api.answers.pair_sheet import AT_REST_S, SILENT_S, Pair, Precompute, likely_questions, nearest_pairs, pair_sheets
from api.evaluation.cache import VerdictCache
from api.evaluation.worker_pool import WorkerPool
from api.live.hub import Hub
from models.queries import Distance
from tests.api import fakes
from tests.api.evaluation.test_worker_pool import LyingThere
from tests.api.worlds import drop_miniatures, frame_report, skirmish, state_line


class Resting(LyingThere):
    """A crew that has always time."""

    @property
    def is_idle(self) -> bool:
        return True


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def looking_ahead(pool: WorkerPool) -> tuple[Precompute, Hub, VerdictCache, Clock]:
    hub, ask, clock = Hub(title="test table"), VerdictCache(fakes.ask, pool=pool), Clock()
    hub.handle_report(frame_report(state_line(skirmish())))
    return Precompute(hub, ask, clock=clock), hub, ask, clock


def test_a_table_at_rest_is_worked_out_question_by_question() -> None:
    precompute, _, _, clock = looking_ahead(pool := Resting())

    assert not precompute.step()
    clock.now_s += AT_REST_S
    assert precompute.step()
    assert precompute.step()
    assert len(pool.tasks) == 2


def test_who_asks_goes_before() -> None:
    precompute, hub, ask, clock = looking_ahead(pool := Resting())
    precompute.step()
    assert hub.state is not None
    ask(hub.state, Distance(a="m1", b="m2"))
    ask.asked_s = clock.now_s = clock.now_s + AT_REST_S
    precompute.step()
    assert pool.tasks == []

    clock.now_s += SILENT_S
    precompute.step()
    assert len(pool.tasks) == 1


def test_workers_that_are_busy_get_no_more() -> None:
    precompute, _, _, clock = looking_ahead(pool := LyingThere())
    precompute.step()
    clock.now_s += AT_REST_S
    precompute.step()

    assert pool.tasks == []


def test_a_table_that_changed_is_looked_at_anew() -> None:
    precompute, hub, _, clock = looking_ahead(pool := Resting())
    precompute.step()
    clock.now_s += AT_REST_S
    hub.handle_report(frame_report(state_line(drop_miniatures(skirmish(), "m5"))))
    precompute.step()
    assert pool.tasks == []

    clock.now_s += AT_REST_S
    precompute.step()
    assert hub.state is not None
    assert "m5" not in pool.tasks[0].state.by_id


def test_what_a_sheet_asks_at_length_is_what_was_worked_out() -> None:
    table = skirmish()
    a, b = next(nearest_pairs(table))
    foreseen = {(state.state_id, query.model_dump_json()) for state, query in likely_questions(table)}
    asked = list[tuple[str, str]]()

    def begin(state: object, queries: object) -> None:
        asked.extend((state.state_id, query.model_dump_json()) for query in queries)  # type: ignore[attr-defined]

    list(pair_sheets(table, Pair(a=a, b=b), ask=fakes.ask, begin=begin))
    assert asked
    assert set(asked) <= foreseen


def test_the_nearest_of_two_sides_come_first() -> None:
    table = skirmish()
    pairs = list(nearest_pairs(table))
    apart = [math.dist(table.by_id[a].at_mm, table.by_id[b].at_mm) for a, b in pairs]  # type: ignore[union-attr]
    sides = [(table.by_id[a].side, table.by_id[b].side) for a, b in pairs]  # type: ignore[union-attr]

    assert apart == sorted(apart)
    assert all(one is None or one != other for one, other in sides)
