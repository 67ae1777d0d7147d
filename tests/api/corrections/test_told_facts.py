"""Two-key facts: what one player tells holds for both, and is that player's word until somebody agrees."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.seats.permissions import Seat
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line

CORRECTIONS = "/api/v1/corrections"
PAIR = {"a": "m7", "b": "m10"}
FRONT_AND_APART = [
    {"kind": "in-front-arc", "viewer": "m7", "target": "m10"},
    {"kind": "distance", "a": "m7", "b": "m10"},
]
BLIND = skirmish().with_miniatures(
    tuple(
        m.with_place(m.at_mm, facing_deg=None) if m.id in ("m7", "m10") else m
        for m in skirmish().miniatures
        if m.id in ("m7", "m8", "m10")
    )
)


_ANSWERED: dict[tuple[str, BaseQuery], Verdict] = {}


def ask_once(state: TableState, query: BaseQuery) -> Verdict:
    """The referee's answer, from memory where another of these tests asked the same of the same table."""
    key = (state.state_id, query)
    if key not in _ANSWERED:
        _ANSWERED[key] = ask(state, query)
    return _ANSWERED[key]


class Table:
    """A served table, with a client that speaks for each seat."""

    def __init__(self, seats: tuple[Seat, ...] = ("player-a", "player-b", "judge")) -> None:
        self.hub = Hub(title="Table 4", journal=MemoryJournal())
        self.hub.handle_report(frame_report(state_line(BLIND)))
        self._seats = SeatSessions(self.hub.journal)
        self.client = TestClient(create_app(self.hub, ask=ask_once, seats=self._seats))
        self._tokens = {seat: self._seats.take_seat(seat) for seat in seats}

    def take_seat(self, seat: Seat) -> None:
        self._tokens[seat] = self._seats.take_seat(seat)

    def post(self, seat: Seat, path: str, body: Any) -> Any:
        return self.client.post(path, json=body, headers={"Authorization": f"Bearer {self._tokens[seat]}"})

    def tell(self, seat: Seat, id_: str, **told: Any) -> int:
        return self.say(seat, {"do": "miniature", "ids": [id_], **told})

    def say(self, seat: Seat, correction: dict[str, Any]) -> int:
        answer = self.post(seat, CORRECTIONS, correction)
        assert answer.status_code == 201, answer.text
        return int(answer.json()["n"])

    def sheet(self, seat: Seat, **pair: Any) -> bytes:
        return bytes(self.post(seat, "/api/v1/ask-pair", PAIR | pair).content)

    def line(self, slot: str, seat: Seat = "player-b") -> dict[str, Any]:
        lines = self.post(seat, "/api/v1/ask-pair", PAIR).json()["lines"]
        return next(line for line in lines if line["slot"] == slot)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    with table.client:
        yield table


def test_what_one_tells_is_marked_on_both_phones_until_the_other_agrees(table: Table) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)
    marked = [table.line("front-ab", seat)["told"] for seat in ("player-a", "player-b")]
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})

    assert marked[0] == marked[1] == [{"n": n, "by": "player-a", "kind": "facing", "ids": ["m7"]}]
    assert table.line("front-ab")["told"] == []
    [step] = table.client.get(CORRECTIONS).json()
    assert (step["by"], step["agreed_by"]) == ("player-a", "player-b")


def test_what_does_not_hang_on_it_stays_plain(table: Table) -> None:
    table.tell("player-a", "m7", facing_deg=90.0)

    assert table.line("distance")["told"] == []


def test_what_the_judge_sets_is_plain_and_replaces_a_players_word(table: Table) -> None:
    table.tell("player-a", "m7", facing_deg=90.0)
    table.tell("judge", "m7", facing_deg=80.0)

    assert table.line("front-ab")["told"] == []


def test_nobody_agrees_to_an_own_word(table: Table) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)

    assert table.post("player-a", f"{CORRECTIONS}/agree", {"n": n}).status_code == 422
    assert table.line("front-ab")["told"] != []


