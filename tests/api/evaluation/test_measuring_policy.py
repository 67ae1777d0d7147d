"""Where the rulebook restricts measuring, nothing that reaches a phone carries what may not be measured."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet, miniature_sheets
from api.answers.pair_sheet import Pair, pair_sheet
from api.answers.what_if import WhatIfMove, what_if_move
from api.live.hub import Hub
from api.live.table_view import table_view
from api.server.app import create_app
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import EditionId
from referee import ask
from tests.referee.tables import mini, table

RESTRICTED: tuple[EditionId, ...] = ("hordes-mk2", "warmachine-mk1")
_DECLARED = {"what": "ranged-attack", "by": "a", "target": "b", "weapon": "Gun", "range_in": 8}


def two(edition: EditionId, *, declared: bool = False, **more: Any) -> TableState:
    """Red a of 30 at 300 with a gun of 8 in, or 203.2, and blue b of 30 at 450: 120 apart."""
    turn = {"active": "red", "phase": "activation", "activating": "a"} | ({"declared": _DECLARED} if declared else {})
    a = mini("a", 300, 300, side="red", reach=0.5, gun=8, **more)
    return table(a, mini("b", 450, 300, 180, side="blue", reach=0.5, gun=8), turn=turn).in_edition(edition)


def around_a(state: TableState, **told: Any) -> MiniatureSheet:
    (*_, last) = miniature_sheets(state, MiniatureQuestion(who="a", **told), ask=ask)
    return last


def verdicts(state: TableState, **told: Any) -> dict[str, Verdict]:
    lines = pair_sheet(state, Pair(a="a", b="b", **told), ask=ask).lines
    return {line.slot: line.verdict for line in lines if line.verdict is not None}


def figures(verdict: Verdict) -> Iterator[str]:
    """Every figure that a verdict carries beside its geometry and the question itself."""
    told = verdict.model_dump(mode="json", exclude={"witness", "query", "version"})
    told["value"].pop("cap_mm", None)
    yield from _numbers(told)


def _numbers(told: Any, at: str = "") -> Iterator[str]:
    if isinstance(told, dict):
        for key, one in told.items():
            yield from _numbers(one, f"{at}.{key}")
    elif isinstance(told, list):
        for one in told:
            yield from _numbers(one, at)
    elif isinstance(told, int | float) and not isinstance(told, bool):
        yield at


@pytest.mark.parametrize("edition", RESTRICTED)
def test_with_nothing_declared_no_line_of_a_pair_carries_a_figure(edition: EditionId) -> None:
    found = verdicts(two(edition))

    assert {slot for slot, verdict in found.items() if list(figures(verdict)) and slot != "damage"} == set()
    assert found["sight"].answer == "yes"


@pytest.mark.parametrize("edition", RESTRICTED)
def test_a_declared_attack_opens_its_range_and_no_more(edition: EditionId) -> None:
    found = verdicts(two(edition, declared=True))

    gun = next(verdict for verdict in found.values() if verdict.kind == "range" and verdict.query["attacker"] == "a")
    assert gun.margin_mm == pytest.approx(203.2 - 120)
    assert found["distance"].status == "refused"


@pytest.mark.parametrize("edition", RESTRICTED)
def test_from_a_ghost_only_sight_is_told(edition: EditionId) -> None:
    found = verdicts(two(edition, declared=True), ghosts={"a": {"at_mm": (320, 300)}})

    assert found["sight"].answer == "yes"
    assert all(not list(figures(verdict)) for verdict in found.values() if verdict.status == "refused")
    assert "range" not in {verdict.kind for verdict in found.values() if verdict.status != "refused"}


@pytest.mark.parametrize("edition", RESTRICTED)
def test_a_way_nobody_goes_is_not_measured_even_when_its_move_is_declared(edition: EditionId) -> None:
    state = two(edition)
    declared = {"turn": {"active": "red", "declared": {"what": "move", "by": "a"}}}
    state = TableState.model_validate(state.model_dump() | declared)

    (line,) = what_if_move(state, WhatIfMove(who="a", path_mm=((300, 400),)), ask=ask).lines

    assert line.verdict is not None
    assert (line.verdict.status, line.verdict.unlock) == ("refused", "move-under-way")


@pytest.mark.parametrize("edition", RESTRICTED)
def test_no_ring_is_drawn_and_no_distance_told(edition: EditionId) -> None:
    found = around_a(two(edition, profile={"control_stat": 3}), ring_in=12)
    plain = around_a(two(edition), ring_in=12)

    assert (found.rings, plain.rings) == ((), ())
    assert [one.distance_mm for one in plain.others] == [None]


def test_from_an_own_warcaster_those_in_its_area_are_measured_and_the_others_not() -> None:
    def apart(stat: int) -> list[float | None]:
        return [o.distance_mm for o in around_a(two("warmachine-mk1", profile={"control_stat": stat})).others]

    assert apart(3) == [120.0]
    assert apart(2) == [None]


@pytest.mark.parametrize("edition", RESTRICTED)
def test_the_phone_is_told_to_draw_no_lengths(edition: EditionId) -> None:
    state = two(edition)

    assert not table_view(state).is_measuring_free
    assert table_view(state.with_house_rules(measure_policy="allow")).is_measuring_free
    assert table_view(state.in_edition("warmachine-prime")).is_measuring_free


def test_a_list_of_questions_about_ghosts_is_not_measured_either() -> None:
    hub = Hub(title="t")
    hub.show(two("hordes-mk2", declared=True))
    asked = {"kind": "range", "attacker": "a", "target": "b", "weapon": "Gun"}
    with TestClient(create_app(hub)) as client:
        real = client.post("/api/v1/ask", json=[asked]).json()
        told = {"questions": [asked], "ghosts": {"a": {"at_mm": [330, 300]}}}
        ghostly = client.post("/api/v1/ask", json=told).json()

    assert [one["status"] for one in (*real, *ghostly)] == ["decided", "refused"]


def test_phones_start_over_when_the_players_agree_to_measure() -> None:
    hub = Hub(title="t")
    hub.show(two("hordes-mk2"))
    subscriber = hub.broadcast.subscribe()
    before = hub.snapshot().seq
    hub.show(two("hordes-mk2").with_house_rules(measure_policy="allow"))

    assert hub.snapshot().table is not None
    assert hub.snapshot().table.is_measuring_free  # type: ignore[union-attr]
    assert hub.snapshot().seq > before
    hub.unsubscribe(subscriber)
