"""Rulings: about which verdict, by camera or tape, kept with all it stood on."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from api.answers.pair_sheet import Pair
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.rulings.reevaluation import TAPE_SIGMA_MM, compare_with_tape, move_to_tape, reevaluate_sheet
from api.rulings.schemas import TapeReading
from api.seats.sessions import SeatSessions
from api.server.app import ask_interruptibly, create_app
from models.halt import Halt
from models.queries.distances import Distance
from models.queries.sight_and_shooting import Range
from models.state import TableState
from models.unit_conversion import inches
from models.verdict import Answer
from tests.api.fakes import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

PAIR = {"a": "m7", "b": "m10"}
RULINGS = "/api/v1/rulings"
FEW = skirmish().with_miniatures(tuple(m for m in skirmish().miniatures if m.id in ("m7", "m8", "m10")))


@pytest.fixture
def hub() -> Hub:
    hub = Hub(title="Table <4>", journal=MemoryJournal())
    hub.handle_report(frame_report(state_line(FEW)))
    return hub


@pytest.fixture
def judge(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub, ask=ask)) as client:
        yield client


@pytest.fixture
def by_the_book_judge(hub: Hub) -> Iterator[TestClient]:
    with TestClient(create_app(hub)) as client:
        yield client


def ruling(**changes: Any) -> dict[str, Any]:
    about = {"pair": PAIR, "slot": "distance"} | changes.pop("about", {})
    return {"about": about, "decision": "accepted"} | changes


def gap_mm(state: TableState) -> float:
    return ask_interruptibly(state, Distance(a="m7", b="m10")).measured[0].value_mm


@pytest.mark.parametrize("value_in", [0.25, 8.0, 9.7, 11.25])
def test_by_the_tape_the_two_are_as_far_apart_as_it_says(value_in: float) -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b="m10", value_in=value_in), ask=ask_interruptibly)

    assert gap_mm(taped) == pytest.approx(inches(value_in), abs=0.01)


def test_a_tape_is_as_doubtful_as_tapes_are_and_may_still_be_too_close() -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b="m10", value_in=9.98), ask=ask_interruptibly)
    measured = ask_interruptibly(taped, Distance(a="m7", b="m10")).measured[0]

    assert measured.sigma_mm == pytest.approx(TAPE_SIGMA_MM, abs=0.01)
    assert ask_interruptibly(taped, Range(attacker="m7", target="m10", range_in=10)).answer is Answer.TOO_CLOSE
    assert ask_interruptibly(taped, Range(attacker="m7", target="m10", range_in=10.5)).answer is Answer.YES


def test_by_an_exact_tape_nothing_is_in_doubt_between_the_two() -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b="m10", value_in=10.0, is_exact=True), ask=ask_interruptibly)

    assert ask_interruptibly(taped, Range(attacker="m7", target="m10", range_in=10.1)).answer is Answer.YES
    assert ask_interruptibly(taped, Range(attacker="m7", target="m10", range_in=9.9)).answer is Answer.NO


def test_by_the_tape_who_touches_touches() -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b="m10", value_in=0), ask=ask_interruptibly)

    assert [(c.a, c.b, c.probability) for c in taped.contacts] == [("m7", "m10", 1.0)]


def test_by_the_tape_only_miniatures_touch() -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b=FEW.terrain[0].id, value_in=0), ask=ask_interruptibly)

    assert taped.contacts == FEW.contacts


def test_by_the_tape_nobody_else_moves() -> None:
    taped = move_to_tape(FEW, TapeReading(a="m7", b="m10", value_in=3), ask=ask_interruptibly)

    assert {m.id for m, was in zip(taped.miniatures, FEW.miniatures, strict=True) if m.at_mm != was.at_mm} == {"m10"}


@pytest.mark.parametrize(("off_mm", "agrees"), [(2.0, True), (-2.0, True), (9.0, False)])
def test_a_tape_far_from_the_camera_is_called_out(off_mm: float, agrees: bool) -> None:
    value_in = (gap_mm(FEW) + off_mm) / inches(1)

    found = compare_with_tape(FEW, TapeReading(a="m7", b="m10", value_in=value_in), ask=ask_interruptibly)

    assert found.can_both_be_right is agrees


def test_the_sheet_by_tape_says_so_in_each_verdict_that_leans_on_it(by_the_book_judge: TestClient) -> None:
    tape = {"a": "m7", "b": "m10", "value_in": 10.0, "is_exact": True}

    told = by_the_book_judge.post(f"{RULINGS}/taped", json={"pair": PAIR, "tape": tape}).json()

    lines = {line["slot"]: line for line in told["sheet"]["lines"]}
    assert lines["distance"]["headline"] == "10.00″"
    assert lines["range"]["headline"] == "In range"
    for slot in ("distance", "range"):
        assert "judge measured 10.00 in with a tape" in lines[slot]["verdict"]["because"][0]["says"]


def test_what_measures_no_length_is_as_the_camera_saw_it_whatever_the_tape_says() -> None:
    seen, _ = reevaluate_sheet(FEW, Pair.model_validate(PAIR), None, ask=ask_interruptibly)
    taped, _ = reevaluate_sheet(
        FEW, Pair.model_validate(PAIR), TapeReading(**PAIR, value_in=10.0), ask=ask_interruptibly
    )
    as_seen = {line.slot for line, was in zip(taped.lines, seen.lines, strict=True) if line == was}

    assert "sight" in as_seen
    assert not as_seen & {"distance", "range"}


def test_accepting_keeps_the_verdict_as_it_was_given(judge: TestClient, hub: Hub) -> None:
    written = judge.post(RULINGS, json=ruling()).json()
    hub.handle_report(frame_report(state_line(move_miniature(FEW, "m10", (500.0, 900.0)))))

    kept = judge.get(f"{RULINGS}/{written['number']}").json()

    assert kept == written | {"ends": "Sergeant moved"}
    assert kept["line"]["verdict"]["state_id"]
    assert (kept["a"], kept["b"]) == ("Trencher", "Sergeant")


OVER_THE_WALL = {"about": {"slot": "sight"}}  # too close to call on this table


def test_players_roll_only_for_what_is_too_close_and_the_result_is_a_second_deed(by_the_book_judge: TestClient) -> None:
    refused = by_the_book_judge.post(RULINGS, json=ruling(decision="rolled"))
    number = by_the_book_judge.post(RULINGS, json=ruling(decision="rolled", **OVER_THE_WALL)).json()["number"]
    [waiting] = by_the_book_judge.get(RULINGS).json()
    by_the_book_judge.post(f"{RULINGS}/{number}/result", json={"stands": "Blocked"})
    sheet = by_the_book_judge.post("/api/v1/ask-pair", json=PAIR).json()

    assert (refused.status_code, refused.json()["type"]) == (409, "ruling/nothing")
    assert waiting["said"] == "Let them roll"
    assert by_the_book_judge.get(RULINGS).json()[0]["said"] == "Rolled: Blocked"
    ruled = next(line["ruling"] for line in sheet["lines"] if line["slot"] == "sight")
    assert (ruled["said"], ruled["answer"]) == ("Blocked", "no")


def test_nobody_accepts_what_is_no_answer(by_the_book_judge: TestClient) -> None:
    refused = by_the_book_judge.post(RULINGS, json=ruling(**OVER_THE_WALL))

    assert (refused.status_code, refused.json()["field"]) == (409, "decision")


@pytest.mark.parametrize("missing", [{"stands": "Clear"}, {"reason": "seen from the side"}, {}])
def test_overruling_needs_what_stands_and_why(judge: TestClient, missing: dict[str, str]) -> None:
    assert judge.post(RULINGS, json=ruling(decision="overruled", **missing)).status_code == 422


def test_an_overruling_says_what_stands(judge: TestClient) -> None:
    judge.post(RULINGS, json=ruling(decision="overruled", stands="In range", reason="the mat had slipped"))

    [brief] = judge.get(RULINGS).json()
    assert brief["said"] == "Overruled: In range"


def test_a_ruling_about_an_earlier_moment_is_about_the_table_then(judge: TestClient, hub: Hub) -> None:
    then = judge.get("/api/v1/moments").json()[-1]["n"]
    hub.handle_report(frame_report(state_line(move_miniature(FEW, "m10", (500.0, 900.0)))))

    written = judge.post(RULINGS, json=ruling(about={"at": then})).json()

    assert written["line"]["verdict"]["measured"][0]["value_mm"] == pytest.approx(gap_mm(FEW), abs=0.01)


def test_a_ruling_whose_answer_was_lost_is_not_written_twice_even_by_another_server(
    judge: TestClient, hub: Hub
) -> None:
    first = judge.post(RULINGS, json=ruling(key="tapped-once")).json()

    with TestClient(create_app(hub, ask=ask)) as again:
        assert again.post(RULINGS, json=ruling(key="tapped-once")).json() == first
        again.post(RULINGS, json=ruling(key="tapped-anew"))
        assert len(again.get(RULINGS).json()) == 2


def test_rulings_outlive_a_restart(judge: TestClient, hub: Hub) -> None:
    written = judge.post(RULINGS, json=ruling()).json()

    with TestClient(create_app(hub, ask=ask)) as again:
        assert again.get(f"{RULINGS}/{written['number']}").json() == written


def test_a_withdrawn_ruling_stays_with_the_reason(judge: TestClient) -> None:
    number = judge.post(RULINGS, json=ruling()).json()["number"]

    judge.post(f"{RULINGS}/{number}/withdraw", json={"reason": "wrong miniature"})

    assert judge.get(f"{RULINGS}/{number}").json()["withdrawn"] == "wrong miniature"
    assert judge.get(RULINGS).json()[0]["withdrawn"] == "wrong miniature"


def test_a_ruling_is_asked_for_by_the_number_that_people_see(judge: TestClient) -> None:
    judge.put("/api/v1/bench/past", json={"is_open": True})  # a line of the journal that is no ruling
    first, second = (judge.post(RULINGS, json=ruling(reason=why)).json() for why in ("one", "two"))

    assert [judge.get(f"{RULINGS}/{number}").json() for number in (1, 2)] == [first, second]
    assert first["n"] > 2


def test_a_number_that_no_ruling_has_is_refused_with_how_many_there_are(judge: TestClient) -> None:
    judge.post(RULINGS, json=ruling())

    for number in (0, 2):
        refused = judge.get(f"{RULINGS}/{number}").json()
        assert (refused["status"], refused["field"], refused["value"]) == (404, "number", number)
        assert "1 were made" in refused["detail"]


def test_it_cannot_be_withdrawn_twice(judge: TestClient) -> None:
    number = judge.post(RULINGS, json=ruling()).json()["number"]
    codes = [judge.post(f"{RULINGS}/{number}/withdraw", json={"reason": "x"}).status_code for _ in range(2)]

    assert codes == [200, 404]


def test_the_record_shows_picture_numbers_sources_and_decision(by_the_book_judge: TestClient) -> None:
    reason = "the <mat> had slipped"
    tape = {"a": "m7", "b": "m10", "value_in": 10.0}
    told = ruling(about={"slot": "range", "tape": tape}, decision="overruled", stands="Out of range", reason=reason)
    by_the_book_judge.put("/api/v1/scoreboard/score", json={"round": 2, "points": {"player-a": 3, "player-b": 1}})
    number = by_the_book_judge.post(RULINGS, json=told).json()["number"]
    by_the_book_judge.put("/api/v1/scoreboard/score", json={"round": 3, "points": {"player-a": 9, "player-b": 9}})

    page = by_the_book_judge.get(f"{RULINGS}/{number}/record.html").text

    for part in (
        "<svg",
        "Overruled &middot; Out of range",
        "the &lt;mat&gt; had slipped",
        "Table &lt;4&gt;",
        "A shoots B, range 10 in. A is",
        "Round 2. Player A 3, Player B 1.",
        "WARMACHINE: Prime",
        "Tape",
        "p. ",
    ):
        assert part in page
    assert "<mat>" not in page


def test_a_ruling_can_go_on_air_at_once(judge: TestClient) -> None:
    judge.put("/api/v1/overlay/production", json={"hide_until_resolved": True})

    judge.post(RULINGS, json=ruling(on_air=True))

    [item] = judge.get("/api/v1/overlay").json()["items"]
    assert item["ruling"] == "Accepted"
    assert item["resolved_at_s"] is not None


def test_players_hear_of_a_ruling(judge: TestClient) -> None:
    with judge.websocket_connect("/api/v1/live") as phone:
        while phone.receive_json()["type"] != "snapshot":
            pass
        judge.post(RULINGS, json=ruling())

        heard = phone.receive_json()
        while heard["type"] != "rulings":
            heard = phone.receive_json()
    [brief] = heard["rulings"]
    assert (brief["number"], brief["title"], brief["said"]) == (1, "Distance", "Accepted")


def test_only_the_judge_rules(hub: Hub) -> None:
    with TestClient(create_app(hub, ask=ask, seats=SeatSessions(hub.journal, unjoined="player-a"))) as player:
        refused = player.post(RULINGS, json=ruling())

        assert (refused.status_code, refused.json()["type"]) == (403, "seat/not_allowed")
        assert player.get(RULINGS).json() == []


def test_a_line_that_is_not_on_the_sheet_is_a_problem(judge: TestClient) -> None:
    answer = judge.post(RULINGS, json=ruling(about={"slot": "nonsense"}))

    assert (answer.status_code, answer.json()["field"]) == (422, "slot")


def test_the_bench_tells_clocks_rulings_and_stream_at_once(judge: TestClient) -> None:
    judge.post(RULINGS, json=ruling())
    judge.put("/api/v1/clocks", json={"minutes": 60})

    bench = judge.get("/api/v1/bench").json()

    assert [one["said"] for one in bench["rulings"]] == ["Accepted"]
    assert bench["clocks"]["total_s"] == 3600
    assert bench["production"]["stays_s"] == 8


def test_an_earlier_moment_shows_the_ruling_of_then_though_it_was_withdrawn_since(judge: TestClient) -> None:
    ruled = judge.post(RULINGS, json=ruling()).json()
    n = ruled["n"]
    judge.post(f"{RULINGS}/{ruled['number']}/withdraw", json={"reason": "wrong miniature"})

    def rulings_at(at: int) -> list[int]:
        lines = judge.post(f"/api/v1/ask-pair?at={at}", json=PAIR).json()["lines"]
        return [line["ruling"]["n"] for line in lines if line["ruling"] is not None]

    assert (rulings_at(n - 1), rulings_at(n), rulings_at(n + 1)) == ([], [n], [])


def test_around_one_miniature_an_earlier_moment_shows_the_rulings_of_then(
    hub: Hub, by_the_book_judge: TestClient
) -> None:
    (x, y) = next(m.at_mm for m in FEW.miniatures if m.id == "m10")
    hub.handle_report(frame_report(state_line(move_miniature(FEW, "m7", (x - 120.0, y)))))
    before = by_the_book_judge.get("/api/v1/moments").json()[-1]["n"]
    threat = {"about": {"slot": "charge"}, "decision": "overruled", "reason": "it may", "stands": "no"}
    n = by_the_book_judge.post(RULINGS, json=ruling(**threat)).json()["n"]

    def rulings_at(at: int) -> set[int]:
        others = by_the_book_judge.post(f"/api/v1/ask-one?at={at}", json={"who": "m10"}).json()["others"]
        lines = [line for one in others for line in one["lines"]]
        return {line["ruling"]["n"] for line in lines if line["ruling"] is not None}

    assert (rulings_at(before), rulings_at(n)) == (set(), {n})


def test_an_earlier_moment_is_answered_while_the_camera_is_moved(hub: Hub, judge: TestClient) -> None:
    """Just then players argue about how it was, and then the camera's place was known."""
    then = judge.get("/api/v1/moments").json()[-1]["n"]
    hub.handle_report(
        frame_report(halt=Halt(why="camera-moved", says="The camera was moved.", unlock="Register again."))
    )

    now = judge.post("/api/v1/ask-pair", json=PAIR).json()
    earlier = judge.post(f"/api/v1/ask-pair?at={then}", json=PAIR).json()
    written = judge.post(RULINGS, json=ruling(about={"at": then})).json()

    assert {line["verdict"]["status"] for line in now["lines"]} == {"refused"}
    assert "refused" not in {line["verdict"]["status"] for line in earlier["lines"]}
    assert written["line"]["verdict"]["status"] == "measured"
