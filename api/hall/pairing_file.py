"""Pairing file: CSV or JSON of a tournament program -> pairings; all of it or nothing, what is wrong by name; and back.

Understood by themselves are the columns that `pairing_programs.toml` declares, and what the hub itself exports, CSV and
JSON, with its results. A file may hold a whole event.
"""

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from pydantic import ValidationError

from api.hall.errors import BadPairings
from api.hall.hall_records import HallRecords
from api.hall.pairing_rows import UNSAFE, Role, Row, declared_programs, find_roles, fold, name_rows, read_rows
from api.hall.rounds import GameResult, Opponent, Pairing, RoundView, check_names, check_tables
from api.hall.swiss import SwissPlayer

COLUMNS = (
    "Round", "Table", "Player 1", "Player 2", "Army 1", "Army 2", "List 1", "List 2", "Winner", "Points 1", "Points 2",
    "Confirmed by",
)  # fmt: skip
_EXPORTED: tuple[Role, ...] = (
    "round", "table", "player_a", "player_b", "army_a", "army_b", "list_a", "list_b", "winner", "points_a", "points_b",
    "confirmed_by",
)  # fmt: skip
_BYES = {"", "bye", "byes", "freilos", "spielfrei", "exempt", "libre", "descansa"}  # without what is no letter
_SIDES = {"1": "player-a", "a": "player-a", "2": "player-b", "b": "player-b"}  # as programs say who won
_DRAWS = {"draw", "tie", "unentschieden", "nul", "empate"}
_NO_NAME = re.compile(r"[\s\-–—*_.()\[\]/]*")
_THIRD_PLAYER = re.compile(r"(?:player|name|spieler)(?:[3-9c-h]|[12][0-9])(?:name)?")


def read_pairings(
    data: bytes, *, round_number: int | None, columns: Mapping[str, str], tables: Collection[int]
) -> tuple[tuple[Pairing, ...], tuple[str, ...]]:
    """The pairings of each round in order, and the columns that mean nothing here. `columns`: column -> role, as mapped
    before. With a `round_number` that round alone, and all rows are of it where the file says no round.

    Raises: BadPairings with `columns` where somebody must say which is which; TooMuch.
    """
    rows, titles = read_rows(data)
    roles, ignored = find_roles(rows, columns)
    _check_no_third(rows, ignored, columns)
    named = name_rows(rows, roles)
    numbers = _find_rounds(named, round_number)
    read: list[Pairing] = []
    for number in sorted(set(numbers) if round_number is None else {round_number}):
        its = [row for row, its_number in zip(named, numbers, strict=True) if its_number == number]
        pairings = tuple(_read_row(n, row, number) for n, row in enumerate(its, start=1))
        check_tables(pairings, tables)
        check_names(pairings)
        read.extend(pairings)
    return tuple(read), (*titles, *ignored)


def read_players(data: bytes) -> tuple[SwissPlayer, ...]:
    """The players of the hub's own export; none of any other file, nor of one that names them otherwise."""
    try:
        body = json.loads(data)
        players = body.get("players") if isinstance(body, dict) and isinstance(body.get("rounds"), list) else None
        return tuple(map(SwissPlayer.model_validate, players)) if isinstance(players, list) else ()
    except (ValueError, RecursionError):
        return ()


def _find_rounds(rows: list[dict[Role, str]], asked: int | None) -> list[int]:
    """The round of each row. A row that says none is of the round that was asked for."""
    numbers = [_read_round(row.get("round", ""), asked) for row in rows]
    if asked is not None and asked not in numbers:
        held = ", ".join(map(str, sorted(set(numbers))[:20]))
        detail = f"the file holds round {held}, not round {asked}: nothing was taken"
        raise BadPairings(detail, field="round", value=asked)
    return numbers


def _read_round(text: str, asked: int | None) -> int:
    if text == "" and asked is not None:
        return asked
    digits = text.removesuffix(".0").lower().removeprefix("round").removeprefix("runde").strip()
    if len(digits) > 2 or not digits.isdecimal() or not 1 <= int(digits) <= 99:
        raise BadPairings(f"{text!r} is no number of a round, 1 to 99", field="round", value=text)
    return int(digits)


def _check_no_third(rows: list[Row], ignored: tuple[str, ...], columns: Mapping[str, str]) -> None:
    """Nobody is left out unseen: at a table sit two."""
    for name in ignored:
        player = next((row[name] for row in rows if row.get(name)), None)
        if player is not None and name not in columns and _THIRD_PLAYER.fullmatch(fold(name)):
            detail = f"{name!r} names another player, {player!r}, and at a table sit two: map the column to nothing"
            raise BadPairings(detail, field="columns", value=name)


def _read_row(n: int, row: dict[Role, str], number: int) -> Pairing:
    names = [row.get(role, "") for role in ("player_a", "player_b")]
    sides = list(zip("ab", names, strict=True))
    present = [(side, name) for side, name in sides if not is_bye(name)]
    if not present:
        raise BadPairings(f"row {n} names no player", field="player_a", value=names[0])
    try:
        players = [_read_opponent(row, side, name) for side, name in present]
    except ValidationError as wrong:
        first = wrong.errors()[0]
        field = f"{first['loc'][0]}"
        raise BadPairings(f"row {n}: {field}: {first['msg']}", field=field, value=str(first["input"])[:80]) from wrong
    if len(players) == 1:
        return Pairing(round=number, table=None, a=players[0], b=None)
    result, confirmed_by = _read_result(n, row, names)
    table = row.get("table", "")
    digits = table.removesuffix(".0")
    if table and (len(digits) > 6 or not digits.isdecimal()):
        raise BadPairings(f"row {n}: {table!r} is no number of a table", field="table", value=table)
    return Pairing(
        round=number,
        table=int(digits) if table else n,
        a=players[0],
        b=players[1],
        result=result,
        confirmed_by=confirmed_by,
    )


