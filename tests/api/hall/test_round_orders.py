"""A round that the hall begins, at the table: what players told while the hub was asked is not overruled unseen."""

import pytest

from api.cards.card_file import CardLibrary
from api.corrections.schemas import TableCorrection
from api.hall.rounds import OrderDone
from api.hall.table_link import carry_out
from api.hall.transport import Order
from api.journal.interface import MemoryJournal
from api.live.hub import Hub
from api.rulings.bench import JudgesBench
from models.state import Side
from tests.api.worlds import frame_report, skirmish, state_line

PLAYERS = {"player-a": "Cem", "player-b": "Dot"}
BEGIN = Order(number=1, kind="round", facts={"round": 1, "players": PLAYERS, "clock_minutes": 60})


@pytest.fixture
def bench() -> JudgesBench:
    hub = Hub(title="Table 12", journal=MemoryJournal())
    hub.handle_report(frame_report(state_line(skirmish())))
    return JudgesBench(hub)


def tell_sides(bench: JudgesBench, *names: str) -> None:
    sides = tuple(Side(id=name) for name in names)
    bench.hub.undo_log.correct(bench.hub.measured, TableCorrection(do="table", sides=sides), by="player-a")


def sides_after_round(bench: JudgesBench, *, seen: int) -> tuple[list[str], str | None]:
    carry_out(BEGIN, bench, lambda: CardLibrary(()), seen=seen)
    (done,) = (line.entry for line in bench.hub.journal.lines(OrderDone) if isinstance(line.entry, OrderDone))
    assert bench.hub.state is not None
    return [side.id for side in bench.hub.state.sides], done.trouble


def test_sides_that_were_known_give_way_to_the_pairing(bench: JudgesBench) -> None:
    tell_sides(bench, "red", "blue")

    assert sides_after_round(bench, seen=bench.hub.undo_log.newest_change()) == (["Cem", "Dot"], None)


def test_sides_told_while_the_hub_was_asked_stay_and_the_hall_hears_of_it(bench: JudgesBench) -> None:
    seen = bench.hub.undo_log.newest_change()
    tell_sides(bench, "red", "blue")
    sides, trouble = sides_after_round(bench, seen=seen)

    assert sides == ["red", "blue"]
    assert "Look, then tell it again" in str(trouble)
    assert bench.hub.clocks.clocks is not None  # the rest of the round begins all the same
