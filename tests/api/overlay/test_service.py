"""What is on air: the server holds it, so every overlay shows the same whenever it comes."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.errors import NotOnAir
from api.live.alarms import PROOF
from api.live.hub import Hub
from api.overlay.schemas import Production
from api.overlay.service import MOST_ITEMS, OverlayService
from api.routes.overlay import loader_of
from api.rulings.bench import JudgesBench
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from api.server.serve import pages_of
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

PAIR = {"a": "m7", "b": "m10"}
AIR = "/api/v1/overlay/air"


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish()), jpeg=b"the picture"))
    return hub


@pytest.fixture
def client(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask)) as client:
        yield client


def overlay_of(hub: Hub) -> OverlayService:
    return JudgesBench(hub).overlay


def board(client: TestClient) -> dict[str, Any]:
    return dict(client.get("/api/v1/overlay").json())


def test_what_players_ask_goes_on_air_with_sight_and_distance(client: TestClient) -> None:
    client.post("/api/v1/ask-pair", json=PAIR)

    [item] = board(client)["items"]
    assert [line["slot"] for line in item["lines"]] == ["sight", "distance"]
    assert (item["a"], item["b"]) == ("m7", "m10")


def test_a_forged_game_is_told_to_who_watches_the_stream(client: TestClient, hub: Hub) -> None:
    before = board(client)["forged"]
    assert client.portal is not None
    client.portal.call(hub.alarms.sound, PROOF, "NOT as it was written: line 3: it was changed.")

    assert before is None
    assert board(client)["forged"] == "NOT as it was written: line 3: it was changed."


def test_the_same_answers_asked_again_do_not_come_back_on_air(client: TestClient) -> None:
    for other in ("m10", "m8", "m10"):
        client.post("/api/v1/ask-pair", json=PAIR | {"b": other})

    assert [item["b"] for item in board(client)["items"]] == ["m10", "m8"]


def test_another_answer_about_the_same_pair_comes_on_air(client: TestClient, hub: Hub) -> None:
    client.post("/api/v1/ask-pair", json=PAIR)
    hub.handle_report(frame_report(state_line(move_miniature(skirmish(), "m10", (300.0, 640.0)))))

    client.post("/api/v1/ask-pair", json=PAIR)

    assert len(board(client)["items"]) == 2


def test_what_a_player_thinks_of_doing_never_goes_on_air(client: TestClient) -> None:
    client.post("/api/v1/ask-pair", json=PAIR | {"ghosts": {"m7": {"at_mm": [400, 400]}}})

    assert board(client)["items"] == []


def test_a_pushed_feed_shows_nothing_that_players_ask(client: TestClient) -> None:
    client.put("/api/v1/overlay/production", json={"feed": "pushed"})

    client.post("/api/v1/ask-pair", json=PAIR)

    assert board(client)["items"] == []


def test_the_chosen_lines_of_a_pair_are_pushed(client: TestClient) -> None:
    client.post(AIR, json={"pair": PAIR, "slots": ["front-ab"]})

    [item] = board(client)["items"]
    assert [line["verdict"]["kind"] for line in item["lines"]] == ["in-front-arc"]


def test_any_question_can_be_pushed(client: TestClient) -> None:
    asked = {"kind": "within", "a": "m7", "b": "m10", "range_in": 8}

    item = client.post(AIR, json={"query": asked, "stays": True}).json()

    assert (item["a"], item["b"], item["stays"]) == ("m7", "m10", True)
    assert item["lines"][0]["verdict"]["query"]["range_in"] == 8


def test_what_the_judge_ruled_lies_over_what_is_pushed(client: TestClient) -> None:
    about = {"pair": PAIR, "slot": "distance"}
    ruled = {"about": about, "decision": "overruled", "stands": "Ten inches", "reason": "x", "key": "key-00001"}
    client.post("/api/v1/rulings", json=ruled)
    client.post(AIR, json={"pair": PAIR, "slots": ["distance"]})

    [item] = board(client)["items"]
    assert item["lines"][0]["ruling"]["said"] == "Ten inches"


@pytest.mark.parametrize("wrong", [{}, {"pair": PAIR, "query": {"kind": "los"}}, {"pair": PAIR, "slots": ["nothing"]}])
def test_nothing_clear_to_push_is_a_problem(client: TestClient, wrong: dict[str, Any]) -> None:
    answer = client.post(AIR, json=wrong)

    assert (answer.status_code, answer.json()["type"]) == (422, "query/invalid")
    assert board(client)["items"] == []


def test_a_resolved_verdict_says_when_and_what_was_ruled(client: TestClient) -> None:
    id_ = client.post(AIR, json={"pair": PAIR}).json()["id"]

    resolved = client.post(f"{AIR}/{id_}/resolved", json={"ruling": "Accepted"}).json()

    assert resolved["ruling"] == "Accepted"
    assert resolved["resolved_at_s"] >= resolved["at_s"]


def test_what_is_taken_off_has_an_end(client: TestClient) -> None:
    client.post(AIR, json={"pair": PAIR, "stays": True})

    [item] = client.delete(AIR).json()["items"]

    assert item["off_at_s"] >= item["at_s"]


def test_the_picture_is_the_one_of_that_instant(client: TestClient, hub: Hub) -> None:
    id_ = client.post(AIR, json={"pair": PAIR}).json()["id"]
    hub.handle_report(frame_report(jpeg=b"a later picture"))

    assert client.get(f"{AIR}/{id_}.jpg").content == b"the picture"


def test_what_was_never_on_air_has_no_picture(client: TestClient) -> None:
    answer = client.get(f"{AIR}/77.jpg")

    assert (answer.status_code, answer.json()["type"]) == (404, "overlay/not_on_air")


def test_how_the_stream_is_fed_outlives_a_restart(hub: Hub) -> None:
    overlay_of(hub).set_production(Production(hide_until_resolved=True, stays_s=5))

    assert overlay_of(hub).production == Production(hide_until_resolved=True, stays_s=5)


def test_nothing_is_on_air_when_its_time_is_over_unless_it_waits_to_be_resolved(hub: Hub) -> None:
    now = [100.0]
    overlay = JudgesBench(hub, clock=lambda: now[0]).overlay
    overlay.put_on(skirmish(), (), a=None, b=None)

    now[0] = 109.0
    assert overlay.current_number() is None
    overlay.set_production(Production(hide_until_resolved=True))
    id_ = overlay.put_on(skirmish(), (), a=None, b=None).id
    now[0] = 200.0
    assert overlay.current_number() == id_


def test_resolved_never_puts_on_air_what_was_asked_before_verdicts_were_held_back(hub: Hub) -> None:
    now = [100.0]
    overlay = JudgesBench(hub, clock=lambda: now[0]).overlay
    old = overlay.put_on(skirmish(), (), a="m7", b="m10").id
    now[0] = 200.0
    overlay.set_production(Production(hide_until_resolved=True))

    assert overlay.preview() is None
    with pytest.raises(NotOnAir):
        overlay.resolve(old)


def test_what_is_asked_again_once_verdicts_are_held_back_is_news_and_can_be_previewed(client: TestClient) -> None:
    client.post("/api/v1/ask-pair", json=PAIR)
    client.put("/api/v1/overlay/production", json={"hide_until_resolved": True})
    client.post("/api/v1/ask-pair", json=PAIR)

    preview = client.get("/api/v1/bench").json()["on_air"]
    assert (preview["id"], preview["who"], preview["waits"]) == (2, ["Trencher", "Sergeant"], True)
    assert preview["lines"][0].startswith("A sees B: ")


def test_who_only_watches_neither_feeds_the_stream_nor_steers_it(hub: Hub) -> None:
    with TestClient(create_app(hub, ask=ask, seats=SeatSessions(hub.journal))) as viewer:
        viewer.post("/api/v1/ask-pair", json=PAIR)

        refused = [viewer.post(AIR, json={"pair": PAIR}), viewer.delete(AIR)]

        assert [answer.status_code for answer in refused] == [403, 403]
        assert board(viewer)["items"] == []


def test_only_the_newest_are_kept(hub: Hub) -> None:
    overlay = overlay_of(hub)
    for _ in range(MOST_ITEMS + 3):
        overlay.put_on(skirmish(), (), a=None, b=None)

    assert [item.id for item in overlay.board().items] == list(range(4, MOST_ITEMS + 4))


def test_twenty_overlays_all_get_the_newest_board(hub: Hub) -> None:
    """Each board is whole: one that is slow misses steps in between and nothing else."""
    judging = JudgesBench(hub)

    async def last_of_each() -> list[dict[str, Any]]:
        overlays = [judging.board_stream.events() for _ in range(20)]
        for overlay in overlays:
            await anext(overlay)
            await anext(overlay)
        for stays_s in (3.0, 4.0, 5.0):
            judging.overlay.set_production(Production(stays_s=stays_s))
        told = [await anext(overlay) for overlay in overlays]
        for overlay in overlays:
            await overlay.aclose()
        return [json.loads(event.removeprefix(b"data: ")) for event in told]

    assert [one["production"]["stays_s"] for one in asyncio.run(last_of_each())] == [5.0] * 20


def test_the_program_tells_where_judge_and_stream_find_their_pages() -> None:
    told = pages_of("http://192.168.1.9:8017/", {"judge": "K7M2QX", "players": "AAAAAA"})

    assert told["Judge"] == "http://192.168.1.9:8017/j/K7M2QX"
    assert told["Stream overlay"] == "http://192.168.1.9:8017/overlay"


def test_the_loader_is_a_file_that_opens_the_overlay_as_it_was_asked_for(client: TestClient) -> None:
    answer = client.get("/overlay/loader.html?theme=light")

    assert '"http://testserver/overlay?theme=light"' in answer.text
    assert answer.headers["content-disposition"].startswith("attachment")


def test_nothing_in_an_address_ends_the_script_of_the_loader() -> None:
    text = loader_of("http://table/overlay?table=</script><script>alert(1)")

    assert text.count("<script>") == text.count("</script>") == 1


def test_the_ring_of_what_one_threatens_can_be_put_on_air(hub: Hub) -> None:
    with TestClient(create_app(hub)) as client:
        shown = client.post(AIR, json={"threat_of": "m7"}).json()

        assert (shown["a"], shown["b"]) == ("m7", None)
        (line,) = shown["lines"]
        assert (line["slot"], line["title"]) == ("threat", "A threatens")
        assert [one["type"] for one in line["verdict"]["witness"]].count("circle") == 1
        assert client.post(AIR, json={"threat_of": "nobody"}).status_code == 422
        assert client.post(AIR, json={"threat_of": "m7", "pair": PAIR}).status_code == 422
