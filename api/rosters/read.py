"""Roster reading: the bytes of any list -> RosterList, by what they hold, whatever its name; typed lines."""

import re

from api.errors import BadRoster
from api.rosters.base_sizes import read_base_size
from api.rosters.battlescribe import read_battlescribe
from api.rosters.file_opening import decode_text, open_roster
from api.rosters.old_world_builder import is_old_world_builder, read_old_world_builder
from api.rosters.pasted_text import is_pasted_text, read_pasted_text
from api.rosters.selection_tree import children, parse_json, parse_xml
from api.rosters.warmachine_json import is_ttga, is_warmachine_data, read_ttga, read_warmachine_data
from models.roster import Remark, RosterList, RosterModel, RosterUnit

MOST_TEXT, LONGEST_LINE = 100_000, 1_000  # characters; lists that are printed or typed have a tenth
_LINE = re.compile(r"^(?:(\d{1,4})\s*[x×]?\s+)?([^,]+?)\s*(?:,\s*(.*))?$")
_XML_STARTS = (b"<", b"\xff\xfe<", b"\xfe\xff\x00<", b"\xef\xbb\xbf<")


def read_roster(raw: bytes, *, name: str = "list") -> RosterList:
    """The list in these bytes. Raises: BadRoster, one clear problem that says what is wrong."""
    inside = open_roster(raw, name)
    roster = _read_any(inside, name)
    if not roster.units:
        raise BadRoster("The list holds no miniature.", field="file", value=name)
    return roster


def _read_any(raw: bytes, name: str) -> RosterList:
    if raw.lstrip().startswith(_XML_STARTS):
        root = parse_xml(raw.lstrip(), name)
        if root["$tag"].rpartition(":")[2] != "roster":
            raise BadRoster(f"The file is XML, and no list: it holds {root['$tag']!r}.", field="file", value=name)
        return read_battlescribe(root, name=name)
    text = decode_text(raw, name)
    if text.lstrip().startswith(("{", "[")):
        return _read_json(raw, name)
    if any(not ch.isprintable() and ch not in "\n\r\t\x0b\x0c\u200b\ufeff\xa0" for ch in text[:4000]):
        raise BadRoster("The file is neither a list nor text.", field="file", value=name)
    _check_length(text, name)
    return read_pasted_text(text, name=name) if is_pasted_text(text) else _read_typed_lines(text, name=name)


def _check_length(text: str, name: str) -> None:
    """Text is read by patterns, for which a long line takes time by its square. Raises: BadRoster."""
    longest = max(map(len, text.splitlines()), default=0)
    if len(text) > MOST_TEXT:
        raise BadRoster(f"The text has more than {MOST_TEXT:,} characters: no list does.", field="file", value=name)
    if longest > LONGEST_LINE:
        says = f"A line of the text has more than {LONGEST_LINE:,} characters: none of a list does."
        raise BadRoster(says, field="file", value=name)


def _read_json(raw: bytes, name: str) -> RosterList:
    content = parse_json(raw, name)
    if isinstance(content, dict) and isinstance(content.get("roster"), dict):
        return read_battlescribe(content["roster"], name=name)
    if isinstance(content, dict) and children(content, "forces"):
        return read_battlescribe(content, name=name)
    if is_ttga(content):
        return read_ttga(content)
    if is_old_world_builder(content):
        return read_old_world_builder(content)
    if is_warmachine_data(content):
        return read_warmachine_data(content)
    raise BadRoster("The JSON is no list of a builder that is known.", field="file", value=name)


def _read_typed_lines(text: str, *, name: str) -> RosterList:
    """A list as `3 Trencher, red, 30`: how many, name, side, size; side and size may be left out.

    Raises: BadRoster when no line is a miniature.
    """
    units, remarks = [], []
    for number, line in enumerate((line.strip() for line in text.splitlines()), start=1):
        if not line:
            continue
        match = _LINE.match(line)
        if match is None or len(line) > 200 or not any(ch.isalpha() for ch in match[2]):
            remarks.append(Remark(where=f"line {number}", text=line[:120], why="no count and name"))
            continue
        sizes = [part for part in (match[3] or "").split(",") if any(ch.isdigit() for ch in part)]
        read = read_base_size(sizes[-1]) if sizes else None
        if read is not None and read.why is not None:
            remarks.append(Remark(where=match[2], text=f"base {sizes[-1].strip()}", why=read.why))
        model = RosterModel(
            name=match[2][:80], count=max(1, int(match[1] or 1)), base=None if read is None else read.base
        )
        units.append(RosterUnit(name=match[2][:80], models=(model,)))
    if not units:
        raise BadRoster("No line of this text names a miniature.", field="file", value=name)
    return RosterList(format="lines", units=tuple(units), remarks=tuple(remarks))
