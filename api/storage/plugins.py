"""Plug-ins: what other packages add by entry points; one that fails or clashes is named and left out."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Literal, get_args

from models.vocabulary import EditionId

log = logging.getLogger(__name__)

Group = Literal[
    "tableside.list_formats", "tableside.books", "tableside.cameras", "tableside.detectors", "tableside.overlay_widgets"
]
TAKEN: Mapping[Group, frozenset[str]] = MappingProxyType(
    {
        "tableside.list_formats": frozenset(),
        "tableside.books": frozenset(get_args(EditionId)),
        "tableside.cameras": frozenset({"file", "http", "https", "rtmp", "rtp", "rtsp", "rtsps", "srt", "tcp", "udp"}),
        "tableside.detectors": frozenset(),
        "tableside.overlay_widgets": frozenset({"clocks", "closeup", "lines", "lowerthird", "ruling", "table"}),
    }
)
"""The groups, and in each the names of what ships, which no plug-in may have."""


@dataclass(frozen=True)
class LeftOut:
    """A plug-in that is not used: its name, the packages that bring it, and why."""

    name: str
    packages: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.name} of {' and '.join(self.packages)}: {self.why}"


@dataclass(frozen=True)
class Plugins:
    """The plug-ins of a group by name, and those that were left out."""

    loaded: Mapping[str, Any]
    left_out: tuple[LeftOut, ...] = ()


@cache
def load_plugins(group: Group) -> Plugins:
    """Every plug-in of this group."""
    by_name: dict[str, list[EntryPoint]] = defaultdict(list)
    for entry in entry_points(group=group):
        by_name[entry.name].append(entry)
    loaded: dict[str, Any] = {}
    left_out: list[LeftOut] = []
    for name, entries in sorted(by_name.items()):
        why = _clash(name, entries, TAKEN[group]) or _load(entries[0], loaded)
        if why is not None:
            left_out.append(LeftOut(name, tuple(map(_package, entries)), why))
            log.warning("plug-in left out group=%s %s", group, left_out[-1])
    return Plugins(MappingProxyType(loaded), tuple(left_out))


def _clash(name: str, entries: list[EntryPoint], taken: frozenset[str]) -> str | None:
    if name in taken:
        return "something that ships has this name"
    return "several packages use this name" if len(entries) > 1 else None


def _load(entry: EntryPoint, loaded: dict[str, Any]) -> str | None:
    """Why it cannot be loaded; else it is among the loaded."""
    try:
        loaded[entry.name] = entry.load()
    except Exception as wrong:  # whatever another's module raises must not end ours
        return f"it cannot be loaded ({type(wrong).__name__}: {wrong})"
    return None


def _package(entry: EntryPoint) -> str:
    return "an unknown package" if entry.dist is None else str(entry.dist.name)