def test_a_speed_is_one_players_word_and_a_card_from_a_list_is_nobodys(table: Table) -> None:
    table.tell("player-a", "m7", profile={"spd_in": 9.0})
    by_word = table.line("charge")["told"]
    table.tell("player-a", "m7", profile={"spd_in": 9.0, "source": "the list of red"})

    assert [fact["kind"] for fact in by_word] == ["card"]
    assert table.line("charge")["told"] == []


def test_a_name_is_no_fact_that_answers_hang_on(table: Table) -> None:
    table.tell("player-a", "m7", name="Gorman", side="red")

    assert all(line["told"] == [] for line in table.post("player-b", "/api/v1/ask-pair", PAIR).json()["lines"])


def test_with_its_miniature_gone_elsewhere_a_facing_is_told_no_more(table: Table) -> None:
    table.tell("player-a", "m7", facing_deg=90.0)
    (x, y) = next(m.at_mm for m in BLIND.miniatures if m.id == "m7")

    table.hub.handle_report(frame_report(state_line(move_miniature(BLIND, "m7", (x + 40, y)))))

    assert table.line("front-ab")["told"] == []


FACT = st.one_of(
    st.fixed_dictionaries({"facing_deg": st.sampled_from([0.0, 90.0, 200.0])}),
    st.fixed_dictionaries({"profile": st.fixed_dictionaries({"spd_in": st.sampled_from([4.0, 7.0])})}),
    st.just({"profile": {"melee": [{"name": "Melee", "reach_in": 2.0}]}}),
    st.just({"status": ["knocked-down"]}),
)
SETTING = st.one_of(
    st.fixed_dictionaries({"edition": st.sampled_from(["hordes-mk2", "warmachine-prime"])}),
    st.fixed_dictionaries({"house_rules": st.sampled_from([{"melee-shape": "ring"}, {"los-start": "front-half"}])}),
    st.just({"sides": [{"id": "red", "allies": ["blue"]}, {"id": "blue"}]}),
    st.just({"turn": {"round": 2, "phase": "activation", "activating": "m7"}}),
)
CORRECTION = st.one_of(
    st.builds(lambda id_, told: {"do": "miniature", "ids": [id_], **told}, st.sampled_from(["m7", "m10"]), FACT),
    st.builds(lambda told: {"do": "table", **told}, SETTING),
)
DEED = st.tuples(st.sampled_from(["player-a", "player-b"]), CORRECTION, st.booleans())
EDITION = {"do": "table", "edition": "hordes-mk2"}


@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(deeds=st.lists(DEED, min_size=1, max_size=5))
@example(
    deeds=[("player-b", EDITION, False), ("player-a", {"do": "table", "house_rules": {"melee-shape": "ring"}}, True)]
)
def test_whatever_both_tell_both_sheets_are_alike_byte_for_byte(
    deeds: list[tuple[Seat, dict[str, Any], bool]],
) -> None:
    table = Table()
    with table.client:
        for seat, correction, is_agreed in deeds:
            n = table.say(seat, correction)
            if is_agreed:
                other: Seat = "player-b" if seat == "player-a" else "player-a"
                assert table.post(other, f"{CORRECTIONS}/agree", {"n": n}).status_code == 200

        assert table.sheet("player-a") == table.sheet("player-b") == table.sheet("judge")


def test_what_one_player_sets_for_the_table_is_that_players_word_until_the_other_agrees(table: Table) -> None:
    n = table.say("player-a", EDITION)
    marked = [table.line("sight", seat)["told"] for seat in ("player-a", "player-b")]
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})

    assert marked[0] == marked[1] == [{"n": n, "by": "player-a", "kind": "rules", "ids": ["edition"]}]
    assert table.line("sight")["told"] == []


def test_a_setting_that_changes_no_answer_marks_none(table: Table) -> None:
    table.say("player-a", {"do": "table", "house_rules": {"deploy-corner": "square"}})

    assert all(line["told"] == [] for line in table.post("player-b", "/api/v1/ask-pair", PAIR).json()["lines"])


def test_what_is_set_before_the_other_player_has_a_seat_is_settled() -> None:
    alone = Table(seats=("player-a", "judge"))
    with alone.client:
        alone.say("player-a", EDITION)
        alone.take_seat("player-b")

        assert alone.line("sight")["told"] == []


