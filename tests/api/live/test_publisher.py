"""Listeners of a table: each hears every event of its kind, and nobody has to remember to publish corrections."""

from api.corrections.schemas import MiniatureCorrection
from api.live.hub import Hub
from api.live.publisher import BenchChanged, TableAtRest, TableCorrected
from api.seats.schemas import NewPlayer
from tests.api.live.test_hub import heard
from tests.api.worlds import frame_report, skirmish, state_line

NAME = MiniatureCorrection(do="miniature", ids=("m3",), name="Warden")


def seen_table() -> Hub:
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    return hub


def test_every_listener_hears_an_event_and_none_takes_the_place_of_another() -> None:
    hub, calls = seen_table(), list[str]()
    hub.publisher.subscribe(TableAtRest, lambda _: calls.append("first"))
    hub.publisher.subscribe(TableAtRest, lambda _: calls.append("second"))
    hub.publisher.subscribe(BenchChanged, lambda _: calls.append("bench"))
    hub.handle_report(frame_report(state_line(skirmish())))

    assert calls == ["first", "second"]


def test_who_unsubscribes_hears_nothing_more_and_others_do() -> None:
    hub, calls = seen_table(), list[str]()
    unsubscribe = hub.publisher.subscribe(BenchChanged, lambda _: calls.append("first"))
    hub.publisher.subscribe(BenchChanged, lambda _: calls.append("second"))
    unsubscribe()
    unsubscribe()
    hub.score.name_player("player-a", NewPlayer(name="Ada"), by="player-a")

    assert calls == ["second"]


def test_a_correction_publishes_itself_as_do_its_undo_and_redo() -> None:
    hub, names = seen_table(), list[str | None]()
    before = hub.measured.by_id["m3"].name if hub.measured else None
    hub.publisher.subscribe(TableCorrected, lambda event: names.append(event.state.by_id["m3"].name))
    phone = hub.broadcast.subscribe()
    heard(phone)
    hub.undo_log.correct(hub.measured, NAME, by="player-a")
    hub.undo_log.undo(by="player-a")
    hub.undo_log.redo(by="player-a", measured=hub.measured)

    assert names == ["Warden", before, "Warden"]
    assert [message["type"] for message in heard(phone)] == ["steps", "change"] * 3