def is_bye(name: str) -> bool:
    """Whether this stands where a name would, of somebody who has no opponent: `BYE`, `(bye)`, `*Freilos*`, `-`."""
    letters = _NO_NAME.sub("", name.casefold()) if len(name) <= 40 else name
    return letters in _BYES


def _read_result(n: int, row: dict[Role, str], names: list[str]) -> tuple[GameResult | None, str | None]:
    """How the game ended, and who said so, where the file says both."""
    winner = row.get("winner", "") or _winner_by_results(n, row)
    if not winner:
        return None, None
    players = {names[0].casefold(): "player-a", names[1].casefold(): "player-b"}
    side = _SIDES.get(fold(winner).removeprefix("player"))
    known = dict.fromkeys(_DRAWS, "draw") | players
    facts = {"winner": known.get(winner.casefold(), side), "points_a": row.get("points_a") or 0}
    try:
        result = GameResult.model_validate(facts | {"points_b": row.get("points_b") or 0})
    except ValidationError as wrong:
        field = f"{wrong.errors()[0]['loc'][0]}"
        value = winner if field == "winner" else str(wrong.errors()[0]["input"])[:80]
        raise BadPairings(f"row {n}: {value!r} is no {field} of this game", field=field, value=value) from wrong
    return result, row.get("confirmed_by", "")[:80] or "the file"


def _winner_by_results(n: int, row: dict[Role, str]) -> str:
    """Who won by what the file says of each; nobody where a game has none. Raises: BadPairings for what cannot be."""
    said = [row.get(role, "").casefold().removesuffix(".0") for role in ("result_a", "result_b")]
    known = {code: result for result, codes in declared_programs()["results"].items() for code in codes}
    results = tuple(known.get(code, "") for code in said)
    if not all(said) or results == ("lost", "lost"):
        return ""
    winners = {("won", "lost"): "1", ("lost", "won"): "2", ("drawn", "drawn"): "draw"}
    if results not in winners:
        raise BadPairings(
            f"row {n}: {said[0]!r} and {said[1]!r} are no results of one game", field="result", value=said
        )
    return winners[results]


def _read_opponent(row: dict[Role, str], side: str, name: str) -> Opponent:
    army, list_file = (row.get("army_a"), row.get("list_a")) if side == "a" else (row.get("army_b"), row.get("list_b"))
    return Opponent(name=name, army=army or None, list_file=list_file or None)


def export_csv(rounds: Sequence[RoundView], *, columns: Mapping[str, str] | None = None) -> str:
    """All pairings with their results; what is imported again is read as the same. `columns`: column -> role, as they
    were mapped by hand: below these names, for the program that they came from."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    named = {role: name for name, role in reversed(list((columns or {}).items()))}
    writer.writerow(_guard(named.get(role, name)) for role, name in zip(_EXPORTED, COLUMNS, strict=True))
    for view in rounds:
        writer.writerows([_guard(cell) for cell in _row(pairing)] for pairing in view.pairings)
    return out.getvalue()


def export_hall(records: HallRecords, event: str) -> str:
    rulings = [
        {"table": number} | ruling.model_dump(mode="json")
        for number, (cell, _) in records.store.cells().items()
        for ruling in cell.rulings
    ]
    body = {
        "event": event,
        "players": [player.model_dump(mode="json") for player in records.players.all()],
        "rounds": [view.model_dump(mode="json") for view in records.rounds.all()],
        "calls": [call.model_dump(mode="json") for call in records.calls.all(most_closed=None)],
        "rulings": rulings,
        "penalties": [penalty.model_dump(mode="json") for penalty in records.penalties.all()],
    }
    return json.dumps(body, ensure_ascii=False, indent=1)


def _row(pairing: Pairing) -> Iterator[str]:
    yield str(pairing.round)
    yield "" if pairing.table is None else str(pairing.table)
    yield pairing.a.name
    yield "BYE" if pairing.b is None else pairing.b.name
    yield pairing.a.army or ""
    yield (pairing.b.army if pairing.b else None) or ""
    yield pairing.a.list_file or ""
    yield (pairing.b.list_file if pairing.b else None) or ""
    yield _winner(pairing, pairing.result)
    yield "" if pairing.result is None else _points(pairing.result.points_a)
    yield "" if pairing.result is None else _points(pairing.result.points_b)
    yield pairing.confirmed_by or ""


def _points(points: float) -> str:
    return str(points).removesuffix(".0")


def _winner(pairing: Pairing, result: GameResult | None) -> str:
    if result is None:
        return ""
    names = {"player-a": pairing.a.name, "player-b": pairing.b.name if pairing.b else "", "draw": "draw"}
    return names[result.winner]


def _guard(cell: str) -> str:
    """The cell so that no spreadsheet takes it for a formula."""
    return f"'{cell}" if cell.startswith(UNSAFE) else cell
