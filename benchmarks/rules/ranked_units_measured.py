"""Arcs, sight and shooting of ranked units, asked of a table as measured in a picture and of the same table as it is.

Pictures with their truth beside them (`x.jpg`, `x.json`) are located as a player would; then units ask about units of
the other side, a leader for each. Printed is how often both answers agree where the measured margin exceeds two of its
sigmas, and how often the measured one is too close to call. An arc is told by name, with the distance to its border.

    python -m benchmarks.rules.ranked_units_measured FOLDER [NAME ...] [--pairs 30] [--show-wrong]
"""

import argparse
import json
import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.rules.too_close_rate import locate_picture, match_bases, terrain_of
from models.queries import QUERY
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import ask

SIGMAS = 2.0
_CARD = {"bs": 3, "ranged": [{"name": "Bow", "rng_in": 24}]}
_GROUND = {"trench": "obstacle", "rubble": "rubble", "shallow-water": "river"}
QUESTIONS: tuple[tuple[str, tuple[str, str]], ...] = (
    ("in-front-arc", ("viewer", "target")),
    ("arc", ("viewer", "target")),
    ("los", ("viewer", "target")),
    ("range", ("attacker", "target")),
    ("cover", ("attacker", "target")),
    ("shooters", ("attacker", "target")),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules.ranked_units_measured")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--show-wrong", action="store_true")
    said = parser.parse_args()
    tallies: dict[str, Counter[str]] = {kind: Counter() for kind, _ in QUESTIONS}
    for name, measured, true, found in _tables(said.folder, said.names):
        print(f"{name}: {len(found)} of {len(true.miniatures)} bases found")
        for kind, query in _ask_both(name, true, found, said.pairs):
            ours, real = ask(measured, query), ask(true, query)
            agrees = _count(tallies[kind], ours, real)
            if said.show_wrong and not agrees:
                told = f"{_comparable(ours)} by {_margin(ours)} +- {_sigma(ours)}"
                print(f"  {ours.query}: {told}, but {_comparable(real)} by {_margin(real)}")
    print(f"\n{'':14s}{'asked':>7s}{'clear':>7s}{'agree':>7s}{'of them':>9s}{'too close':>11s}")
    for kind, tally in (*tallies.items(), ("all", sum(tallies.values(), Counter()))):
        share = tally["agree"] / max(1, tally["clear"])
        close = tally["too close"] / max(1, tally["asked"])
        print(f"{kind:14s}{tally['asked']:7d}{tally['clear']:7d}{tally['agree']:7d}{share:9.2%}{close:11.2%}")


def _ask_both(name: str, true: TableState, found: tuple[str, ...], pairs: int) -> Iterator[tuple[str, Any]]:
    """Of every kind so many questions, each of a front-rank miniature about one of the other side."""
    known = {one.id: one for one in true.miniatures}
    leaders = [id_ for id_ in found if known[id_].rank == 0]
    both = [(a, b) for a in leaders for b in leaders if known[a].side != known[b].side]
    for kind, roles in QUESTIONS:
        for pair in random.Random(f"{name} {kind}").sample(both, min(pairs, len(both))):
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


def _tables(folder: Path, names: list[str]) -> Iterator[tuple[str, TableState, TableState, tuple[str, ...]]]:
    """Each picture's table as measured and as it is, and the ids that are in both."""
    with tempfile.TemporaryDirectory() as room:
        for path in sorted(folder.glob("*.jpg")):
            truth = json.loads(path.with_suffix(".json").read_text())
            is_ranked = any("unit" in model for model in truth["models"])
            if is_ranked and (path.stem in names or not names):
                locate_calibrated = locate_picture(path, truth, folder, Path(room), edition="warhammer-9")
                yield path.stem, *_twins(truth, locate_calibrated)


def _twins(truth: dict[str, Any], locate_calibrated: dict[str, Any]) -> tuple[TableState, TableState, tuple[str, ...]]:
    """Both tables with the same cards, sides and ground, so that only what was measured differs."""
    partner = match_bases(truth["models"], locate_calibrated["miniatures"])
    units = list(dict.fromkeys(model.get("unit") for model in truth["models"]))
    side = {model["id"]: ("red", "blue")[units.index(model.get("unit")) % 2] for model in truth["models"]}
    sides = {id_: side[truth["models"][k]["id"]] for k, id_ in partner.items()}
    true = [_true_row(model, partner.get(k), side[model["id"]]) for k, model in enumerate(truth["models"])]
    ground = [piece | {"kind": _GROUND.get(piece["kind"], piece["kind"])} for piece in terrain_of(truth)]
    extra = {"profile": _CARD, "type": "infantry"}
    seen = [one | extra | {"side": sides.get(one["id"], "red")} for one in locate_calibrated["miniatures"]]
    game = {"turn": {"round": 2, "active": "red", "phase": "shooting"}, "terrain": ground}
    measured = TableState.model_validate(locate_calibrated | game | {"miniatures": seen})
    named = [{"id": unit} for unit in units if unit is not None]
    exact = {"edition": "warhammer-9", "table": locate_calibrated["table"], "miniatures": true, "units": named} | game
    return measured, TableState.model_validate(exact), tuple(partner.values())


def _true_row(model: dict[str, Any], id_: str | None, side: str) -> dict[str, Any]:
    base = {key: model["base"][key] for key in ("shape", "diameter_mm", "width_mm", "depth_mm") if key in model["base"]}
    place = {
        "at_mm": model["centre_mm"],
        "facing_deg": math.degrees(model["facing_rad"]),
        "elevation_mm": model["z_mm"],
    }
    unit = {key: model[key] for key in ("unit", "rank", "file") if key in model}
    return {"id": id_ or f"missed {model['id']}", "base": base, "side": side, "profile": _CARD, "type": "infantry"} | (
        place | unit
    )


if __name__ == "__main__":
    main()
