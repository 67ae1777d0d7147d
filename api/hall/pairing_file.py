"""Pairing file: CSV or JSON of a tournament program -> pairings; all of it or nothing, what is wrong by name; and back.

Understood by themselves are the plain names that programs and spreadsheets write (`Table`, `Player 1`, `Player 2`,
`Army 1` ...), the JSON of Best Coast Pairings (`table`, `round`, `player1.firstName`, `player1.army` ...), and what the
hub itself exports, CSV and JSON, with its results. A file may hold a whole event.
"""

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from pydantic import ValidationError

from api.errors import TooMuch
from api.hall.errors import BadPairings
from api.hall.hall_records import HallRecords
from api.hall.rounds import GameResult, Opponent, Pairing, RoundView, check_names, check_tables
from api.hall.swiss import SwissPlayer

COLUMNS = (
    "Round", "Table", "Player 1", "Player 2", "Army 1", "Army 2", "List 1", "List 2", "Winner", "Points 1", "Points 2",
    "Confirmed by",
)  # fmt: skip
_UNSAFE = ("=", "+", "-", "@", "\t", "\r", "'")
Role = Literal[
    "table", "round", "player_a", "player_b", "army_a", "army_b", "list_a", "list_b",
    "winner", "points_a", "points_b", "confirmed_by",
]  # fmt: skip
ROLES: tuple[Role, ...] = get_args(Role)
MOST_ROWS = 5000
MOST_BYTES = 5_000_000
_BYES = {"", "bye", "byes", "freilos", "spielfrei", "exempt", "libre", "descansa"}  # without what is no letter
_SIDES = {"1": "player-a", "a": "player-a", "2": "player-b", "b": "player-b"}  # as programs say who won
_DRAWS = {"draw", "tie", "unentschieden", "nul", "empate"}
_NO_NAME = re.compile(r"[\s\-–—*_.()\[\]/]*")
_THIRD_PLAYER = re.compile(r"(?:player|name|spieler)(?:[3-9c-h]|[12][0-9])(?:name)?")
_KNOWN: dict[Role, tuple[str, ...]] = {
    "table": ("table", "tablenumber", "tableno", "tablenr", "board", "tisch"),
    "round": ("round", "roundnumber", "roundno", "runde"),
    "player_a": ("player1", "player1name", "playera", "playeraname", "name1", "player", "spieler1"),
    "player_b": ("player2", "player2name", "playerb", "playerbname", "name2", "opponent", "spieler2"),
    "army_a": ("army1", "faction1", "player1army", "player1faction", "armya", "factiona"),
    "army_b": ("army2", "faction2", "player2army", "player2faction", "armyb", "factionb"),
    "list_a": ("list1", "player1list", "lista"),
    "list_b": ("list2", "player2list", "listb"),
    "winner": ("winner", "sieger"),
    "points_a": ("points1", "pointsa", "score1", "player1points", "player1score"),
    "points_b": ("points2", "pointsb", "score2", "player2points", "player2score"),
    "confirmed_by": ("confirmedby",),
}
_ROLE_OF = {name: role for role, names in _KNOWN.items() for name in names}
_NESTED = {"player1": "player1", "player2": "player2", "playera": "player1", "playerb": "player2"}
Row = dict[str, str]


def read_pairings(
    data: bytes, *, round_number: int | None, columns: Mapping[str, str], tables: Collection[int]
) -> tuple[tuple[Pairing, ...], tuple[str, ...]]:
    """The pairings of each round in order, and the columns that mean nothing here. `columns`: column -> role, as mapped
    before. With a `round_number` that round alone, and all rows are of it where the file says no round.

    Raises: BadPairings with `columns` where somebody must say which is which; TooMuch.
    """
    rows = _read_rows(data)
    roles, ignored = _find_roles(rows, columns)
    _check_no_third(rows, ignored, columns)
    named = [{roles[name]: value for name, value in row.items() if name in roles} for row in rows]
    numbers = _find_rounds(named, round_number)
    read: list[Pairing] = []
    for number in sorted(set(numbers) if round_number is None else {round_number}):
        its = [row for row, its_number in zip(named, numbers, strict=True) if its_number == number]
        pairings = tuple(_read_row(n, row, number) for n, row in enumerate(its, start=1))
        check_tables(pairings, tables)
        check_names(pairings)
        read.extend(pairings)
    return tuple(read), ignored


def _read_rows(data: bytes) -> list[Row]:
    if len(data) > MOST_BYTES:
        raise TooMuch(f"a file of pairings has at most {MOST_BYTES} bytes", field="file", value=len(data))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise BadPairings("the file is not UTF-8 text: save it as CSV UTF-8", field="file", value=None) from wrong
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    try:
        rows = list(_json_rows(text) if text[:1] in ("[", "{") else _csv_rows(text))
    except csv.Error as wrong:
        raise BadPairings(f"the file is no CSV: {wrong}", field="file", value=None) from wrong
    if not rows:
        raise BadPairings("the file holds no pairing", field="file", value=None)
    if len(rows) > MOST_ROWS:
        detail = f"the file has {len(rows)} rows; a round has at most {MOST_ROWS} pairings"
        raise TooMuch(detail, field="file", value=len(rows))
    return rows