def test_what_the_judge_sets_for_the_table_ends_a_players_word(table: Table) -> None:
    table.say("player-a", EDITION)
    table.say("judge", EDITION)

    assert table.line("sight")["told"] == []


def test_a_setting_beside_a_facing_takes_nothing_from_what_the_facing_decides(table: Table) -> None:
    facing = table.tell("player-a", "m8", facing_deg=90.0)
    table.say("player-b", {"do": "table", "house_rules": {"deploy-corner": "square"}})
    about = {"kind": "in-front-arc", "viewer": "m8", "target": "m10"}

    assert facing in [fact["n"] for fact in table.post("player-b", "/api/v1/ask", about).json()["told"]]


def test_a_laid_out_set_up_changes_what_is_played_by_one_players_word(table: Table) -> None:
    kept = {"name": "Old", "rules": {"edition": "hordes-mk2"}}
    assert table.post("player-a", "/api/v1/setups", kept).status_code == 201
    n = table.post("player-a", "/api/v1/setups/Old/lay", {}).json()["n"]

    assert table.line("sight")["told"] == [{"n": n, "by": "player-a", "kind": "rules", "ids": ["edition"]}]


def test_the_record_of_a_ruling_names_what_is_played_by_one_players_word(table: Table) -> None:
    table.say("player-a", {"do": "table", "house_rules": {"melee-shape": "ring"}})
    about = {"about": {"pair": PAIR, "slot": "distance"}, "decision": "accepted"}
    ruled = table.post("judge", "/api/v1/rulings", about).json()
    record = table.client.get(f"/api/v1/rulings/{ruled['number']}/record.html").text

    assert "house rules: said by Player A, nobody agreed" in record


WALL = {"id": "wall", "kind": "wall", "height_mm": 60.0, "blocks_sight": "all", "thickness_mm": 10.0}


def wall_between(a: str = "m7", b: str = "m10") -> dict[str, Any]:
    """A wall across the straight way between the two."""
    (ax, ay), (bx, by) = (next(m.at_mm for m in BLIND.miniatures if m.id == id_) for id_ in (a, b))
    (mx, my), (dx, dy) = ((ax + bx) / 2, (ay + by) / 2), (bx - ax, by - ay)
    return WALL | {"line_mm": [[mx - dy / 2, my + dx / 2], [mx + dy / 2, my - dx / 2]]}


def test_terrain_that_one_lays_is_that_players_word_until_the_other_agrees(table: Table) -> None:
    n = table.say("player-a", {"do": "lay", "terrain": [wall_between()]})
    marked, plain = table.line("sight")["told"], table.line("distance")["told"]
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})

    assert marked == [{"n": n, "by": "player-a", "kind": "thing", "ids": ["wall"]}]
    assert plain == []
    assert table.line("sight")["told"] == []


def test_what_one_takes_off_the_table_is_gone_by_that_players_word(table: Table) -> None:
    table.say("judge", {"do": "lay", "terrain": [wall_between()]})
    n = table.say("player-b", {"do": "take-away", "ids": ["wall"]})

    assert table.line("sight")["told"] == [{"n": n, "by": "player-b", "kind": "removal", "ids": ["wall"]}]


def test_a_facing_and_a_wall_are_told_apart_by_what_each_decides(table: Table) -> None:
    facing = table.tell("player-a", "m7", facing_deg=90.0)
    wall = table.say("player-a", {"do": "lay", "terrain": [wall_between()]})

    assert [fact["n"] for fact in table.line("front-ab")["told"]] == [facing]
    assert wall in [fact["n"] for fact in table.line("sight")["told"]]


def test_what_was_laid_and_taken_away_again_marks_nothing(table: Table) -> None:
    table.say("player-a", {"do": "lay", "terrain": [wall_between()]})
    table.say("player-a", {"do": "take-away", "ids": ["wall"]})

    assert table.line("sight")["told"] == []


