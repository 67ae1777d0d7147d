"""Kept items: a restart takes nothing off air, and another game's card never comes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.overlay.service import FILE, OverlayService
from api.server.journal_entries import ENTRY_CLASSES
from tests.api.worlds import frame_report, move_miniature, skirmish, state_line


@contextmanager
def overlay(folder: Path, journal_in: Path) -> Iterator[OverlayService]:
    journal = FileJournal(journal_in, ENTRY_CLASSES)
    hub = Hub(title="Table 4", journal=journal)
    if hub.state is None:
        hub.handle_report(frame_report(state_line(skirmish()), jpeg=b"the picture"))
    yield OverlayService(hub, changed=lambda: None, folder=folder)
    journal.close()


def test_what_stays_on_air_stays_over_a_restart(tmp_path: Path) -> None:
    with overlay(tmp_path, tmp_path) as before:
        shown = before.put_on(skirmish(), (), a="m7", b="m10", stays=True)

    with overlay(tmp_path, tmp_path) as after:
        assert after.current_number() == shown.id
        (item,) = after.board().items
        assert (item.a, item.b, item.picture) == ("m7", "m10", False)
        assert after.put_on(skirmish(), (), a="m8", b=None).id == shown.id + 1


def test_what_was_taken_off_stays_off(tmp_path: Path) -> None:
    with overlay(tmp_path, tmp_path) as before:
        before.put_on(skirmish(), (), a="m7", b="m10", stays=True)
        before.take_off()

    with overlay(tmp_path, tmp_path) as after:
        assert after.current_number() is None


def test_a_card_of_another_game_never_comes_on(tmp_path: Path) -> None:
    with overlay(tmp_path, tmp_path / "first") as before:
        before.put_on(skirmish(), (), a="m7", b="m10", stays=True)

    with overlay(tmp_path, tmp_path / "second") as after:
        assert after.board().items == ()


def test_a_spoilt_file_is_no_card(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('[{"id": 1')

    with overlay(tmp_path, tmp_path) as after:
        assert after.board().items == ()
        after.put_on(move_miniature(skirmish(), "m7", (1.0, 1.0)), (), a=None, b=None)
        assert len(after.board().items) == 1
