"""Rounds, results, penalties and appeals in the hub's database, SQLite and PostgreSQL alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.hall.envelope import RawLine, wrap_line
from api.hall.errors import BadPairings, CallConflict, NoSuchPenalty, NoSuchRound, RoundConflict
from api.hall.hall_records import HallRecords
from api.hall.pairing_file import export_csv, export_hall, read_pairings
from api.hall.rounds import (
    GameResult,
    JudgeCalled,
    NewPenalty,
    Opponent,
    Pairing,
    PairingChanges,
    PlayerSwap,
    ResultTold,
    RoundStart,
    propose_penalties,
)
from api.hall.store import HallStore
from api.journal.entry import Entry, Line
from tests.api.hall.test_hall import EVENT, J1, SOURCE

WON = GameResult(winner="player-a", points_a=5, points_b=2)
LOST = GameResult(winner="player-b", points_a=2, points_b=5)


@pytest.fixture
def desk(database: str, tmp_path: Path) -> Iterator[HallRecords]:
    (tmp_path / "lists").mkdir()
    store = HallStore(database, EVENT, tables=range(1, 21))
    yield HallRecords(store, lists=tmp_path / "lists")
    store.close()


def pairing(table: int, a: str, b: str, *, number: int = 1) -> Pairing:
    return Pairing(round=number, table=table, a=Opponent(name=a), b=Opponent(name=b))


def write(desk: HallRecords, n: int, entry: Entry) -> None:
    """Have table 12 write this line."""
    text = Line(n=n, at_s=5.0 + n, entry=entry).model_dump_json()
    desk.store.take(12, [wrap_line(RawLine(n, n - 1, 5.0 + n, text), journal=J1, source=SOURCE)])


def begin(desk: HallRecords) -> None:
    desk.rounds.put_pairings(1, [pairing(11, "Ada", "Ben"), pairing(12, "Cem", "Dot")])
    desk.rounds.start(1, RoundStart(minutes=120, clock_minutes=60))


def told(by: str, result: GameResult, *, table: int = 12) -> ResultTold:
    return ResultTold.model_validate({"by": by, "round": 1, "table": table, "result": result.model_dump()})


def at_table_12(desk: HallRecords) -> Pairing:
    return next(one for one in desk.rounds.all()[0].pairings if one.table == 12)


def test_beginning_a_round_asks_its_tables_and_no_other(desk: HallRecords) -> None:
    begin(desk)
    (order,) = desk.calls.orders_of(12, after=0)

    assert (order.kind, order.facts["round"], order.facts["clock_minutes"]) == ("round", 1, 60)
    assert order.facts["players"] == {"player-a": "Cem", "player-b": "Dot"}
    assert desk.calls.orders_of(13, after=0) == []


def test_a_list_that_a_pairing_names_goes_to_the_table(desk: HallRecords, tmp_path: Path) -> None:
    (tmp_path / "lists" / "ada.txt").write_text("3 Trencher, Ada, 30\n")
    listed = Pairing(round=1, table=12, a=Opponent(name="Ada", list_file="ada.txt"), b=Opponent(name="Ben"))
    desk.rounds.put_pairings(1, [listed])
    desk.rounds.start(1, RoundStart())
    (order,) = desk.calls.orders_of(12, after=0)

    assert [(one["side"], one["file"]) for one in order.facts["lists"]] == [("Ada", "ada.txt")]


@pytest.mark.parametrize("name", ["none.txt", "../hall.sqlite", "/etc/passwd"])
def test_a_list_that_does_not_lie_there_is_told_and_nothing_imported(desk: HallRecords, name: str) -> None:
    listed = Pairing(round=1, table=12, a=Opponent(name="Ada", list_file=name), b=Opponent(name="Ben"))
    with pytest.raises(BadPairings) as wrong:
        desk.rounds.put_pairings(1, [pairing(11, "Cem", "Dot"), listed])

    assert (wrong.value.field, wrong.value.value) == ("list", name)
    assert desk.rounds.all() == ()


def test_pairings_of_a_round_that_runs_stay(desk: HallRecords) -> None:
    begin(desk)
    with pytest.raises(RoundConflict, match="round 1 is running"):
        desk.rounds.put_pairings(1, [pairing(11, "Eve", "Fay")])

    assert len(desk.rounds.all()[0].pairings) == 2


def test_two_rounds_do_not_run_at_once(desk: HallRecords) -> None:
    begin(desk)
    desk.rounds.put_pairings(2, [pairing(12, "Ada", "Cem", number=2)])
    with pytest.raises(RoundConflict, match="round 1 still runs"):
        desk.rounds.start(2, RoundStart())


def test_the_next_round_is_one_tap(desk: HallRecords) -> None:
    begin(desk)
    desk.rounds.put_pairings(2, [pairing(12, "Ada", "Cem", number=2)])
    desk.rounds.start_next()

    assert [(one.round.number, one.round.state) for one in desk.rounds.all()] == [(1, "over"), (2, "running")]
    with pytest.raises(NoSuchRound, match="import the next"):
        desk.rounds.start_next()
    assert desk.rounds.all()[1].round.state == "running"


def test_a_result_counts_once_both_players_say_the_same(desk: HallRecords) -> None:
    begin(desk)
    write(desk, 1, told("player-a", WON))
    alone = at_table_12(desk)
    write(desk, 2, told("player-b", LOST))
    apart = at_table_12(desk)
    write(desk, 3, told("player-b", WON))
    agreed = at_table_12(desk)

    assert (alone.result, apart.result) == (None, None)
    assert apart.told == {"player-a": WON, "player-b": LOST}
    assert (agreed.result, agreed.confirmed_by) == (WON, "both players")


def test_what_a_judge_confirms_no_player_changes(desk: HallRecords) -> None:
    begin(desk)
    desk.rounds.confirm(1, 12, LOST, "Anna")
    write(desk, 1, told("player-a", WON))
    write(desk, 2, told("player-b", WON))
    held = at_table_12(desk)

    assert (held.result, held.confirmed_by) == (LOST, "Anna")


def test_a_table_tells_no_result_of_another(desk: HallRecords) -> None:
    begin(desk)
    write(desk, 1, told("player-a", WON, table=11))

    assert all(not one.told for one in desk.rounds.all()[0].pairings)


def test_a_penalty_is_one_of_the_organisers_list(desk: HallRecords) -> None:
    desk.store.change_settings(penalties=("Caution",))
    given = desk.penalties.give(NewPenalty(player="Ada", table=12, penalty="Caution", note="Slow"), "Anna")
    with pytest.raises(NoSuchPenalty, match="it has 'Caution'"):
        desk.penalties.give(NewPenalty(player="Ada", penalty="Warning"), "Anna")
    desk.penalties.withdraw(given.id, "It was Ben")

    assert [(one.player, one.penalty, one.by, one.withdrawn) for one in desk.penalties.all()] == [
        ("Ada", "Caution", "Anna", "It was Ben")
    ]


def appealed(desk: HallRecords) -> int:
    write(desk, 1, JudgeCalled(by="player-a"))
    (call,) = desk.calls.all()
    desk.calls.take(call.id, "Anna")
    desk.calls.rule(call.id, "Anna", "It stands", "")
    desk.calls.appeal(call.id, "The terrain had moved")
    return call.id


def test_an_appeal_keeps_the_first_ruling_beside_the_second(desk: HallRecords) -> None:
    id_ = appealed(desk)
    desk.calls.take(id_, "Ben")
    call = desk.calls.rule(id_, "Ben", "It does not", "")

    assert [(one.by, one.said) for one in call.rulings] == [("Anna", "It stands"), ("Ben", "It does not")]


def test_an_appeal_is_not_heard_by_who_ruled_first_nor_by_who_is_no_head_judge(desk: HallRecords) -> None:
    id_ = appealed(desk)
    with pytest.raises(CallConflict, match="Anna gave the first ruling"):
        desk.calls.take(id_, "Anna")
    with pytest.raises(CallConflict, match="the head judge takes it"):
        desk.calls.take(id_, "Ben", hears_appeals=False)


def test_every_change_of_the_affairs_is_noticed(desk: HallRecords) -> None:
    seen = [desk.store.marks()[1]]
    begin(desk)
    seen.append(desk.store.marks()[1])
    write(desk, 1, told("player-a", WON))
    seen.append(desk.store.marks()[1])
    desk.store.change_settings(delay_s=5)
    seen.append(desk.store.marks()[1])

    assert seen == sorted(set(seen))


def changed(desk: HallRecords, *pairings: tuple[int | None, str, str | None], dropped: tuple[str, ...] = ()) -> None:
    wanted = [{"table": t, "a": {"name": a}, "b": None if b is None else {"name": b}} for t, a, b in pairings]
    changes = PairingChanges.model_validate({"pairings": wanted, "dropped": dropped})
    desk.rounds.change_pairings(1, changes, by="Organiser", tables=range(1, 21))


def seats(desk: HallRecords) -> list[tuple[int | None, str, str | None]]:
    return [(one.table, one.a.name, one.b.name if one.b else None) for one in desk.rounds.all()[0].pairings]


def newest_order(desk: HallRecords, table: int) -> int:
    return max((order.number for order in desk.calls.orders_of(table, after=0)), default=0)


def test_who_comes_late_plays_who_had_the_bye_and_no_other_table_hears_of_it(desk: HallRecords) -> None:
    bye = Pairing(round=1, table=None, a=Opponent(name="Cy"), b=None)
    desk.rounds.put_pairings(1, [pairing(1, "Ada", "Bo"), bye])
    desk.rounds.start(1, RoundStart())
    before = newest_order(desk, 1)
    changed(desk, (2, "Cy", "Di"))
    (order,) = desk.calls.orders_of(2, after=0)

    assert seats(desk) == [(1, "Ada", "Bo"), (2, "Cy", "Di")]
    assert (order.kind, order.facts["players"]) == ("round", {"player-a": "Cy", "player-b": "Di"})
    assert newest_order(desk, 1) == before
    assert [(one.by, one.says) for one in desk.rounds.all()[0].round.changes] == [
        ("Organiser", "Cy against Di at table 2")
    ]


def test_two_pairs_change_their_opponents_in_a_round_that_runs(desk: HallRecords) -> None:
    begin(desk)
    changed(desk, (11, "Ada", "Dot"), (12, "Cem", "Ben"))

    assert seats(desk) == [(11, "Ada", "Dot"), (12, "Cem", "Ben")]
    assert [desk.calls.orders_of(table, after=0)[-1].facts["players"]["player-b"] for table in (11, 12)] == [
        "Dot",
        "Ben",
    ]


def test_two_players_change_places_in_one_step_and_a_bye_moves_too(desk: HallRecords) -> None:
    desk.rounds.put_pairings(
        1,
        [
            pairing(11, "Ada", "Ben"),
            pairing(12, "Cem", "Dot"),
            Pairing(round=1, table=None, a=Opponent(name="Eve"), b=None),
        ],
    )
    desk.rounds.start(1, RoundStart())
    desk.rounds.swap_players(1, PlayerSwap(player="ben", other="Dot"), by="Organiser", tables=range(1, 21))
    first = seats(desk)
    untouched = newest_order(desk, 11)
    desk.rounds.swap_players(1, PlayerSwap(player="Eve", other="Cem"), by="Organiser", tables=range(1, 21))

    assert first == [(11, "Ada", "Dot"), (12, "Cem", "Ben"), (None, "Eve", None)]
    assert seats(desk) == [(11, "Ada", "Dot"), (12, "Eve", "Ben"), (None, "Cem", None)]
    assert newest_order(desk, 11) == untouched


@pytest.mark.parametrize(("other", "says"), [("Ben", "play each other already"), ("Zoe", "'Zoe' is not paired")])
def test_who_cannot_change_places_is_told(desk: HallRecords, other: str, says: str) -> None:
    begin(desk)
    with pytest.raises(BadPairings, match=says):
        desk.rounds.swap_players(1, PlayerSwap(player="Ada", other=other), by="Organiser", tables=range(1, 21))

    assert seats(desk) == [(11, "Ada", "Ben"), (12, "Cem", "Dot")]


def test_the_ladder_proposes_the_step_after_the_highest_that_holds(desk: HallRecords) -> None:
    ladder = desk.store.settings().penalties

    def proposed() -> dict[str, str]:
        return propose_penalties(ladder, desk.penalties.all())

    before = proposed()
    first = desk.penalties.give(NewPenalty(player="Ada", penalty="Warning"), "Anna")
    desk.penalties.give(NewPenalty(player="Ben", penalty="Disqualification"), "Anna")
    second = desk.penalties.give(NewPenalty(player="ada ", penalty="Game loss"), "Anna")
    told = proposed()
    desk.penalties.withdraw(second.id, "another table")

    assert before == {}
    assert told == {"Ada": "Disqualification", "Ben": "Disqualification"}
    assert proposed()["Ada"] == "Game loss"
    desk.penalties.withdraw(first.id, "not seen")
    assert proposed() == {"Ben": "Disqualification"}


def test_who_leaves_is_dropped_and_the_other_has_a_bye(desk: HallRecords) -> None:
    begin(desk)
    changed(desk, (None, "Ada", None), dropped=("ben",))

    assert seats(desk) == [(12, "Cem", "Dot"), (None, "Ada", None)]
    assert "nobody plays here" in desk.calls.orders_of(11, after=0)[-1].facts["says"]


@pytest.mark.parametrize(
    ("pairings", "dropped", "wrong", "says"),
    [
        ([(11, "Ada", "Eve")], (), BadPairings, "'Ben' is left alone"),
        ([(13, "Eve", None)], ("Fay",), BadPairings, "'fay' cannot drop"),
        ([(99, "Eve", "Fay")], (), BadPairings, "no table 99"),
        ([(13, "Eve", "Fay"), (14, "Eve", "Gus")], (), BadPairings, "'Eve' is paired twice"),
        ([(None, "Eve", "Fay")], (), BadPairings, "need a table"),
        ([(12, "Cem", "Ada"), (13, "Ben", "Dot")], (), RoundConflict, "table 12 has its result"),
    ],
)
def test_a_change_that_leaves_somebody_out_or_takes_a_result_changes_nothing(
    desk: HallRecords,
    pairings: list[tuple[int | None, str, str | None]],
    dropped: tuple[str, ...],
    wrong: type[Exception],
    says: str,
) -> None:
    begin(desk)
    desk.rounds.confirm(1, 12, WON, "Anna")
    with pytest.raises(wrong, match=says):
        changed(desk, *pairings, dropped=dropped)

    assert seats(desk) == [(11, "Ada", "Ben"), (12, "Cem", "Dot")]
    assert desk.rounds.all()[0].round.changes == ()


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_whole_event_that_was_exported_is_read_again_exactly(desk: HallRecords, kind: str) -> None:
    begin(desk)
    for table, result in ((11, WON), (12, GameResult(winner="draw", points_a=1234.5678, points_b=1234.5678))):
        desk.rounds.confirm(1, table, result, "Anna")
    desk.rounds.end(1)
    second = [Pairing(round=2, table=None, a=Opponent(name="'=Ada"), b=None), pairing(12, "=Ben", "Cem, “C”", number=2)]
    desk.rounds.put_pairings(2, second)
    told = export_csv(desk.rounds.all()) if kind == "csv" else export_hall(desk, EVENT)
    read, ignored = read_pairings(told.encode(), round_number=None, columns={}, tables=range(1, 21))
    held = [one for view in desk.rounds.all() for one in view.pairings]

    assert list(read) == held
    assert ignored == ()
    desk.rounds.put_rounds({1: read[:2], 2: read[2:]})  # into the same event: as it was
    assert [one for view in desk.rounds.all() for one in view.pairings] == held
