"""Roster files: a file of any program opened under limits, down to its tree of selections."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar
from xml.parsers import expat

from api.errors import BadRoster
from api.storage import untrusted_files
from api.storage.untrusted_files import ZipLimits, open_zip

MOST_BYTES = 16 * 1024 * 1024
MOST_ZIPPED = 64  # files in an archive: a list is one
_LIMITS = ZipLimits("a list", members=MOST_ZIPPED, total_bytes=MOST_BYTES, error=BadRoster, field="file")
MOST_UNITS = 2_000  # a table holds fewer miniatures
_NAMES = (".ros", ".json", ".xml", ".txt")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_UNPRINTED = re.compile(r"[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SPACE = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SPACES = re.compile(r"(?<=\S) {2,}")  # but not those that indent a line
_HALF_LETTER = re.compile(r"[\ud800-\udfff]")


Entry = TypeVar("Entry")
Node = dict[str, Any]
"""Attributes by name; below it `forces`, `selections`, `profiles`, `characteristics` and the like as lists of nodes."""
MOST_DEPTH = 64
MOST_NODES = 50_000  # the longest list of a builder has two thousand


def limit_units(units: Iterable[Entry], name: str = "list") -> list[Entry]:
    """The units, or the models of one, counted while they are read. Raises: BadRoster."""
    kept: list[Entry] = []
    for unit in units:
        if len(kept) == MOST_UNITS:
            raise BadRoster(f"The list holds more than {MOST_UNITS:,} units.", field="file", value=name)
        kept.append(unit)
    return kept


def open_roster(raw: bytes, name: str = "list") -> bytes:
    """The bytes of the list itself. Raises: BadRoster."""
    if not raw.strip():
        raise BadRoster("The file is empty.", field="file", value=name)
    if len(raw) > MOST_BYTES:
        raise BadRoster(f"The file is larger than {MOST_BYTES // 2**20} MB: no list is.", field="file", value=name)
    return _unzip(raw, name) if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06") else raw


def _unzip(raw: bytes, name: str) -> bytes:
    """The only list in the archive; read no further than the cap, whatever the archive says of its size."""
    with open_zip(raw, name=name, limits=_LIMITS) as archive:
        lists = [member for member in archive.members if member.filename.lower().endswith(_NAMES)] or archive.members
        if len(lists) != 1:
            raise BadRoster(f"The archive holds {len(lists)} lists, not one.", field="file", value=name)
        return b"".join(archive.read_chunks(lists[0], most_bytes=MOST_BYTES))


def decode_text(raw: bytes, name: str = "list") -> str:
    """Text of whatever encoding its first bytes tell; UTF-8, else what old Windows wrote. Raises: BadRoster."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if raw.startswith(mark):
            return _decode(raw, encoding, name)
    return _decode(raw, "utf-8", name)


def _decode(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as wrong:
        if "surrogate" in wrong.reason or (
            raw[wrong.start] == 0xED and raw[wrong.start + 1 : wrong.start + 2] >= b"\xa0"
        ):
            raise _half_letter(f"byte {wrong.start}", name) from wrong
        detail = f"The text is not {encoding.upper()}: byte {wrong.start} cannot be read. Export it again."
        raise BadRoster(detail, field="file", value=name) from wrong


def clean_text(text: str, name: str = "list") -> str:
    """The text with every kind of space as a plain one, and without what prints nothing; joined emoji stay joined.

    Raises: BadRoster, naming the control character or the half of a letter that no text holds.
    """
    if (control := _CONTROL.search(text)) is not None:
        line = text.count("\n", 0, control.start()) + 1
        says = f"The file is neither a list nor text: line {line} holds the control character U+{ord(control[0]):04X}."
        raise BadRoster(says, field="file", value=name)
    check_letters(text, name)
    return _SPACES.sub(" ", _SPACE.sub(" ", _UNPRINTED.sub("", text)))


def check_letters(text: str, name: str = "list") -> None:
    """Raises: BadRoster where half of a letter stands alone: it can be neither shown nor kept."""
    if (half := _HALF_LETTER.search(text)) is not None:
        raise _half_letter(f"U+{ord(half[0]):04X} in line {text.count(chr(10), 0, half.start()) + 1}", name)


def _half_letter(place: str, name: str) -> BadRoster:
    detail = f"Half a letter or emoji stands alone in the text: {place}. It was cut: export or copy it again."
    return BadRoster(detail, field="file", value=name)


def parse_xml(raw: bytes, name: str) -> Node:
    """The root element, its children by the name of the list they stand in. Raises: BadRoster."""
    builder = _Builder(name)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.StartDoctypeDeclHandler = builder.refuse_doctype
    parser.EntityDeclHandler = builder.refuse_doctype
    parser.StartElementHandler = builder.open_element
    parser.EndElementHandler = builder.close_element
    parser.CharacterDataHandler = builder.add_text
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, ValueError, LookupError) as wrong:
        raise BadRoster(f"The list is broken: {wrong}.", field="file", value=name) from wrong
    if builder.root is None:
        raise BadRoster("The list holds nothing.", field="file", value=name)
    return builder.root


