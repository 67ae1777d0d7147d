"""Accuracy by layout: `python -m benchmarks.rosters.layout_accuracy` reads written texts, whole and broken.

*Right*: the units and counts that the text says, and nothing open. *Asked*: a question, or a line that is shown as not
understood. *Wrong*: other units, and not a word. Then processor time and peak memory of a list of a megabyte.
"""

import contextlib
import random
import time
import tracemalloc
from collections import Counter
from typing import Annotated, Literal

import typer

from api.errors import BadRoster
from api.rosters.read import read_roster
from benchmarks.rosters.text_breaks import BREAKS
from benchmarks.rosters.written_texts import GRAMMARS, Entry, Text, make_army
from models.roster import RosterList

Outcome = Literal["right", "asked", "refused", "wrong"]


def main(
    armies: Annotated[int, typer.Option(help="texts a layout")] = 8,
    seed: int = 1,
    show: Annotated[bool, typer.Option(help="print each text that is read wrongly")] = False,
) -> None:
    """Print a row a layout, then a row a way of breaking."""
    totals: dict[str, Counter[Outcome]] = {}
    print("layout | right | asked | refused | wrong | broken: right | asked | refused | wrong")
    for number, (name, grammar) in enumerate(GRAMMARS.items()):
        dice = random.Random(1000 * seed + number)
        rows: tuple[Counter[Outcome], Counter[Outcome]] = Counter(), Counter()
        for _ in range(armies):
            text = grammar(make_army(dice), dice)
            for label, version in [("whole", text), *((label, change(text, dice)) for label, change in BREAKS.items())]:
                outcome = judge(version, label)
                rows[label != "whole"][outcome] += 1
                totals.setdefault(label, Counter())[outcome] += 1
                if show and (outcome == "wrong" or (label == "whole" and outcome != "right" and not must_ask(version))):
                    print(f"--- {name}, {label}: {outcome}\n{version}\n{[(e.name, e.count) for e in version.truth]}")
        print(name, *(row[outcome] for row in rows for outcome in _OUTCOMES), sep=" | ")
    print("\nway | right | asked | refused | wrong")
    for label, row in totals.items():
        print(label, *(row[outcome] for outcome in _OUTCOMES), sep=" | ")
    print(measure_megabyte())


_OUTCOMES: tuple[Outcome, ...] = ("right", "asked", "refused", "wrong")


def judge(text: Text, label: str) -> Outcome:
    """What became of a text; one that does not say all of its counts is right where just these are asked for."""
    try:
        roster = read_roster(str(text).encode())
    except BadRoster:
        return "refused"
    is_open = bool(roster.questions) or any(line.kind == "unread" for line in roster.lines)
    if not _agrees(roster, text.truth, label, has_total=text.has_total):
        return "asked" if is_open else "wrong"
    if must_ask(text):
        asked = {question.where.lower() for question in roster.questions if question.asks == "count"}
        open_names = {entry.name.lower() for entry in text.truth if entry.count is None}
        if asked == open_names and all(question.asks == "count" for question in roster.questions):
            return "right"
        return "asked" if open_names <= asked or label.startswith("cut") else "wrong"
    return "asked" if is_open else "right"


def must_ask(text: Text) -> bool:
    """Whether its program does not print how many some unit is."""
    return any(entry.count is None for entry in text.truth)


def _agrees(roster: RosterList, truth: tuple[Entry, ...], label: str, *, has_total: bool) -> bool:
    read = [(unit.name.lower(), unit.count) for unit in roster.units]
    said = [(entry.name.lower(), entry.count) for entry in truth]
    if label.startswith("cut") and not has_total:
        said = said[: len(read)]  # nothing tells that more stood below
    if label == "reordered":
        read, said = sorted(read), sorted(said, key=lambda pair: (pair[0], pair[1] or 0))
    return len(read) == len(said) and all(
        a[0] == b[0] and b[1] in (None, a[1]) for a, b in zip(read, said, strict=True)
    )


def measure_megabyte() -> str:
    """Processor time and peak memory of a text and of a BattleScribe list of a megabyte, read or refused."""
    block = "Bill Reeve (160 points)\n  • 1x Reeve First\n     ◦ 1x Bill\n  • 9x Reeve\n     ◦ 9x Bill\n\n"
    model = '<selection name="Reeve" type="model" number="9"/>'
    unit = f'<selection name="Reeves" type="unit" number="1"><selections>{model * 12}</selections></selection>'
    units = unit * (2**20 // len(unit))
    large = {
        "text": "CHARACTERS\n\n" + block * (2**20 // len(block)),
        "XML": f"<roster><forces><force><selections>{units}</selections></force></forces></roster>",
    }
    return "\n".join(f"1 MB of {kind}: {_measure(raw.encode())}" for kind, raw in large.items())


def _measure(raw: bytes) -> str:
    begin = time.process_time()
    try:
        says = f"{read_roster(raw).miniatures} miniatures"
    except BadRoster as problem:
        says = problem.detail or "refused"
    took = time.process_time() - begin
    tracemalloc.start()
    with contextlib.suppress(BadRoster):
        read_roster(raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return f"{says} {took:.2f} s of processor, peak {peak / 2**20:.0f} MB"


if __name__ == "__main__":
    typer.run(main)
