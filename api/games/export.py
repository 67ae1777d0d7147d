"""Game export: the files of a kept game that is handed on, on request without names of people.

Taken for people's names are what players are called, sides other than the plain colours, and names and files of army
lists; codes, devices and other tables go too. The lines that differ are chained again, so the copy proves nothing about
the game it was made from. Codes of seats that an older version wrote are left out of every copy, likewise.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from api.books.kept_books import FOLDER as BOOKS
from api.evidence.service import THUMBNAILS, moment_picture
from api.evidence.store import FOLDER, name_content, named_files
from api.games.calibration import calibration_files
from api.games.verification import ABOUT, sign_about
from api.journal.chain import chain_line, read_chain
from api.journal.entry import Entry, TableSettled, read_raw_line
from api.journal.file_journal import NAME, FileJournal
from api.journal.secret_store import SecretStore
from api.journal.signature import KEY
from api.seats.permissions import CALLED, Player
from api.seats.scoreboard import PLAYERS

_PLAIN_SIDES = {"red", "blue", "green", "white", "black", "yellow"}
_SECRETS: dict[str, dict[str, Any]] = {
    "codes-made": {"codes": {}},
    "joined": {"token_sha256": "0" * 64},
    "tables-listed": {"tables": []},
}
_UNSIGNED: dict[str, dict[str, Any]] = {
    "key-made": {"signature": None},
    "head-signed": {"head": "", "key": "", "signature": ""},
    "phone-signed": {"seen": {"head": "", "table_key": "", "key": "", "algorithm": "ed25519", "signature": ""}},
    "head-stamped": {"head": "", "response": ""},
    "hub-signed": {"seen": {"event": "", "table": 0, "head": "", "seen_s": 0.0, "key": "", "signature": ""}},
}
"""In a chain of its own no signature fits a line."""
_CLEANED = _UNSIGNED | {"codes-made": {"codes": {}}}
"""What older versions wrote of the seats' codes is left out."""
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
    yield NAME, b"".join(_rename_lines(journal, names | evidence, _SECRETS | _UNSIGNED))


def _rename_lines(journal: Path, names: dict[str, str], blanks: dict[str, dict[str, Any]]) -> Iterator[bytes]:
    """The lines with these names and values in place of what they hold, in a chain of their own."""
    before = sha256().hexdigest()
    for line in _lines(journal):
        entry = _rename(line["entry"], names)
        text, before = chain_line(line["n"], line["at_s"], entry | blanks.get(entry["type"], {}), before=before)
        yield text + b"\n"


def holds_codes(journal: Path) -> bool:
    """Whether an older version wrote the codes of the seats into this journal. Raises: OSError."""
    return any(line["entry"]["type"] == "codes-made" and line["entry"].get("codes") for line in _lines(journal))


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
        for army_list in line["entry"].get("lists", []) if line["entry"]["type"] == "roster" else []:
            for value in (army_list.get("file"), army_list.get("name")):
                if isinstance(value, str) and value:
                    lists.setdefault(value, f"List {len(lists) + 1}")
        for seat, name in _players(line["entry"]):
            players.setdefault(name, CALLED[seat])
    return lists | sides | players


def _players(entry: dict[str, Any]) -> Iterator[tuple[Player, str]]:
    """Who plays in which seat, as players or the hall say."""
    names = {entry["seat"]: entry.get("name")} if entry["type"] == "player-named" else {}
    names |= entry.get("players", {}) if entry["type"] == "round-begun" else {}
    for seat in PLAYERS:
        if isinstance(name := names.get(seat), str):
            yield seat, name


def _rename(value: Any, names: dict[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {names.get(name, name): _rename(item, names, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_rename(item, names, key) for item in value]
    if not isinstance(value, str):
        return value
    if key in _FREE_TEXTS:
        for name, other in names.items():
            value = value.replace(name, other)
    return names.get(value, value)


def _strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _strings(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item, key)
    elif isinstance(value, str):
        yield key, value


def _lines(journal: Path) -> Iterator[dict[str, Any]]:
    with journal.open("rb") as lines:
        for text in lines:
            if (line := read_raw_line(text)) is not None:  # what cannot be read names nobody
                yield line


def game_files(
    ours: Path, pictures: Path, *, is_nameless: bool, entry_classes: tuple[type[Entry], ...]
) -> Iterator[tuple[str, Path | bytes]]:
    """Journal, evidence that it names, calibration, written books, a picture of each table at rest, and what it is:
    last, as it lists the others by their SHA-256 and is signed where the table's key is at hand.

    `ours` holds a copy of the journal, `pictures` is the game's folder. Raises: BadFile, OSError, ValueError.
    """
    journal, listed = ours / NAME, dict[str, str]()
    is_cleaned = not is_nameless and holds_codes(journal)
    for name, content in _contents(ours, pictures, is_nameless, is_cleaned, entry_classes):
        listed[name] = sha256(content.read_bytes() if isinstance(content, Path) else content).hexdigest()
        yield name, content
    report = read_chain(journal)
    head = None if report.head is None else str(report.head)
    about = {
        "version": 1,
        "software": version("tableside"),
        "head": head,
        "newest": None if is_nameless or is_cleaned else head,
        "is_whole": report.why is None,
        "is_nameless": is_nameless,
        "is_cleaned": is_cleaned,
        "files": listed,
    }
    yield ABOUT, sign_about(about, SecretStore(pictures).get(KEY))


def _contents(
    ours: Path, pictures: Path, is_nameless: bool, is_cleaned: bool, entry_classes: tuple[type[Entry], ...]
) -> Iterator[tuple[str, Path | bytes]]:
    journal = ours / NAME
    if is_nameless:
        yield from without_names(journal, pictures)
    else:
        yield NAME, b"".join(_rename_lines(journal, {}, _CLEANED)) if is_cleaned else journal
        names = {name for _, named in named_files(journal) for name in named}
        for name in sorted(names):
            if (pictures / FOLDER / name).is_file():
                yield f"{FOLDER}/{name}", pictures / FOLDER / name
    yield from calibration_files(pictures).items()
    for book in sorted((pictures / BOOKS).glob("*.toml")):
        yield f"{BOOKS}/{book.name}", book
    yield from _thumbnails(ours, pictures, entry_classes)


def _thumbnails(ours: Path, pictures: Path, entry_classes: tuple[type[Entry], ...]) -> Iterator[tuple[str, bytes]]:
    with closing(FileJournal(ours, entry_classes)) as journal:
        for line in journal.lines(TableSettled):
            picture = moment_picture(pictures, line.n)
            if picture is not None:
                yield f"{THUMBNAILS}/{line.n:08d}.jpg", picture