class _Builder:
    """Builds the tree as the parser reads; a doctype is refused before anything of it is expanded."""

    def __init__(self, name: str) -> None:
        self.root: Node | None = None
        self.tag = ""
        self._name = name
        self._open: list[tuple[str, Node]] = []
        self._nodes = 0

    def refuse_doctype(self, *_: object) -> None:
        raise BadRoster(
            "The list declares a doctype or entities of its own: no list builder does.", field="file", value=self._name
        )

    def open_element(self, tag: str, attributes: dict[str, str]) -> None:
        self._nodes += 1
        if len(self._open) >= MOST_DEPTH or self._nodes > MOST_NODES:
            raise BadRoster("The list is nested too deep or too long.", field="file", value=self._name)
        node: Node = dict(attributes)
        if self._open:
            self._open[-1][1].setdefault(tag, []).append(node)
        else:
            self.root, node["$tag"] = node, tag
        self._open.append((tag, node))

    def close_element(self, tag: str) -> None:
        """A list element, as `selections`, becomes the list of its children."""
        _, node = self._open.pop()
        if "$text" in node:
            node["$text"] = node["$text"].strip()
        if not self._open:
            return
        parent = self._open[-1][1]
        inside = node.get(tag.removesuffix("s")) if tag.endswith("s") else node.get("category")
        if tag in _LISTS:
            parent[tag] = [*parent.get(tag, [])[:-1], *(inside or ())]
        elif tag == "categories":
            parent[tag] = node.get("category", [])

    def add_text(self, text: str) -> None:
        if self._open and (text.strip() or "$text" in self._open[-1][1]):
            node = self._open[-1][1]
            node["$text"] = node.get("$text", "") + text


_LISTS = frozenset({"forces", "selections", "profiles", "characteristics", "rules", "costs"})
_SINGULAR = {kind: kind.removesuffix("s") for kind in _LISTS} | {"categories": "category"}


def parse_json(raw: bytes, name: str) -> Any:
    """Any JSON. Raises: BadRoster."""
    text = decode_text(raw, name)
    try:
        return untrusted_files.parse_json(text)
    except (ValueError, RecursionError) as wrong:
        raise BadRoster(f"The list is no whole JSON: {wrong}.", field="file", value=name) from wrong


_ATTRIBUTES = ("$", "_attributes", "@attributes", "attributes")
_TEXTS = ("_", "#text", "$t", "_text", "__text")


def holds_wrapped_lists(roster: Node) -> bool:
    """Whether this is XML that a converter made JSON of: each list inside an object, `{"forces": {"force": ...}}`."""
    forces = roster.get("forces")
    is_inside = isinstance(forces, list) and any(isinstance(force, dict) and "force" in force for force in forces)
    return is_inside or isinstance(forces, dict) or any(isinstance(roster.get(key), dict) for key in _ATTRIBUTES)


def unwrap_lists(node: Node, name: str, *, depth: int = 0) -> Node:
    """The same node with its attributes by name and its lists as lists. Raises: BadRoster when it is too deep."""
    if depth > MOST_DEPTH:
        raise BadRoster("The list is nested too deep or too long.", field="file", value=name)
    plain: Node = {}
    for key in _ATTRIBUTES:
        plain |= node[key] if isinstance(node.get(key), dict) else {}
    for key, value in node.items():
        if key in _TEXTS and isinstance(value, str):
            plain["$text"] = value.strip()
        elif key in _LISTS or key == "categories":
            plain[key] = [unwrap_lists(each, name, depth=depth + 1) for each in _inside(value, _SINGULAR[key])]
        elif key not in _ATTRIBUTES:
            plain[key.lstrip("@-") or key] = value
    return plain


def _inside(value: Any, kind: str) -> Iterator[Node]:
    """The nodes of a list, which may stand in an object of its own, or in a list of one such object."""
    for wrapper in value if isinstance(value, list) else [value]:
        if isinstance(wrapper, dict) and kind in wrapper:
            inner = wrapper[kind]
            yield from (node for node in (inner if isinstance(inner, list) else [inner]) if isinstance(node, dict))
        elif isinstance(wrapper, dict) and isinstance(value, list):
            yield wrapper


def children(node: Node, kind: str) -> list[Node]:
    """The nodes of this list; none where it is missing or something else."""
    nodes = node.get(kind)
    return [child for child in nodes if isinstance(child, dict)] if isinstance(nodes, list) else []


def text_of(node: Node, name: str) -> str:
    value = node.get(name)
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def number_of(node: Node, name: str = "number") -> int:
    """How many a selection stands for: at least one, also where it says nothing or nonsense."""
    try:
        return max(1, min(100_000, int(float(text_of(node, name) or 1))))
    except (ValueError, OverflowError):
        return 1
