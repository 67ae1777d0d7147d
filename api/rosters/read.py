"""Roster reading: the bytes of any list -> RosterList, by what they hold, whatever its name."""

import logging
import re

from pydantic import ValidationError

from api.errors import BadRoster, UnclearRoster
from api.rosters.battlescribe import read_battlescribe
from api.rosters.column_table import read_column_table, separator_of
from api.rosters.declared_layouts import layout_of, read_declared
from api.rosters.file_opening import (
    MOST_UNITS,
    children,
    clean_text,
    decode_text,
    holds_wrapped_lists,
    open_roster,
    parse_json,
    parse_xml,
    unwrap_lists,
)
from api.rosters.html_page import is_battlescribe_page, is_html_page, page_text, with_page_question
from api.rosters.layout_file import load_layouts
from api.rosters.old_world_builder import is_old_world_builder, read_old_world_builder
from api.rosters.pasted_text import is_pasted_text, read_pasted_text
from api.rosters.typed_lines import read_typed_lines
from api.rosters.warmachine_json import is_ttga, is_warmachine_data, read_ttga, read_warmachine_data
from api.storage.plugins import load_plugins
from models.roster import RosterList

log = logging.getLogger(__name__)

MOST_TEXT, LONGEST_LINE = 100_000, 1_000  # characters; lists that are printed or typed have a tenth
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_XML_STARTS = (b"<", b"\xff\xfe<", b"\xfe\xff\x00<", b"\xef\xbb\xbf<")


def read_roster(raw: bytes, *, name: str = "list") -> RosterList:
    """The list in these bytes. Raises: BadRoster, one clear problem that says what is wrong."""
    inside = open_roster(raw, name)
    try:
        roster = _read_by_plugin(inside, name) or _read_any(inside, name)
    except (ValidationError, RecursionError) as wrong:
        raise BadRoster("The list holds values or a depth that none has.", field="file", value=name) from wrong
    if len(roster.units) > MOST_UNITS:
        raise BadRoster(f"The list holds more than {MOST_UNITS:,} units.", field="file", value=name)
    if not roster.units:
        error = UnclearRoster if roster.lines else BadRoster
        raise error("The list holds no miniature.", field="file", value=name)
    return roster


def _read_by_plugin(raw: bytes, name: str) -> RosterList | None:
    """The list as the first plug-in that knows its format reads it: `read(raw, name)` gives None for another's."""
    for format_, read in load_plugins("tableside.list_formats").loaded.items():
        try:
            roster = read(raw, name)
            if roster is not None:
                return RosterList.model_validate({"format": "text", "program": format_} | dict(roster))
        except BadRoster:
            raise
        except Exception as wrong:  # whatever another's reader raises must not end ours
            log.warning("list format failed name=%s why=%s: %s", format_, type(wrong).__name__, wrong)
    return None


def _read_any(raw: bytes, name: str) -> RosterList:
    if is_html_page(raw):
        page = clean_text(decode_text(raw, name), name)
        roster = _read_text(page_text(page, name), name)
        return roster if is_battlescribe_page(page) else with_page_question(roster)
    if raw.lstrip().startswith(_XML_STARTS):
        root = parse_xml(raw.lstrip(), name)
        if root["$tag"].rpartition(":")[2] != "roster":
            raise BadRoster(f"The file is XML, and no list: it holds {root['$tag']!r}.", field="file", value=name)
        return read_battlescribe(root, name=name)
    text = decode_text(raw, name)
    if text.lstrip().startswith(("{", "[")):
        return _read_json(raw, name)
    return _read_text(text, name)


def _read_text(text: str, name: str) -> RosterList:
    _check_length(text, name)
    text = clean_text(text, name)
    if _LINK.fullmatch(text.strip()):
        says = (
            "This is a link, and a table fetches nothing from the internet: open it, and share or copy the list's text."
        )
        raise BadRoster(says, field="file", value=name)
    if (separator := separator_of(text)) is not None:
        return read_column_table(text, separator)
    layout = layout_of(text, load_layouts())
    if layout is not None:
        return read_declared(text, layout)
    return read_pasted_text(text, name=name) if is_pasted_text(text) else read_typed_lines(text, name=name)


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
    if isinstance(content, dict) and isinstance(content.get("roster"), dict) and holds_wrapped_lists(content["roster"]):
        return read_battlescribe(unwrap_lists(content["roster"], name), name=name)
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
