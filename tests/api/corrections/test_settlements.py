"""Settlements: agreed, rolled by the shared die, or left to the judge; they end when somebody moves."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from api.corrections.settlements import NewSettlement, Settlements
from api.errors import NothingToSettle
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.server.app import create_app
from api.setups.schemas import RosterSet
from models.queries.distances import Within
from models.state import TableState
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

WITHIN = Within(a="m7", b="m10", range_in=9)


def settlements(journal: MemoryJournal | None = None, *, die: int = 4) -> Settlements:
    return Settlements(journal or MemoryJournal(), changed=lambda: None, roll=lambda: die)


def settle(kept: Settlements, state: TableState | None = None, **told: Any) -> None:
    kept.settle(NewSettlement(**({"query": WITHIN.model_dump(mode="json")} | told)), state or skirmish(), by="player-a")


@pytest.mark.parametrize(("die", "answer"), [(1, "no"), (3, "no"), (4, "yes"), (6, "yes")])
def test_on_four_or_more_the_shared_die_says_yes(die: int, answer: str) -> None:
    kept = settlements(die=die)

    settle(kept, how="rolled")

    (one,) = kept.standing(skirmish())
    assert (one.die, one.answer) == (die, answer)


def test_what_was_agreed_holds_until_somebody_it_asks_about_moves() -> None:
    kept = settlements()
    settle(kept, how="agreed", answer="no")

    assert [one.answer for one in kept.standing(move_miniature(skirmish(), "m12", (900.0, 600.0)))] == ["no"]
    assert kept.standing(move_miniature(skirmish(), "m10", (900.0, 600.0))) == ()


def test_of_one_question_the_newest_holds() -> None:
    kept = settlements()

    settle(kept, how="judge-called")
    settle(kept, how="agreed", answer="yes")

    assert [(one.how, one.answer) for one in kept.standing(skirmish())] == [("agreed", "yes")]


def test_what_was_settled_is_known_again_after_a_restart() -> None:
    journal = MemoryJournal()
    settle(settlements(journal), how="rolled")

    assert len(settlements(journal).standing(skirmish())) == 1


def test_an_earlier_moment_has_what_was_settled_then_whatever_moved_since() -> None:
    journal = MemoryJournal()
    kept = settlements(journal)
    before = journal.write(RosterSet(by="judge", expected=())).n
    settle(kept, how="agreed", answer="no")
    (now,) = kept.standing(skirmish())

    assert kept.standing(move_miniature(skirmish(), "m10", (900.0, 600.0))) == ()
    assert kept.standing_at(skirmish(), now.n) == (now,)
    assert kept.standing_at(skirmish(), before) == ()


@pytest.mark.parametrize("told", [{"how": "agreed"}, {"how": "rolled", "answer": "yes"}])
def test_an_agreement_has_an_answer_and_nothing_else_has(told: dict[str, str]) -> None:
    with pytest.raises(NothingToSettle):
        settle(settlements(), **told)


def test_every_phone_hears_of_it_at_once() -> None:
    hub = Hub(title="table", journal=MemoryJournal())
    hub.handle_report(frame_report(state_line(skirmish())))
    with TestClient(create_app(hub, ask=ask)) as client, client.websocket_connect("/api/v1/live") as phone:
        assert [phone.receive_json()["type"] for _ in range(2)] == ["hello", "snapshot"]
        body = {"query": WITHIN.model_dump(mode="json"), "how": "agreed", "answer": "yes"}

        assert client.post("/api/v1/settlements", json=body).status_code == 201

        heard = [phone.receive_json() for _ in range(2)]
    settled = next(one for one in heard if one["type"] == "settled")["settled"]
    assert [(one["how"], one["answer"]) for one in settled] == [("agreed", "yes")]
    assert any(one["type"] == "notice" and "agreed: yes" in one["text"] for one in heard)
