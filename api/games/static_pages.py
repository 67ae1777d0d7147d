"""Static pages: a kept game as a folder that any web server or a browser alone shows, without Tableside.

Nothing is fetched, as a page from `file://` may not: the game is a script, pictures are images, records are pages of
their own. The journal itself is not among them.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from api.corrections.entries import BaseMeasured, CorrectionAgreed, CorrectionMade
from api.corrections.schemas import describe_correction
from api.corrections.settlements import DoubtSettled, describe_settlement
from api.errors import NoSuchMoment
from api.evidence.pictures import witness_lines
from api.evidence.service import THUMBNAILS
from api.evidence.store import FOLDER
from api.journal.entry import Entry, EventObserved, Line, TableSettled
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.live.moments import Moments, moment_of
from api.live.table_view import table_view
from api.rulings.entries import RulingMade, VerdictKept
from api.rulings.kept_verdicts import show_kept
from api.rulings.printable_record import evidence_figures, printable_record
from api.rulings.service import Rulings
from api.seats.entries import CodesMade, DeviceJoined, SeatsWithdrawn
from api.seats.permissions import Seat
from models.errors import BadFile

_PAGE = Path(__file__).with_name("static_page.html")
_UNSHOWN = (CodesMade, DeviceJoined, SeatsWithdrawn)


def write_pages(
    output: Path,
    files: Iterable[tuple[str, Path | bytes]],
    *,
    title: str,
    entry_classes: tuple[type[Entry], ...],
    forged: str | None = None,
) -> int:
    """Write the folder, whole or not at all; its size in bytes. Raises: BadFile.

    `forged`: why the game is not what the table wrote, which every page says first.
    """
    try:
        with tempfile.TemporaryDirectory(dir=output.parent, prefix=f".{output.name}.") as name:
            game, pages = Path(name) / "game", Path(name) / "pages"
            _lay_out(files, game)
            pages.mkdir()
            _write_all(game, pages, title, entry_classes, forged)
            if output.is_dir():
                output.rmdir()
            shutil.move(pages, output)
            output.chmod(0o755)
    except OSError as wrong:
        raise BadFile(f"{output}: {wrong.strerror or wrong}", field="output", value=str(output)) from wrong
    return sum(path.stat().st_size for path in output.rglob("*") if path.is_file())


def _lay_out(files: Iterable[tuple[str, Path | bytes]], game: Path) -> None:
    for name, content in files:
        path = game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.read_bytes() if isinstance(content, Path) else content)


def _write_all(game: Path, pages: Path, title: str, entry_classes: tuple[type[Entry], ...], forged: str | None) -> None:
    if (game / THUMBNAILS).is_dir():
        shutil.move(game / THUMBNAILS, pages / THUMBNAILS)
    with closing(FileJournal(game, entry_classes)) as journal:
        hub = Hub(title=title, journal=journal)
        _write_records(hub, game, pages, forged)
        shown = _game(hub, pages)
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    (pages / "game.js").write_text(f"window.GAME = {text};\n", encoding="utf-8")
    page = _PAGE.read_text(encoding="utf-8").replace("$title", escape(title))
    line = "" if forged is None else f'<p class="red-line" role="alert">{escape(forged)}</p>'
    page = page.replace("$forged", line)
    (pages / "index.html").write_text(page, encoding="utf-8")


def _game(hub: Hub, pages: Path) -> dict[str, Any]:
    """All that the page shows; a table that did not change is there once."""
    moments, tables = Moments(hub), dict[str, Any]()
    shown = list(_moments(hub, moments, tables, pages))
    return {"title": hub.title, "tables": tables, "moments": shown}


def _moments(hub: Hub, moments: Moments, tables: dict[str, Any], pages: Path) -> Iterator[dict[str, Any]]:
    picture: str | None = None
    for line in hub.journal.lines():
        if isinstance(line.entry, _UNSHOWN):
            continue
        if isinstance(line.entry, TableSettled):
            name = f"{THUMBNAILS}/{line.n:08d}.jpg"
            picture = name if (pages / name).is_file() else None
        try:
            state = moments.table(line.n)
        except NoSuchMoment:
            continue  # before the first table there is nothing to see
        tables.setdefault(state.state_id, table_view(state).model_dump(mode="json"))
        names = {m.id: m.name or m.id for m in state.miniatures}
        yield {
            "n": line.n,
            "at_s": line.at_s,
            "type": line.entry.type,
            "says": _describe(line, names, partial(hub.score.called, until=line.n)),
            "table": state.state_id,
            "picture": picture,
            "ids": moment_of(line).ids,
            "lines": _witness_lines(line.entry),
            "record": f"records/{line.n}.html" if isinstance(line.entry, RulingMade | VerdictKept) else None,
        }


def _witness_lines(entry: Entry) -> list[dict[str, Any]]:
    """What decided a ruling, as lines in table millimetres."""
    verdict = entry.line.verdict if isinstance(entry, RulingMade | VerdictKept) else None
    witness = () if verdict is None else verdict.witness
    return [{"role": part.role, "points_mm": line} for part in witness for line in witness_lines(part)]


def _describe(line: Line, names: dict[str, str], called: Callable[[Seat], str]) -> str:
    entry = line.entry
    match entry:
        case TableSettled():
            return "Table at rest"
        case EventObserved(event=event):
            miniatures, happened = ", ".join(names.get(id_, id_) for id_ in event.ids), event.type.replace("-", " ")
            return f"{miniatures}: {happened}" if miniatures else happened.capitalize()
        case RulingMade(line=answered, decision=decision, stands=stands):
            said = f"{decision}: {stands}" if stands else decision
            return f"Ruling, {said}. {answered.title}: {answered.headline or ''}"
        case VerdictKept(line=answered):
            return f"Kept. {answered.title}: {answered.headline or ''}"
        case DoubtSettled():
            return f"{describe_settlement(entry, names)} (said by {called(entry.by)})"
        case CorrectionMade(by=by, correction=correction):
            return f"{called(by)} told: {describe_correction(correction)}"
        case BaseMeasured(by=by, id=id_, measured_id=measured_id) if by is not None:
            seen = "a known miniature was moved there" if measured_id is None else "the camera measures it"
            return f"{names.get(id_, id_)}, placed by {called(by)}: {seen}"
        case CorrectionAgreed(by=by, step=step):
            return f"{called(by)} agreed to step {step}"
        case _:
            return entry.type.replace("-", " ").capitalize()


def _write_records(hub: Hub, game: Path, pages: Path, forged: str | None) -> None:
    rulings = Rulings(hub.journal, changed=lambda: None)
    (pages / "records").mkdir()
    for line in hub.journal.lines(RulingMade, VerdictKept):
        entry = line.entry
        assert isinstance(entry, RulingMade | VerdictKept)
        shown = show_kept(line, entry) if isinstance(entry, VerdictKept) else rulings.get(line.n)
        seen = evidence_figures(shown.evidence, lambda name: game / FOLDER / name)
        called = partial(hub.score.called, until=shown.n)
        page = printable_record(
            shown,
            entry.state,
            title=hub.title,
            seen=seen,
            journal_head=hub.journal.head(),
            called=called,
            score=hub.score.board_at(shown.n).score,
            forged=forged,
            completion=hub.undo_log.completion_at(shown.about.at or shown.n),
        )
        (pages / "records" / f"{line.n}.html").write_text(page, encoding="utf-8")
