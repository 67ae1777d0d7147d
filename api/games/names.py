"""Names of people: a game in which nobody is named, with a chain of its own.

Taken for people's names are what players are called, sides other than the plain colours, and names and files of army
lists; codes, devices and other tables go too. The lines that differ are chained anew, so it proves nothing about the
game it was made from.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from api.evidence.store import FOLDER, name_content
from api.evidence.verification import named_files
from api.journal.chain import chain_line
from api.journal.file_journal import NAME
from api.seats.permissions import CALLED, Player
from api.seats.scoreboard import PLAYERS

_PLAIN_SIDES = {"red", "blue", "green", "white", "black", "yellow"}
_SECRETS: dict[str, dict[str, Any]] = {
    "codes-made": {"codes": {}},
    "joined": {"token_sha256": "0" * 64},
    "tables-listed": {"tables": []},
}
_FREE_TEXTS = ("reason", "stands", "says")


def without_names(journal: Path, pictures: Path) -> Iterator[tuple[str, bytes]]:
    """The journal and its evidence, with other names. Raises: OSError, ValueError."""
    names = _find_names(journal)
    evidence: dict[str, str] = {}
    for _, named in named_files(journal):
        for name in named:
            path = pictures / FOLDER / name
            if name not in evidence and path.is_file():
                content = _rename_file(path, names)
                evidence[name] = name_content(content, name.rsplit(".", 1)[1])
                yield f"{FOLDER}/{evidence[name]}", content
    yield NAME, b"".join(_rename_lines(journal, names | evidence))


def _rename_lines(journal: Path, names: dict[str, str]) -> Iterator[bytes]:
    before = sha256().hexdigest()
    for line in _lines(journal):
        entry = _rename(line["entry"], names)
        text, before = chain_line(line["n"], line["at_s"], entry | _SECRETS.get(entry["type"], {}), before=before)
        yield text + b"\n"


def _rename_file(path: Path, names: dict[str, str]) -> bytes:
    content = path.read_bytes()
    if path.suffix != ".json":
        return content
    return json.dumps(_rename(json.loads(content), names), ensure_ascii=False).encode()


def _find_names(journal: Path) -> dict[str, str]:
    """What each name becomes, in the order in which they were first met."""
    sides: dict[str, str] = {}
    players: dict[str, str] = {}
    lists: dict[str, str] = {}
    for line in _lines(journal):
        for key, value in _strings(line["entry"]):
            if key == "side" and value.lower() not in _PLAIN_SIDES:
                sides.setdefault(value, f"Side {len(sides) + 1}")
        for one in line["entry"].get("lists", []) if line["entry"]["type"] == "roster" else []:
            for value in (one.get("file"), one.get("name")):
                if isinstance(value, str) and value:
                    lists.setdefault(value, f"List {len(lists) + 1}")
        for seat, name in _players(line["entry"]):
            players.setdefault(name, CALLED[seat])
    return lists | sides | players


def _players(entry: dict[str, Any]) -> Iterator[tuple[Player, str]]:
    """Who plays in which seat, as players or the hall say."""
    told = {entry["seat"]: entry.get("name")} if entry["type"] == "player-named" else {}
    told |= entry.get("players", {}) if entry["type"] == "round-begun" else {}
    for seat in PLAYERS:
        if isinstance(name := told.get(seat), str):
            yield seat, name


def _rename(value: Any, names: dict[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {names.get(name, name): _rename(one, names, name) for name, one in value.items()}
    if isinstance(value, list):
        return [_rename(one, names, key) for one in value]
    if not isinstance(value, str):
        return value
    if key in _FREE_TEXTS:
        for name, other in names.items():
            value = value.replace(name, other)
    return names.get(value, value)


def _strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _strings(one, name)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one, key)
    elif isinstance(value, str):
        yield key, value


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    with journal.open("rb") as lines:
        for text in lines:
            try:
                line = json.loads(text)
                line["n"], line["at_s"], line["entry"]["type"]
            except (ValueError, KeyError, TypeError):
                continue  # what cannot be read names nobody
            yield line