def test_that_two_touch_is_one_players_word(table: Table) -> None:
    (x, y) = next(m.at_mm for m in BLIND.miniatures if m.id == "m10")
    near = move_miniature(BLIND, "m7", (x + 30.3, y))
    table.hub.handle_report(frame_report(state_line(near)))
    n = table.say("player-a", {"do": "contact", "a": "m7", "b": "m10", "is_touching": True})

    told = [fact for line in table.post("player-b", "/api/v1/ask-pair", PAIR).json()["lines"] for fact in line["told"]]
    assert {"n": n, "by": "player-a", "kind": "contact", "ids": ["m7", "m10"]} in told


def test_the_sheet_of_one_miniature_names_what_was_told_and_marks_its_threats(table: Table) -> None:
    table.tell("judge", "m7", facing_deg=0.0)
    n = table.tell("player-a", "m7", profile={"spd_in": 30.0})
    asked = table.post("player-b", "/api/v1/ask-one", {"who": "m8"}).json()
    threats = {one["id"]: one["lines"] for one in asked["others"]}

    assert [fact["n"] for fact in asked["told"]] == [n]
    assert [[fact["n"] for fact in line["told"]] for line in threats["m7"]] == [[n]]


def test_a_way_that_is_thought_of_says_what_it_rests_on(table: Table) -> None:
    n = table.tell("player-a", "m7", profile={"spd_in": 3.0})
    (x, y) = next(m.at_mm for m in BLIND.miniatures if m.id == "m7")
    asked = table.post("player-b", "/api/v1/ask-move", {"who": "m7", "path_mm": [[x, y + 60.0]]}).json()

    assert [fact["n"] for line in asked["lines"] if line["slot"] == "move" for fact in line["told"]] == [n]


def test_the_record_of_a_ruling_says_who_told_what_and_who_agreed(table: Table) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)
    table.tell("player-b", "m10", status=["knocked-down"])
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})
    about = {"about": {"pair": PAIR, "slot": "distance"}, "decision": "accepted"}
    ruled = table.post("judge", "/api/v1/rulings", about).json()
    record = table.client.get(f"/api/v1/rulings/{ruled['number']}/record.html").text

    assert [(fact["kind"], fact["by"], fact["agreed_by"]) for fact in ruled["told"]] == [
        ("facing", "player-a", "player-b"),
        ("state", "player-b", None),
    ]
    assert "said by Player A, agreed by Player B" in record
    assert "said by Player B, nobody agreed" in record


def test_the_record_of_a_ruling_says_whether_the_table_was_complete_and_who_called_it_so(table: Table) -> None:
    about = {"about": {"pair": PAIR, "slot": "distance"}, "decision": "accepted"}
    before = table.post("judge", "/api/v1/rulings", about).json()["number"]
    n = table.post("player-a", CORRECTIONS, {"do": "complete"}).json()["n"]
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})
    after = table.post("judge", "/api/v1/rulings", about).json()["number"]
    records = [table.client.get(f"/api/v1/rulings/{ruled}/record.html").text for ruled in (before, after)]

    assert "the table was not called complete" in records[0]
    assert re.search(r"complete: called so by Player A, \d\d:\d\d:\d\d .*, agreed by Player B", records[1])


def test_the_record_of_a_ruling_names_a_base_that_one_player_placed(table: Table) -> None:
    placed = {"do": "base", "id": "lost", "at_mm": [60.0, 60.0], "base": {"shape": "round", "diameter_mm": 40.0}}
    table.post("player-a", CORRECTIONS, placed)
    about = {"about": {"pair": {"a": "lost", "b": "m10"}, "slot": "distance"}, "decision": "accepted"}
    ruled = table.post("judge", "/api/v1/rulings", about).json()
    record = table.client.get(f"/api/v1/rulings/{ruled['number']}/record.html").text

    assert "<dt>Base placed by hand</dt><dd>lost: said by Player A, nobody agreed</dd>" in record


