"""Evidence verification: is all that a journal names there, and what it was?"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from api.evidence.store import FOLDER, is_unaltered

_NAMES_SOME = b'"evidence":{'


@dataclass(frozen=True)
class EvidenceReport:
    """How many files are named, and which are missing or altered, each with the line that names it first."""

    named: int
    missing: tuple[tuple[str, int], ...]
    altered: tuple[tuple[str, int], ...]


def check_evidence(journal: Path) -> EvidenceReport:
    """Look at every file that the lines of this journal name; lines that cannot be read name none. Raises: OSError."""
    lines: dict[str, int] = {}
    for n, names in named_files(journal):
        for name in names:
            lines.setdefault(name, n)
    missing, altered = [], []
    for name, n in lines.items():
        path = journal.parent / FOLDER / Path(name).name
        if not path.is_file():
            missing.append((name, n))
        elif not is_unaltered(path):
            altered.append((name, n))
    return EvidenceReport(len(lines), tuple(missing), tuple(altered))


def named_files(journal: Path) -> Iterator[tuple[int, list[str]]]:
    """Each line that names evidence, by its number. Raises: OSError."""
    with journal.open("rb") as lines:
        for text in lines:
            if _NAMES_SOME in text:
                try:
                    line = json.loads(text)
                    yield line["n"], [name for name in line["entry"]["evidence"].values() if isinstance(name, str)]
                except (ValueError, KeyError, TypeError, AttributeError):
                    continue
