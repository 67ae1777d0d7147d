"""Arcs, sight and shooting of ranked units, asked of a table as measured in a picture and of the same table as it is.

Pictures with their truth beside them (`x.jpg`, `x.json`) are located as a player would; then units ask about units of
the other side, a leader for each. Printed is how often both answers agree where the measured margin exceeds two of its
sigmas, and how often the measured one is too close to call. An arc is told by name, with the distance to its border.

    python -m benchmarks.rules.ranked_units_measured FOLDER [NAME ...] [--pairs 30] [--show-wrong]
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.harness import run
from benchmarks.rules.too_close_rate import Game, Twins, read_twins
from models.queries import QUERY, BaseQuery
from models.verdict import Answer, Verdict
from referee import ask

SIGMAS = 2.0
WARHAMMER = Game(
    "warhammer-9",
    is_ranked=True,
    card={"profile": {"bs": 3, "ranged": [{"name": "Bow", "rng_in": 24}]}, "type": "infantry"},
    kinds={"trench": "obstacle", "rubble": "rubble", "shallow-water": "river"},
    facts={"turn": {"round": 2, "active": "red", "phase": "shooting"}},
)
QUESTIONS: tuple[tuple[str, tuple[str, str]], ...] = (
    ("in-front-arc", ("viewer", "target")), ("arc", ("viewer", "target")), ("los", ("viewer", "target")),
    ("range", ("attacker", "target")), ("cover", ("attacker", "target")), ("shooters", ("attacker", "target")),
)  # fmt: skip


def main(
    folder: Path,
    names: Annotated[list[str] | None, typer.Argument(help="pictures without their ending, all when left out")] = None,
    pairs: int = 30,
    show_wrong: bool = False,
) -> None:
    tallies: dict[str, Counter[str]] = {kind: Counter() for kind, _ in QUESTIONS}
    for twins in read_twins(folder, names, WARHAMMER):
        for kind, query in _draw_questions(twins, pairs):
            ours, real = ask(twins.measured, query), ask(twins.true, query)
            agrees = _count(tallies[kind], ours, real)
            if show_wrong and not agrees:
                stated = f"{_comparable(ours)} by {_margin(ours)} +- {_sigma(ours)}"
                print(f"  {ours.query}: {stated}, but {_comparable(real)} by {_margin(real)}")
    print(f"\n{'':14s}{'asked':>7s}{'clear':>7s}{'agree':>7s}{'of them':>9s}{'too close':>11s}")
    for kind, tally in (*tallies.items(), ("all", sum(tallies.values(), Counter()))):
        share = tally["agree"] / max(1, tally["clear"])
        close = tally["too close"] / max(1, tally["asked"])
        print(f"{kind:14s}{tally['asked']:7d}{tally['clear']:7d}{tally['agree']:7d}{share:9.2%}{close:11.2%}")


def _draw_questions(twins: Twins, pairs: int) -> Iterator[tuple[str, BaseQuery]]:
    """Of every kind so many questions, each of a front-rank miniature about one of the other side."""
    known = {miniature.id: miniature for miniature in twins.true.miniatures}
    leaders = [id_ for id_ in twins.found if known[id_].rank == 0]
    both = [(a, b) for a in leaders for b in leaders if known[a].side != known[b].side]
    for kind, roles in QUESTIONS:
        for pair in random.Random(f"{twins.name} {kind}").sample(both, min(pairs, len(both))):
            yield kind, QUERY.validate_python({"kind": kind, **dict(zip(roles, pair, strict=True))})


def _count(tally: Counter[str], ours: Verdict, real: Verdict) -> bool:
    """Adds the two answers; False where they differ though the margin is clear."""
    if real.status not in ("decided", "measured") or ours.status not in ("decided", "measured"):
        tally["undecided"] += 1
        return True
    tally["asked"] += 1
    tally["too close"] += ours.answer is Answer.TOO_CLOSE
    margin, sigma = _margin(ours), _sigma(ours)
    if margin is None or abs(margin) <= SIGMAS * sigma:
        return True
    tally["clear"] += 1
    tally["agree"] += _comparable(ours) == _comparable(real)
    return _comparable(ours) == _comparable(real)


def _comparable(verdict: Verdict) -> object:
    return verdict.value.get("arc") if verdict.kind == "arc" else verdict.answer


def _margin(verdict: Verdict) -> float | None:
    if verdict.kind == "arc":
        border = verdict.value.get("border_mm")
        return float(border) if isinstance(border, int | float) else None
    return verdict.margin_deg if verdict.margin_mm is None else verdict.margin_mm


def _sigma(verdict: Verdict) -> float:
    return (verdict.sigma_deg if verdict.sigma_mm is None else verdict.sigma_mm) or 0.0


if __name__ == "__main__":
    run(main)
