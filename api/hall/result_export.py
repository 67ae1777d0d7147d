"""Result export: what happened in the hall as CSV and JSON, for the programs of organisers."""

import csv
import io
import json
from collections.abc import Iterator, Sequence

from api.hall.hall_desk import HallDesk
from api.hall.rounds import GameResult, Pairing, RoundView

COLUMNS = (
    "Round", "Table", "Player 1", "Player 2", "Army 1", "Army 2", "Winner", "Points 1", "Points 2", "Confirmed by",
)  # fmt: skip
_UNSAFE = ("=", "+", "-", "@", "\t", "\r")


def export_csv(rounds: Sequence[RoundView]) -> str:
    """All pairings with their results; what is imported again as pairings is read as the same."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for view in rounds:
        writer.writerows([_guard(cell) for cell in _row(one)] for one in view.pairings)
    return out.getvalue()


def export_hall(desk: HallDesk, event: str) -> str:
    """Everything as JSON."""
    rulings = [
        {"table": number} | ruling.model_dump(mode="json")
        for number, (cell, _) in desk.store.cells().items()
        for ruling in cell.rulings
    ]
    body = {
        "event": event,
        "rounds": [view.model_dump(mode="json") for view in desk.rounds.all()],
        "calls": [call.model_dump(mode="json") for call in desk.calls.all(most_closed=None)],
        "rulings": rulings,
        "penalties": [penalty.model_dump(mode="json") for penalty in desk.penalties.all()],
    }
    return json.dumps(body, ensure_ascii=False, indent=1)


def _row(one: Pairing) -> Iterator[str]:
    yield str(one.round)
    yield "" if one.table is None else str(one.table)
    yield one.a.name
    yield "BYE" if one.b is None else one.b.name
    yield one.a.army or ""
    yield (one.b.army if one.b else None) or ""
    yield _winner(one, one.result)
    yield "" if one.result is None else f"{one.result.points_a:g}"
    yield "" if one.result is None else f"{one.result.points_b:g}"
    yield one.confirmed_by or ""


def _winner(one: Pairing, result: GameResult | None) -> str:
    if result is None:
        return ""
    names = {"player-a": one.a.name, "player-b": one.b.name if one.b else "", "draw": "draw"}
    return names[result.winner]


def _guard(cell: str) -> str:
    """The cell so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(_UNSAFE) else cell