def _csv_rows(text: str) -> Iterator[Row]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    names = [(name or "").strip() for name in reader.fieldnames or ()]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadPairings(f"the column {twice!r} is there twice", field="columns", value=twice)
    for row in reader:
        if None in row:
            raise BadPairings(f"row {reader.line_num - 1} has more cells than the heading", field="file", value=None)
        cells = {name.strip(): _unguard((value or "").strip()) for name, value in row.items() if name and name.strip()}
        if any(cells.values()):
            yield cells


def _json_rows(text: str) -> Iterator[Row]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise BadPairings(f"the file is no JSON: {wrong}", field="file", value=None) from wrong
    if isinstance(body, dict):
        if isinstance(body.get("rounds"), list):
            body = [pairing for view in body["rounds"] for pairing in _pairings_of(view)]
        else:
            inner = [value for name, value in body.items() if name in ("pairings", "data", "matches")]
            body = inner[0] if inner else list(body.values())
    if not isinstance(body, list) or not all(isinstance(item, dict) for item in body):
        raise BadPairings("pairings are a list of objects", field="file", value=None)
    yield from map(_flatten, body)


def read_players(data: bytes) -> tuple[SwissPlayer, ...]:
    """The players of the hub's own export; none of any other file, nor of one that names them otherwise."""
    try:
        body = json.loads(data)
        players = body.get("players") if isinstance(body, dict) and isinstance(body.get("rounds"), list) else None
        return tuple(map(SwissPlayer.model_validate, players)) if isinstance(players, list) else ()
    except (ValueError, RecursionError):
        return ()


def _pairings_of(view: Any) -> Iterator[Any]:
    """The pairings of a round of the hub's own export, in the form in which a program tells them."""
    pairings = view.get("pairings") if isinstance(view, dict) else None
    for pairing in pairings if isinstance(pairings, list) else ():
        if not isinstance(pairing, dict):
            raise BadPairings("pairings are a list of objects", field="file", value=None)
        row: dict[str, Any] = {name: pairing.get(name) for name in ("round", "table")}
        for role, player in (("1", pairing.get("a")), ("2", pairing.get("b"))):
            known = player if isinstance(player, dict) else {}
            row |= {f"player {role}": known.get("name"), f"army {role}": known.get("army")}
            row |= {f"list {role}": known.get("list_file")}
        if isinstance(result := pairing.get("result"), dict):
            row |= {"winner": result.get("winner"), "confirmed by": pairing.get("confirmed_by")}
            row |= {f"points {n}": result.get(f"points_{side}") for n, side in (("1", "a"), ("2", "b"))}
        yield row


def _flatten(item: dict[str, Any]) -> Row:
    """The object as a row; a player who is an object gives his name and army."""
    row: Row = {}
    for name, value in item.items():
        role = _NESTED.get(_fold(name))
        if role is not None and isinstance(value, dict):
            said = value.get("name") or f"{value.get('firstName', '')} {value.get('lastName', '')}"
            row[name] = str(said).strip()
            if value.get("army") or value.get("faction"):
                row[f"{role} army"] = str(value.get("army") or value.get("faction"))
        elif not isinstance(value, dict | list):
            row[name] = "" if value is None else str(value)
    return row


def _find_roles(rows: list[Row], columns: Mapping[str, str]) -> tuple[dict[str, Role], tuple[str, ...]]:
    """Which column is what, and those that are nothing. What was mapped by hand goes first."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    roles: dict[str, Role] = {}
    for name in names:
        mapped = columns.get(name)
        role = next((role for role in ROLES if role == mapped), None) or (None if mapped else _ROLE_OF.get(_fold(name)))
        if role is not None and role not in roles.values():
            roles[name] = role
    if missing := [role for role in ("player_a", "player_b") if role not in roles.values()]:
        mapped = f"no column is known as {' or '.join(missing)}; the file has {', '.join(map(repr, names))}"
        raise BadPairings(mapped, field="columns", value=names[:40], columns=names[:40], known=roles, roles=list(ROLES))
    return roles, tuple(name for name in names if name not in roles)


def _fold(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


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
        if player is not None and name not in columns and _THIRD_PLAYER.fullmatch(_fold(name)):
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
    winner = row.get("winner", "")
    if not winner:
        return None, None
    players = {names[0].casefold(): "player-a", names[1].casefold(): "player-b"}
    side = _SIDES.get(_fold(winner).removeprefix("player"))
    known = dict.fromkeys(_DRAWS, "draw") | players
    facts = {"winner": known.get(winner.casefold(), side), "points_a": row.get("points_a") or 0}
    try:
        result = GameResult.model_validate(facts | {"points_b": row.get("points_b") or 0})
    except ValidationError as wrong:
        field = f"{wrong.errors()[0]['loc'][0]}"
        value = winner if field == "winner" else str(wrong.errors()[0]["input"])[:80]
        raise BadPairings(f"row {n}: {value!r} is no {field} of this game", field=field, value=value) from wrong
    return result, row.get("confirmed_by", "")[:80] or "the file"


def _read_opponent(row: dict[Role, str], side: str, name: str) -> Opponent:
    army, list_file = (row.get("army_a"), row.get("list_a")) if side == "a" else (row.get("army_b"), row.get("list_b"))
    return Opponent(name=name, army=army or None, list_file=list_file or None)


def export_csv(rounds: Sequence[RoundView]) -> str:
    """All pairings with their results; what is imported again is read as the same."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
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
    return f"'{cell}" if cell.startswith(_UNSAFE) else cell


def _unguard(cell: str) -> str:
    """The cell that was guarded."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_UNSAFE) else cell