def test_a_single_question_says_what_its_answer_rests_on_as_the_sheet_does(table: Table) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)
    [front, apart] = table.post("player-b", "/api/v1/ask", FRONT_AND_APART).json()
    supposed = {"questions": FRONT_AND_APART, "ghosts": {"m10": {"at_mm": [300.0, 640.0]}}}
    [thought_of, _] = table.post("player-b", "/api/v1/ask", supposed).json()
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})
    agreed = table.post("player-b", "/api/v1/ask", FRONT_AND_APART[0]).json()

    assert front["told"] == thought_of["told"] == [{"n": n, "by": "player-a", "kind": "facing", "ids": ["m7"]}]
    assert apart["told"] == agreed["told"] == []


@pytest.mark.parametrize(
    ("pushed", "is_told"),
    [
        ({"pair": PAIR, "slots": ["front-ab"]}, True),
        ({"query": {"kind": "in-front-arc", "viewer": "m7", "target": "m10"}}, True),
        ({"pair": PAIR, "slots": ["distance"]}, False),
        ({"query": {"kind": "distance", "a": "m7", "b": "m10"}}, False),
    ],
)
def test_what_is_pushed_on_air_says_what_it_rests_on(table: Table, pushed: dict[str, Any], is_told: bool) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)
    [line] = table.post("judge", "/api/v1/overlay/air", pushed).json()["lines"]
    on_air = table.client.get("/api/v1/bench").json()["on_air"]["lines"]

    assert [fact["n"] for fact in line["told"]] == ([n] if is_told else [])
    assert ("if it faces so: said by Player A" in on_air[0]) is is_told


def test_a_threat_on_air_by_a_speed_that_one_told_says_so(table: Table) -> None:
    n = table.tell("player-a", "m7", profile={"spd_in": 30.0})
    mine, other = (
        table.post("judge", "/api/v1/overlay/air", {"threat_of": id_}).json()["lines"][0] for id_ in ("m7", "m8")
    )

    assert [fact["n"] for fact in mine["told"]] == [n]
    assert other["told"] == []


def test_what_goes_on_air_by_itself_says_so_and_is_news_once_it_is_agreed(table: Table) -> None:
    n = table.say("player-a", {"do": "lay", "terrain": [wall_between()]})
    table.sheet("player-b")
    table.post("player-b", f"{CORRECTIONS}/agree", {"n": n})
    table.sheet("player-b")

    items = table.client.get("/api/v1/overlay").json()["items"]
    assert [[fact["n"] for fact in item["lines"][0]["told"]] for item in items] == [[n], []]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("ask-pair", PAIR),
        ("ask-one", {"who": "m7"}),
        ("ask", {"kind": "melee-range", "attacker": "m7", "target": "m10"}),
        ("ask-move", {"who": "m7", "path_mm": [[600.0, 600.0]]}),
    ],
)
def test_an_earlier_moment_says_what_was_one_players_word_then(table: Table, path: str, asked: dict[str, Any]) -> None:
    n = table.tell("player-a", "m7", profile={"spd_in": 30.0, "melee": [{"name": "Melee", "reach_in": 2.0}]})
    then = table.post("player-b", f"/api/v1/{path}", asked).json()
    agreed = int(table.post("player-b", f"{CORRECTIONS}/agree", {"n": n}).json()["n"])
    table.tell("player-b", "m7", facing_deg=45.0)
    newest = table.client.get("/api/v1/moments").json()[-1]["n"]

    assert f'"told": [{{"n": {n}' in json.dumps(then)
    assert table.post("player-b", f"/api/v1/{path}?at={agreed}", asked).json() == then
    assert f'"told": [{{"n": {n}' not in json.dumps(table.post("player-b", f"/api/v1/{path}?at={newest}", asked).json())


def test_the_judges_tape_takes_away_no_mark(table: Table) -> None:
    n = table.tell("player-a", "m7", facing_deg=90.0)
    tape = {"a": "m7", "b": "m10", "value_in": 5.0}
    taped = table.post("judge", "/api/v1/rulings/taped", {"pair": PAIR, "tape": tape})
    lines = {line["slot"]: [fact["n"] for fact in line["told"]] for line in taped.json()["sheet"]["lines"]}

    assert (lines["front-ab"], lines["distance"]) == ([n], [])
