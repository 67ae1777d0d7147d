"""Unconfirmed bases: what would turn an answer if it were a base makes it too close to call, by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.answers.miniature_sheet import MiniatureQuestion, miniature_sheets
from api.answers.pair_sheet import Pair, pair_sheet
from api.answers.unconfirmed_bases import doubt_unconfirmed, with_candidate
from api.answers.what_if import WhatIfMove, what_if_move
from api.live.hub import Hub
from api.server.app import create_app
from models.base import RectBase, RoundBase
from models.queries import QUERY
from models.queries.distances import Distance
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.verdict import Answer
from referee import ask
from tests.referee.tables import mini, table

A, B = mini("a", 200, 300, 0), mini("b", 500, 300, 180)
BETWEEN = UnconfirmedBase(base=RoundBase(diameter_mm=80), at_mm=(350, 300), sigma_mm=1.0, probability=0.6)
FAR = UnconfirmedBase(base=RoundBase(diameter_mm=80), at_mm=(900, 900), sigma_mm=1.0, probability=0.8)
SEES = QUERY.validate_python({"kind": "los", "viewer": "a", "target": "b"})


def seen_with(*unconfirmed: UnconfirmedBase) -> TableState:
    return table(A, B).with_sightings(looked_for=(), unconfirmed=unconfirmed)


def test_sight_past_something_that_may_be_a_base_is_too_close_to_call() -> None:
    assert ask(seen_with(BETWEEN), SEES).answer is Answer.YES

    verdict = doubt_unconfirmed(ask)(seen_with(FAR, BETWEEN), SEES)

    assert verdict.answer is Answer.TOO_CLOSE
    assert verdict.probability == pytest.approx(0.4, abs=0.01)
    assert [flip.whether for flip in verdict.flips_if] == ["whether ?2 is a base"]
    assert verdict.advice is not None
    assert "?2" in verdict.advice


def test_what_stands_elsewhere_changes_nothing() -> None:
    assert doubt_unconfirmed(ask)(seen_with(FAR), SEES) == ask(seen_with(FAR), SEES)


def test_a_measured_length_is_what_it_is() -> None:
    gap = Distance(a="a", b="b")

    assert doubt_unconfirmed(ask)(seen_with(BETWEEN), gap) == ask(seen_with(BETWEEN), gap)


def test_the_sheet_of_a_pair_says_so() -> None:
    plain = {line.slot: line for line in pair_sheet(table(A, B), Pair(a="a", b="b"), ask=ask).lines}
    doubted = {line.slot: line for line in pair_sheet(seen_with(BETWEEN), Pair(a="a", b="b"), ask=ask).lines}

    assert (plain["sight"].headline, doubted["sight"].headline) == ("Clear", "Too close")
    assert doubted["distance"] == plain["distance"]


def test_a_single_question_over_http_says_so() -> None:
    hub = Hub(title="test table")
    hub.show(seen_with(BETWEEN))
    with TestClient(create_app(hub)) as client:
        asked = client.post("/api/v1/ask", json=SEES.model_dump()).json()
        pushed = client.post("/api/v1/overlay/air", json={"query": SEES.model_dump()}).json()

    assert (asked["answer"], pushed["lines"][0]["headline"]) == ("too-close", "Too close")


def test_the_sheet_of_one_miniature_says_so() -> None:
    asked = MiniatureQuestion(who="a", sees=True)
    (*_, sheet) = miniature_sheets(seen_with(BETWEEN), asked, ask=ask)

    assert [one.sight and one.sight.answer for one in sheet.others] == [Answer.TOO_CLOSE]


def test_a_way_past_something_that_may_be_a_base_is_too_close_to_call() -> None:
    far_on_the_way = UnconfirmedBase(base=RoundBase(diameter_mm=80), at_mm=(200, 700), sigma_mm=1.0, probability=0.6)
    way = WhatIfMove(who="a", path_mm=((200, 900),), speed_in=30)

    answers = [
        what_if_move(seen_with(*those), way, ask=ask).lines[0].headline for those in ((), (far_on_the_way,), (FAR,))
    ]

    assert answers == ["Legal", "Too close", "Legal"]


def test_a_rectangle_may_look_either_way() -> None:
    lying = UnconfirmedBase(
        base=RectBase(width_mm=25, depth_mm=50), at_mm=(350, 300), turn_deg=30, sigma_mm=1, probability=0.5
    )
    (*_, one) = with_candidate(seen_with(lying), 0).miniatures

    assert one.facing_deg == 30
    assert [other.facing_deg for other in one.facing_alternatives] == [210]


@given(x=st.floats(250, 450), y=st.floats(150, 450), chance=st.floats(0.01, 0.99))
def test_an_answer_is_doubted_exactly_where_the_base_would_turn_it(x: float, y: float, chance: float) -> None:
    one = UnconfirmedBase(base=RoundBase(diameter_mm=50), at_mm=(x, y), sigma_mm=0.5, probability=chance)
    state = seen_with(one)
    plain, turned = ask(state, SEES), ask(with_candidate(state, 0), SEES)

    doubted = doubt_unconfirmed(ask)(state, SEES)

    assert (doubted.answer is Answer.TOO_CLOSE) == (turned.answer is not plain.answer)
