"""Selection tree: XML and JSON of BattleScribe and New Recruit as nested nodes of one kind."""

from typing import Any
from xml.parsers import expat

from api.errors import BadRoster
from api.rosters.file_opening import decode_text
from api.storage import untrusted_files

Node = dict[str, Any]
"""Attributes by name; below it `forces`, `selections`, `profiles`, `characteristics` and the like as lists of nodes."""

MOST_DEPTH = 64
MOST_NODES = 50_000  # the longest list of a builder has two thousand


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


def parse_json(raw: bytes, name: str) -> Any:
    """Any JSON. Raises: BadRoster."""
    text = decode_text(raw, name)
    try:
        return untrusted_files.parse_json(text)
    except (ValueError, RecursionError) as wrong:
        raise BadRoster(f"The list is no whole JSON: {wrong}.", field="file", value=name) from wrong


def children(node: Node, kind: str) -> list[Node]:
    """The nodes of this list; none where it is missing or something else."""
    nodes = node.get(kind)
    return [child for child in nodes if isinstance(child, dict)] if isinstance(nodes, list) else []


def text_of(node: Node, name: str) -> str:
    """An attribute as text; empty where it is missing."""
    value = node.get(name)
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)


def number_of(node: Node, name: str = "number") -> int:
    """How many a selection stands for: at least one, also where it says nothing or nonsense."""
    try:
        return max(1, min(100_000, int(float(text_of(node, name) or 1))))
    except (ValueError, OverflowError):
        return 1
