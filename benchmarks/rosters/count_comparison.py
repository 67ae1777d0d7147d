"""Roster readers: `python -m benchmarks.rosters.count_comparison FOLDER` holds each list against its makers' counts.

A `meta.json` beside a list holds the counts of its makers; twins are the same list as .ros, .rosz and .json. Prints a
row a file with time and peak memory, then one for a list of two megabytes made of the largest.
"""

import json
import sys
import time
import tracemalloc
from pathlib import Path

from api.errors import BadRoster
from api.rosters.read import read_roster
from models.roster import RosterCounts, RosterList

_COUNTS = {
    "forces": "forces", "nestedForces": "nested_forces", "unitSelections": "unit_selections",
    "modelCount": "model_count", "totalSelections": "selections", "profiles": "profiles",
    "characteristics": "characteristics",
}  # fmt: skip


def main(folder: Path) -> int:
    """How many files were not read, or counted otherwise than by their makers."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "meta.json")
    wrong, twins = 0, dict[str, tuple[object, ...]]()
    print(
        "file | format | units | miniatures | models, selections counted | remarks | ms | peak KiB | as its own counts"
    )
    for path in files:
        raw = path.read_bytes()
        try:
            roster, ms, peak = _read(raw, path.name)
        except BadRoster as problem:
            print(f"{path.relative_to(folder)} | {problem.detail}")
            wrong += 1
            continue
        verdict = _compare(roster.counts, path.parent / "meta.json")
        content = (roster.units, roster.counts)
        if verdict is not None and twins.setdefault(str(path.parent), content) != content:
            verdict = "differs from its twin"
        wrong += verdict not in (None, "yes")
        counted = f"{roster.counts.model_count}, {roster.counts.selections}"
        cells = (path.relative_to(folder), roster.format, len(roster.units), roster.miniatures, counted)
        print(*cells, len(roster.remarks), f"{ms:.1f}", peak // 1024, verdict or "says nothing", sep=" | ")
    largest = max((path for path in files if path.suffix == ".ros"), key=lambda path: path.stat().st_size, default=None)
    if largest is not None:
        raw = _repeat(largest.read_bytes(), 2 * 2**20)
        roster, ms, peak = _read(raw, "large")
        size = f"{len(raw) / 2**20:.1f} MB of {largest.name}"
        print(f"{size}: {roster.miniatures} miniatures, {ms:.0f} ms, {peak // 1024} KiB")
    print(f"{len(files)} files, {wrong} wrong")
    return wrong


def _read(raw: bytes, name: str) -> tuple[RosterList, float, int]:
    """The list, milliseconds, and peak bytes; the second reading is the one that is measured for memory."""
    begin = time.perf_counter()
    roster = read_roster(raw, name=name)
    ms = (time.perf_counter() - begin) * 1000
    tracemalloc.start()
    read_roster(raw, name=name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return roster, ms, peak


def _compare(counts: RosterCounts, meta: Path) -> str | None:
    """Whether it is counted as its makers count; None where they say nothing."""
    if not meta.exists():
        return None
    told = json.loads(meta.read_text())["composition"]
    off = [
        f"{key}: {getattr(counts, ours)} not {told[key]}"
        for key, ours in _COUNTS.items()
        if getattr(counts, ours) != told[key]
    ]
    return "; ".join(off) or "yes"


def _repeat(raw: bytes, size: int) -> bytes:
    """The forces of a list over and over until it is so large."""
    begin, end = raw.index(b"<force "), raw.rindex(b"</force>") + len(b"</force>")
    return raw[:begin] + raw[begin:end] * (size // (end - begin) + 1) + raw[end:]


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]))))
